/**
 * The callers of the failover task: they call continuously, and record answers, refusals and the
 * longest outage.
 */
import projection from "../../docs/examples/projection.json" with { type: "json" }
import { type Call, mintOver } from "../../test/support/calls.ts"
import { fewAtOnce } from "../../test/support/fewAtOnce.ts"
import { pause, until } from "../../test/support/until.ts"

const CALLERS = 32
const KEYS = 8
const ANSWERED_SECONDS = 60
/** Pause after a refusal, deliberately shorter than the second of Retry-After. */
const PAUSE_MILLIS = 50

export const mintKeys = (call: Call): Promise<ReadonlyArray<string>> =>
  Promise.all(Array.from({ length: KEYS }, async () => (await mintOver(call)).apiKey))

export const startCallers = (call: Call, keys: ReadonlyArray<string>) => {
  const answerIds: Array<string> = []
  const refusals = new Map<string, number>()
  let isOver = false
  let lastAnswer = performance.now()
  let longestOutage = 0
  const callOnce = async (key: string): Promise<string> => {
    const response = await call("POST", "/v1/projection", { json: projection, key })
    const body = (await response.json()) as { readonly provenance?: { readonly answerId: string } }
    if (response.status !== 200) return String(response.status)
    const { answerId } = body.provenance!
    const now = performance.now()
    longestOutage = Math.max(longestOutage, now - lastAnswer)
    lastAnswer = now
    answerIds.push(answerId)
    // An answer must verify at once, even if another server is the primary by now.
    const confirmed = await call("GET", `/v1/verify/${answerId}`)
    await confirmed.body?.cancel()
    return String(confirmed.status)
  }
  const caller = async (key: string) => {
    while (!isOver) {
      const outcome = await callOnce(key).catch((error: Error) => error.message)
      if (outcome === "200") continue
      refusals.set(outcome, (refusals.get(outcome) ?? 0) + 1)
      await pause(PAUSE_MILLIS)
    }
  }
  const all = Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(keys[index % keys.length]!)))
  return {
    answerIds,
    /** Counts of statuses and errors other than an answer. */
    refusals,
    /** Resolves at the next answer to any caller. */
    answered: async () => {
      const before = answerIds.length
      await until(() => answerIds.length > before, ANSWERED_SECONDS)
    },
    /** The longest time in seconds without an answer to any caller. */
    longestOutage: () => longestOutage / 1000,
    stop: async () => {
      isOver = true
      await all
    }
  }
}

/** Ids of answers that the service does not find. */
export const missingOf = async (call: Call, answerIds: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const missing: Array<string> = []
  await fewAtOnce(CALLERS, answerIds, async (id) => {
    const response = await call("GET", `/v1/verify/${id}`, { headers: { accept: "application/json" } })
    await response.arrayBuffer()
    if (response.status !== 200) missing.push(id)
  })
  return missing
}
