/** The proof of an answer by its receipt, step by step, from files alone. */
import { Effect } from "effect"
import { noteOf, openReceipt } from "../../proof/checkpoint.ts"
import { readRecord } from "../../proof/commitment.ts"
import { type Policy, parsePolicy, witnessedBy } from "../../proof/policy.ts"
import { readText } from "../calculate/requestFile.ts"
import { badInput, refused } from "../failures.ts"
import { type ClaimedAnswer, figureSteps, type Steps } from "./claimedAnswer.ts"

/** Far above the size of a receipt. */
const FILE_BYTES = 1024 * 1024

export interface Proven extends Steps {
  readonly answerId: string
  readonly log: string
  readonly index: number
  readonly size: number
  readonly record: ReturnType<typeof readRecord>
  /** The witnesses that saw the checkpoint, and when; undefined without a policy. */
  readonly witnesses?: ReadonlyArray<{ readonly name: string; readonly seenAtUtc: string }>
}

/** A receipt or a policy. Mail programs and editors may have changed its line endings to CRLF. */
const readLines = (file: string) => Effect.map(readText(file, FILE_BYTES), (text) => text.replaceAll("\r\n", "\n"))

export const readPolicy = Effect.fnUntraced(function* (file: string) {
  const text = yield* readLines(file)
  return yield* Effect.tryPromise({
    try: () => parsePolicy(text),
    catch: (cause) => badInput(`${file}: ${(cause as Error).message}.`)
  })
})

/** The witnesses that saw the receipt's checkpoint; fails if the policy's quorum is not reached. */
const witnessSteps = Effect.fnUntraced(function* (text: string, file: string, policy: Policy) {
  const { missing, seen } = yield* Effect.tryPromise({
    try: () => witnessedBy(noteOf(text), policy),
    catch: (cause) => refused(`${file}: cannot be trusted under this policy: ${(cause as Error).message}.`)
  })
  const witnesses = seen.map(({ at, name }) => ({ name, seenAtUtc: at.toISOString() }))
  const proven = witnesses.map(({ name, seenAtUtc }) => `the witness ${name} saw the checkpoint at ${seenAtUtc}`)
  if (missing.length === 0) return { witnesses, proven: [...proven, "the quorum of the policy saw the checkpoint"] }
  return yield* refused(
    `${file}: the quorum of the policy lacks ${missing.join(", ")}.`,
    ...(proven.length === 0 ? ["No witness of the policy saw the checkpoint."] : proven)
  )
})

/** Checks a receipt of an answer, and fails at the first wrong step. */
export const proveByReceipt = Effect.fnUntraced(function* (
  claimed: ClaimedAnswer,
  file: string,
  { keys, signer }: { readonly keys: ReadonlyArray<string>; readonly signer: string },
  policy: Policy | null
) {
  const text = yield* readLines(file)
  const opened = yield* Effect.tryPromise({
    try: async () => {
      const opened = await openReceipt(text, keys)
      return { ...opened, record: readRecord(opened.record) }
    },
    catch: (cause) => refused(`${file}: proves nothing: ${(cause as Error).message}.`)
  })
  const { index, record } = opened
  const witnessed = policy === null ? { proven: [] } : yield* witnessSteps(text, file, policy)
  if (record.answerId !== claimed.answerId) {
    return yield* refused(`${file}: is the receipt of another answer, ${record.answerId}.`)
  }
  if (claimed.ruleVersion !== undefined && record["ruleVersion"] !== claimed.ruleVersion) {
    return yield* refused(
      `The answer names a different rules version than its record, which has ${record["ruleVersion"]}.`
    )
  }
  const figures = yield* figureSteps(claimed, record)
  const { origin, size } = opened.checkpoint
  return {
    answerId: claimed.answerId,
    log: origin,
    index,
    size,
    record,
    ...witnessed,
    proven: [
      `the checkpoint of ${origin} is signed by ${signer}`,
      ...witnessed.proven,
      `the record is entry ${index} of the ${size} that it covers`,
      `the record belongs to this answer, and was made at ${record["recordedAtUtc"]} by the service's clock`,
      ...(claimed.ruleVersion === undefined ? [] : ["the answer names the rules of its record"]),
      ...figures.proven
    ],
    notProven: figures.notProven
  } satisfies Proven
})
