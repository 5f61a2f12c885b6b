/**
 * The traffic of the soak test: requests of every kind at a fixed rate, whether or not answers
 * arrive. Each is timed from the moment it was due, and its status is compared with the expected
 * one. Some callers abort early. The processes take turns, so each confirms what others answered.
 */
import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { LISTENER_LIMITS } from "../../src/http/listener.ts"
import { calculator, comparison, loan, plans, projection } from "../../test/support/requests.ts"
import { Lateness } from "./lateness.ts"

/** A receipt exists once the record is in the log, normally after a second. */
const RECEIPT_MILLIS = 10_000
const MAX_KNOWN = 1000
/** With more requests in flight, the service is not keeping up. */
const MAX_IN_FLIGHT = 500
const ABORT_MILLIS = 4

const { headersMillis, requestMillis } = LISTENER_LIMITS
const REQUEST_TIMEOUT = 408
const UNAVAILABLE = 503
/**
 * If this process could not run for this long, it may get a 408 by its own fault: it opened a
 * connection and did not write to it in time.
 */
const LATE_MILLIS = headersMillis / 2

interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  /** The caller aborts before the answer. */
  readonly isLeft?: boolean
}

interface Known {
  readonly answerId: string
  readonly at: number
}

const tool = (name: string, args: unknown) => ({
  path: "/mcp",
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  headers: { accept: "application/json, text/event-stream" }
})

/** The kinds of request, sent in turn. */
const kinds = (known: ReadonlyArray<Known>): ReadonlyArray<(key: string) => Request> => {
  const post =
    (path: string, body: unknown, status = 200) =>
    (key: string): Request => ({
      method: "POST",
      path,
      key,
      body,
      status
    })
  const some = () => known[Math.floor(Math.random() * known.length)]
  const old = () => known.find(({ at }) => Date.now() - at > RECEIPT_MILLIS)
  const verify = (one: Known | undefined, path = ""): Request =>
    one === undefined
      ? { method: "GET", path: "/health", status: 200 }
      : { method: "GET", path: `/v1/verify/${one.answerId}${path}`, status: 200 }
  const get =
    (path: string, status = 200) =>
    (key: string): Request => ({ method: "GET", path, key, status })
  return [
    post("/v1/projection", projection),
    post("/v1/comparison", comparison),
    () => verify(some()),
    post("/v1/plan-eligibility", { loans: [loan] }),
    post("/v1/projection", projection),
    (key) => ({ method: "POST", key, status: 200, ...tool("run_projection", projection) }),
    () => verify(old(), "/receipt"),
    () => ({ method: "POST", path: "/v1/calculators/loan", body: calculator, status: 200 }),
    () => ({ method: "POST", path: "/v1/calculators/plans", body: { ...plans, bestPath: true }, status: 200 }),
    post("/v1/projection", { ...projection, unknown: true }, 400),
    post("/v1/comparison", '{"arms": [', 400),
    (key) => ({ ...post("/v1/comparison", comparison)(key), isLeft: true }),
    get("/v1/me"),
    get("/v1/records?limit=50"),
    (key) => ({ method: "POST", key, status: 200, ...tool("compare_scenarios", comparison) }),
    () => ({ method: "GET", path: "/v1/me", key: `slr_sbx_${"x".repeat(38)}`, status: 401 }),
    () => ({ method: "GET", path: `/v1/verify/${randomUUID()}`, status: 404 }),
    get("/rules"),
    get("/log/checkpoint")
  ]
}

/**
 * Sends a request and leaves before its answer. The connection is its own: with fetch it might stay
 * in the pool without a byte written, and the next request might meet the service giving it up.
 */
const leave = (base: string, { body, key, method, path }: Request) =>
  new Promise<void>((resolve) => {
    const headers = { "content-type": "application/json", "x-api-key": key }
    const call = request(`${base}${path}`, { method, agent: false, headers })
    call.on("error", () => undefined).on("close", resolve)
    call.end(JSON.stringify(body))
    setTimeout(() => call.destroy(), ABORT_MILLIS)
  })

