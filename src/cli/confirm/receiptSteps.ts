/** The proof of an answer by its receipt, step by step, from files alone. */
import { Effect } from "effect"
import { openReceipt } from "../../proof/checkpoint.ts"
import { readRecord } from "../../proof/commitment.ts"
import { readText } from "../calculate/requestFile.ts"
import { refused } from "../failures.ts"
import { type ClaimedAnswer, figureSteps, type Steps } from "./claimedAnswer.ts"

/** Many times the size of a receipt. */
const FILE_BYTES = 1024 * 1024

export interface Proven extends Steps {
  readonly answerId: string
  readonly log: string
  readonly index: number
  readonly size: number
  readonly record: ReturnType<typeof readRecord>
}

/** Checks a receipt of an answer, and fails at the first wrong step. */
export const proveByReceipt = Effect.fnUntraced(function* (
  claimed: ClaimedAnswer,
  file: string,
  keys: ReadonlyArray<string>
) {
  const text = yield* readText(file, FILE_BYTES)
  const opened = yield* Effect.tryPromise({
    try: async () => {
      const opened = await openReceipt(text, keys)
      return { ...opened, record: readRecord(opened.record) }
    },
    catch: (cause) => refused(`${file}: proves nothing: ${(cause as Error).message}.`)
  })
  const { index, record } = opened
  if (record.answerId !== claimed.answerId) {
    return yield* refused(`${file}: is the receipt of another answer, ${record.answerId}.`)
  }
  if (claimed.ruleVersion !== undefined && record["ruleVersion"] !== claimed.ruleVersion) {
    return yield* refused(`The answer names other rules than its record, ${record["ruleVersion"]}.`)
  }
  const figures = yield* figureSteps(claimed, record)
  const { origin, size } = opened.checkpoint
  return {
    answerId: claimed.answerId,
    log: origin,
    index,
    size,
    record,
    proven: [
      `the checkpoint of ${origin} is signed by a key that you believe`,
      `the record is entry ${index} of the ${size} that it covers`,
      `the record is that of this answer, made at ${record["recordedAtUtc"]} by the clock of the service`,
      ...(claimed.ruleVersion === undefined ? [] : ["the answer names the rules of its record"]),
      ...figures.proven
    ],
    notProven: figures.notProven
  } satisfies Proven
})
