/** Witnesses for tests: one that cosigns whatever it is sent, or lies in one of several ways. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { textOfNote } from "../../src/proof/note.ts"
import { makeCosigner } from "../../src/services/log/keys.ts"

const DAY_SECONDS = 86_400

export const LIES = [
  "another root",
  "an older checkpoint",
  "a foreign key under its name",
  "a foreign signature under its key id",
  "a time a day ahead",
  "409 with no number",
  "409 with a larger size",
  "an endless body",
  "a redirect",
  "another note in the answer",
  "no answer at all"
] as const
export type Lie = (typeof LIES)[number]

export const startWitness = async (name: string, seed: number) => {
  const [own, foreign] = await Promise.all(
    [seed, seed + 100].map((byte) => makeCosigner(name, new Uint8Array(32).fill(byte)))
  )
  let lie: Lie | null = null
  let status = 0
  let earlier: string | undefined
  const bodies: Array<string> = []
  const answerTo = async (body: string): Promise<string> => {
    const text = textOfNote(body.slice(body.indexOf("\n\n") + 2))
    earlier ??= text
    const seconds = Math.floor(Date.now() / 1000)
    const idOf = (line: string) => line.trim().split(" ")[2]!.slice(0, 5)
    switch (lie) {
      case "another root":
        return own!.cosign(text.replace(/\n[^\n]{44}\n$/, `\n${"A".repeat(43)}=\n`), seconds)
      case "an older checkpoint":
        return own!.cosign(earlier, seconds)
      case "a foreign key under its name":
        return foreign!.cosign(text, seconds)
      case "a foreign signature under its key id": {
        const [true_, false_] = [await own!.cosign(text, seconds), await foreign!.cosign(text, seconds)]
        return false_.replace(idOf(false_), idOf(true_))
      }
      case "a time a day ahead":
        return own!.cosign(text, seconds + DAY_SECONDS)
      case "another note in the answer": {
        const more = `${body.slice(body.indexOf("\n\n") + 2)}another\n`
        return `another\n\n${await own!.cosign(more, seconds)}`
      }
      default:
        return own!.cosign(text, seconds)
    }
  }
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    bodies.push(body)
    if (lie === "no answer at all") return
    if (lie === "409 with no number") response.writeHead(409).end("many\n")
    else if (lie === "409 with a larger size") {
      const size = Number(body.slice(body.indexOf("\n\n") + 2).split("\n")[1])
      response.writeHead(409, { "content-type": "text/x.tlog.size" }).end(`${size + 1}\n`)
    } else if (lie === "a redirect") response.writeHead(307, { location: `${request.url}?again` }).end()
    else if (lie === "an endless body") {
      response.writeHead(200)
      const send = () => {
        while (!response.destroyed && response.write("— endless ".repeat(100)));
      }
      response.on("drain", send)
      send()
    } else if (status > 0) response.writeHead(status).end()
    else response.end(await answerTo(body))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    verifierKey: own!.verifierKey,
    bodies,
    /** From now on it lies, or answers with this status; null: it cosigns. */
    behave: (next: Lie | number | null) => {
      lie = typeof next === "string" ? next : null
      status = typeof next === "number" ? next : 0
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
export type TestWitness = Awaited<ReturnType<typeof startWitness>>