export interface Traffic {
  /** Latencies in milliseconds of the answers since the last call. */
  readonly take: () => ReadonlyArray<number>
  readonly inFlight: () => number
  readonly unexpected: ReadonlyMap<string, number>
  /** From now on, requests due within these seconds may be refused with a 503. */
  readonly allowRefusals: (seconds: number) => void
  /** Seconds from the call of `allowRefusals` to the last refusal that it allowed. */
  readonly refusedFor: () => number
  /** Ids of all recorded answers. */
  readonly answerIds: ReadonlyArray<string>
  /**
   * `late` requests timed out and `unsent` ones were skipped because this process could not run.
   */
  readonly answered: () => Readonly<Record<"all" | "left" | "refused" | "late" | "unsent", number>>
  /** Stops sending and waits for the requests in flight. */
  readonly stop: () => Promise<void>
}

/** @param isExcused whether a request that was due at a moment may be refused with a 503 */
export const startTraffic = (
  bases: ReadonlyArray<string>,
  keys: ReadonlyArray<string>,
  perSecond: number,
  isExcused: (due: number) => boolean
): Traffic => {
  const known: Array<Known> = []
  const answerIds: Array<string> = []
  const unexpected = new Map<string, number>()
  const under = new Set<Promise<void>>()
  const all = kinds(known)
  const elapsed: Array<number> = []
  const lateness = new Lateness(1000 / perSecond, performance.now())
  let [sent, unsent, answered, left, refused, late] = [0, 0, 0, 0, 0, 0]
  let [allowedFrom, allowedUntil, lastRefusal] = [0, 0, 0]

  const wrong = (what: string) => unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
  const isLate = () => lateness.within(requestMillis, performance.now()) >= LATE_MILLIS
  const learn = (text: string) => {
    const answerId = /"answerId":"([0-9a-f-]{36})"/.exec(text)?.[1]
    if (answerId === undefined) return
    answerIds.push(answerId)
    known.push({ answerId, at: Date.now() })
    if (known.length > MAX_KNOWN) known.shift()
  }
  const send = async (call: Request, base: string, due: number) => {
    const { body, headers, key, method, path, status } = call
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    if (call.isLeft) {
      await leave(base, call)
      left++
      return
    }
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "x-api-key": key }),
          ...headers
        },
        ...(text === undefined ? {} : { body: text })
      })
      const answer = await response.text()
      elapsed.push(performance.now() - due)
      answered++
      if (response.status === REQUEST_TIMEOUT && isLate()) late++
      else if (response.status === UNAVAILABLE && (due < allowedUntil || isExcused(due))) {
        refused++
        lastRefusal = performance.now()
      } else if (response.status !== status)
        wrong(`${method} ${path.replace(/[0-9a-f-]{36}/, ":id")}: ${response.status}`)
      else if (status === 200 && method === "POST" && path !== "/v1/plan-eligibility") learn(answer)
    } catch (error) {
      wrong(`${method} ${path.replace(/[0-9a-f-]{36}/, ":id")}: ${(error as Error).name}`)
    }
  }
  const started = performance.now()
  const timer = setInterval(() => {
    lateness.tick(performance.now())
    const dueNow = Math.floor(((performance.now() - started) * perSecond) / 1000)
    // If this process could not run, at most one second of requests is made up for; more would be
    // an artificial burst.
    unsent += Math.max(0, dueNow - perSecond - sent)
    sent = Math.max(sent, dueNow - perSecond)
    for (; sent < dueNow; sent++) {
      if (under.size >= MAX_IN_FLIGHT) {
        wrong("too many under way")
        continue
      }
      const call = all[sent % all.length]!(keys[sent % keys.length]!)
      const base = bases[Math.floor(sent / all.length) % bases.length]!
      const one = send(call, base, started + (sent * 1000) / perSecond).finally(() => under.delete(one))
      under.add(one)
    }
  }, 1000 / perSecond)
  return {
    take: () => elapsed.splice(0),
    inFlight: () => under.size,
    unexpected,
    allowRefusals: (seconds) => {
      allowedFrom = lastRefusal = performance.now()
      allowedUntil = allowedFrom + seconds * 1000
    },
    refusedFor: () => (lastRefusal - allowedFrom) / 1000,
    answerIds,
    answered: () => ({ all: answered, left, refused, late, unsent }),
    stop: async () => {
      clearInterval(timer)
      await Promise.all(under)
    }
  }
}
