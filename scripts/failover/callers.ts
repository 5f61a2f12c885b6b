/** Callers that never stop asking, what they were told, and for how long nobody was answered. */
import { setTimeout } from "node:timers/promises"
import projection from "../../docs/examples/projection.json" with { type: "json" }

const CALLERS = 32
const KEYS = 8
const ANSWERED_MILLIS = 60_000
/** After a refusal. Retry-After says a second; these are in a hurry. */
const PAUSE_MILLIS = 50

export const mintKeys = (base: string): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Array.from({ length: KEYS }, async (_, index) => {
      const response = await fetch(`${base}/v1/keys/sandbox`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: `caller-${index}@example.org` })
      })
      return ((await response.json()) as { readonly apiKey: string }).apiKey
    })
  )

export const startCallers = (base: string, keys: ReadonlyArray<string>) => {
  const answerIds: Array<string> = []
  const refusals = new Map<string, number>()
  let isOver = false
  let lastAnswer = performance.now()
  let longestOutage = 0
  const callOnce = async (key: string): Promise<string> => {
    const response = await fetch(`${base}/v1/projection`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify(projection)
    })
    const body = (await response.json()) as { readonly provenance?: { readonly answerId: string } }
    if (response.status !== 200) return String(response.status)
    const { answerId } = body.provenance!
    const now = performance.now()
    longestOutage = Math.max(longestOutage, now - lastAnswer)
    lastAnswer = now
    answerIds.push(answerId)
    // An answer is confirmed at once, whichever server takes writes by now.
    const confirmed = await fetch(`${base}/v1/verify/${answerId}`)
    await confirmed.body?.cancel()
    return String(confirmed.status)
  }
  const caller = async (key: string) => {
    while (!isOver) {
      const told = await callOnce(key).catch((error: Error) => error.message)
      if (told === "200") continue
      refusals.set(told, (refusals.get(told) ?? 0) + 1)
      await setTimeout(PAUSE_MILLIS)
    }
  }
  const all = Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(keys[index % keys.length]!)))
  return {
    answerIds,
    /** What was told instead of an answer, and how often. */
    refusals,
    /** Resolves when somebody is answered again. */
    answered: async () => {
      const before = answerIds.length
      const late = performance.now() + ANSWERED_MILLIS
      while (answerIds.length === before) {
        if (performance.now() > late) throw new Error("nobody is answered any more")
        await setTimeout(PAUSE_MILLIS)
      }
    },
    /** Seconds between two answers, whoever got them. */
    longestOutage: () => longestOutage / 1000,
    stop: async () => {
      isOver = true
      await all
    }
  }
}

/** The answers that the service does not know. */
export const missingOf = async (base: string, answerIds: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const missing: Array<string> = []
  const left = [...answerIds]
  const worker = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const response = await fetch(`${base}/v1/verify/${id}`, { headers: { accept: "application/json" } })
      await response.arrayBuffer()
      if (response.status !== 200) missing.push(id)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, worker))
  return missing
}
