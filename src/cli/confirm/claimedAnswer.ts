/** An answer that somebody presents, and the check against its record. Calls no service. */
import { Effect } from "effect"
import { ANSWER_BODY_BYTES } from "../../../schema/bounds.ts"
import { isUuid } from "../../../schema/primitives.ts"
import { type AnswerRecord, checkAnswer } from "../../proof/commitment.ts"
import { readText } from "../calculate/requestFile.ts"
import { badInput, refused } from "../failures.ts"

/** Given by its id, or as it was received. */
export interface ClaimedAnswer {
  readonly answerId: string
  /** The value in the answer, which may not be text. */
  readonly ruleVersion?: unknown
  /** Null if only the id was given. */
  readonly text: string | null
}

/** Sentences for the user, one line each. */
export interface Steps {
  readonly proven: ReadonlyArray<string>
  readonly notProven: ReadonlyArray<string>
}

/** The provenance members that are read, of any kind. An answer computed without a service has no record. */
interface Claimed {
  readonly answerId?: unknown
  readonly ruleVersion?: unknown
}

/** `answer` is an id, or a file with the answer in it. */
export const readClaim = Effect.fnUntraced(function* (answer: string) {
  if (isUuid(answer)) return { answerId: answer.toLowerCase(), text: null } satisfies ClaimedAnswer
  const text = yield* Effect.mapError(readText(answer, ANSWER_BODY_BYTES), ({ lines }) =>
    badInput(
      ...lines,
      "answer: use a recorded answer as it was received (a file), or the UUID in its provenance.answerId"
    )
  )
  const read = yield* Effect.try({
    try: () => JSON.parse(text) as { readonly provenance?: Claimed } | null,
    catch: () => badInput(`${answer}: is neither the id of an answer nor a file with an answer in JSON`)
  })
  const { answerId, ruleVersion } = read?.provenance ?? {}
  if (answerId === null)
    return yield* badInput(
      `${answer}: was not recorded: its provenance.answerId is null; the service records only answers to calls with a key`
    )
  if (typeof answerId !== "string" || !isUuid(answerId))
    return yield* badInput(`${answer}: has no provenance.answerId; use a recorded answer as it was received`)
  const rules = ruleVersion === undefined ? {} : { ruleVersion }
  return { answerId: answerId.toLowerCase(), ...rules, text } satisfies ClaimedAnswer
})

const ONLY_AN_ID = "the figures: to check them, give the answer itself instead of its id"

/** The proof that the record gives of the figures. Fails if they differ. */
export const figureSteps = Effect.fnUntraced(function* ({ text }: ClaimedAnswer, record: AnswerRecord) {
  if (text === null) return { proven: [], notProven: [ONLY_AN_ID] } satisfies Steps
  yield* Effect.tryPromise({
    try: () => checkAnswer(text, record),
    catch: (cause) => refused(`The answer does not match its record: ${(cause as Error).message}.`)
  })
  return { proven: ["each figure and each word of the answer is as it was recorded"], notProven: [] } satisfies Steps
})
