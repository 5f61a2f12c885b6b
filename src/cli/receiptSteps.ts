/** What a receipt proves of an answer, step by step. Everything is in the files: nobody is asked. */
import { Effect } from "effect"
import { isUuid } from "../../schema/primitives.ts"
import { openReceipt } from "../proof/checkpoint.ts"
import { badInput, refused } from "./failures.ts"
import { readText } from "./requestFile.ts"

/** The largest answer, and many times what a receipt takes. */
const FILE_BYTES = 16 * 1024 * 1024

export interface Proven {
  readonly answerId: string
  readonly log: string
  readonly index: number
  readonly size: number
  readonly record: Readonly<Record<string, unknown>>
  /** In words, one line each. */
  readonly proven: ReadonlyArray<string>
  readonly notProven: ReadonlyArray<string>
}

interface Claimed {
  readonly answerId: string
  readonly ruleVersion?: string
}

/** The answer that is claimed: its id, or the answer as it was received. */
const readClaim = Effect.fnUntraced(function* (answer: string) {
  if (isUuid(answer)) return { answerId: answer } satisfies Claimed
  const text = yield* readText(answer, FILE_BYTES)
  const read = yield* Effect.try({
    try: () => JSON.parse(text) as { readonly provenance?: Claimed } | null,
    catch: () => badInput(`${answer}: is neither the id of an answer nor a file with one in JSON`)
  })
  const claimed = read?.provenance
  return typeof claimed?.answerId === "string"
    ? claimed
    : yield* badInput(`${answer}: has no provenance.answerId; use a recorded answer as it was received`)
})

const FIGURES =
  "the figures: this record covers them by a hash that is blinded, which the operator can be held to, and others cannot compute"

/** Checks a receipt of an answer; the first step that fails is told. */
export const proveByReceipt = Effect.fnUntraced(function* (answer: string, file: string, keys: ReadonlyArray<string>) {
  const claimed = yield* readClaim(answer)
  const text = yield* readText(file, FILE_BYTES)
  const opened = yield* Effect.tryPromise({
    try: () => openReceipt(text, keys),
    catch: (cause) => refused(`${file}: proves nothing: ${(cause as Error).message}.`)
  })
  const record = JSON.parse(opened.record) as Readonly<Record<string, unknown>>
  if (record["answerId"] !== claimed.answerId.toLowerCase()) {
    return yield* refused(`${file}: is the receipt of another answer, ${record["answerId"]}.`)
  }
  if (claimed.ruleVersion !== undefined && record["ruleVersion"] !== claimed.ruleVersion) {
    return yield* refused(`${answer}: names other rules than its record, ${record["ruleVersion"]}.`)
  }
  const { index } = opened
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
      "the record is that of this answer",
      ...(claimed.ruleVersion === undefined ? [] : ["the answer names the rules of its record"])
    ],
    notProven: [FIGURES]
  } satisfies Proven
})
