/** Calls through a proxy with TLS, and answers asked for while something is stopped behind it. */
import { Agent, request } from "node:https"
import projection from "../../docs/examples/projection.json" with { type: "json" }
import { pause, until } from "../../test/support/until.ts"
import { insist } from "../harness.ts"

export const AT_ONCE = 4
/** So that they are fewer than the hundred a second that nginx.conf passes on from one caller. */
const PAUSE_MILLIS = 40
const POLL_MILLIS = 500
/** While the system starts again. */
export const OUTAGE_SECONDS = 120
const OK = 200

interface Answered {
  readonly status: number
  readonly text: string
}

/** Calls a port of this machine by a name, and trusts one certificate alone. */
export const callerOf = (name: string, port: number, certificate: string) => {
  const agent = new Agent({ ca: certificate, servername: name, keepAlive: true })
  return (method: string, path: string, key = "", body?: unknown): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = {
        host: name,
        ...(key === "" ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      }
      const asked = request({ agent, host: "127.0.0.1", port, method, path, headers, timeout: 10_000 }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          text += chunk
        })
        response.on("end", () => resolve({ status: response.statusCode!, text })).on("error", reject)
      })
      asked.on("timeout", () => asked.destroy(new Error("no answer"))).on("error", reject)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
}

export type Call = ReturnType<typeof callerOf>

export const isAnswered = async (call: Call): Promise<boolean> =>
  (await call("GET", "/health").catch(() => undefined))?.status === OK

/** Asks for answers until so many or a few more are acknowledged; failures are asked again. Resolves with their ids. */
export const answers = async (
  call: Call,
  key: string,
  count: number,
  at: (done: number) => Promise<unknown> | undefined = () => undefined
) => {
  const ids: Array<string> = []
  let failed = 0
  const one = async () => {
    while (ids.length < count) {
      const answer = await call("POST", "/v1/projection", key, projection).catch(() => undefined)
      if (answer?.status === OK) {
        ids.push((JSON.parse(answer.text) as { provenance: { answerId: string } }).provenance.answerId)
        await at(ids.length)
      } else {
        failed++
        insist(answer === undefined || answer.status >= 500, `${answer?.status} ${answer?.text}`)
        await until(() => pause(POLL_MILLIS).then(() => isAnswered(call)), OUTAGE_SECONDS)
      }
      await pause(PAUSE_MILLIS)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return { ids, failed }
}

/** A question for psql: how many of these answers are in the database. */
export const countOf = (ids: ReadonlyArray<string>): string =>
  `SELECT count(*) FROM answer WHERE answer_id IN (${ids.map((id) => `'${id}'`).join(",")})`
