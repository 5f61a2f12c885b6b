/** `repay verify`: whether an answer is recorded, and under which rules. Shows no inputs, because none are stored. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { isUuid } from "../../schema/primitives.ts"
import { verifiedAnswer } from "../services/answers/publicRecord.ts"
import { badInput, refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, type Screen, show } from "./output.ts"
import type { Proven } from "./receiptSteps.ts"
import { recordView } from "./views/record.ts"

const findLocally = Effect.fnUntraced(function* (answerId: string) {
  const { AnswerLedger } = yield* Effect.promise(() => import("../services/answers/AnswerLedger.ts"))
  const { commandFailure, Installation } = yield* Effect.promise(() => import("./installation.ts"))
  return yield* AnswerLedger.use((ledger) => ledger.find(answerId)).pipe(
    Effect.map(Option.map(verifiedAnswer)),
    Effect.provide(AnswerLedger.layer),
    Effect.provide(Installation),
    Effect.mapError(commandFailure)
  )
})

const findRemotely = Effect.fnUntraced(function* (url: string, answerId: string) {
  const remote = yield* Effect.promise(() => import("./verifyRemote.ts"))
  return yield* remote.findRemotely(url, answerId)
})

/** By a receipt, with a key that the caller believes, or that the service at `url` names. */
const verifyOffline = Effect.fnUntraced(function* (
  input: { readonly answer: string; readonly receipt: string; readonly key: Option.Option<string> },
  url: Option.Option<string>
) {
  const { fetchKeys } = yield* Effect.promise(() => import("./logRemote.ts"))
  const { proveByReceipt } = yield* Effect.promise(() => import("./receiptSteps.ts"))
  if (Option.isSome(input.key)) return yield* proveByReceipt(input.answer, input.receipt, [input.key.value])
  if (Option.isSome(url)) return yield* proveByReceipt(input.answer, input.receipt, yield* fetchKeys(url.value))
  return yield* badInput(
    "--key: use the verifier key of the log, as GET /log/key shows it, or name its service with --url"
  )
})

const stepsView =
  ({ notProven, proven }: Proven) =>
  ({ style }: Screen): string =>
    [
      ...proven.map((line) => `${style.accent("proven")}      ${line}`),
      ...notProven.map((line) => `${style.bold("not proven")}  ${line}`)
    ].join("\n")

export const verifyCommand = dataCommand(
  "verify",
  {
    answerId: Argument.String("answer-id").pipe(
      Argument.withDescription("provenance.answerId of an answer; with --receipt also its file")
    ),
    receipt: Flag.String("receipt").pipe(
      Flag.withMetavar("<file>"),
      Flag.withDescription("Check this receipt, offline"),
      Flag.optional
    ),
    key: Flag.String("key").pipe(
      Flag.withMetavar("<key>"),
      Flag.withDescription("The verifier key of the log that is believed, as GET /log/key shows it"),
      Flag.optional
    ),
    url: Flag.String("url").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Ask the service at this address, not the database"),
      Flag.optional
    )
  },
  Effect.fn("repay.verify")(function* (input, format) {
    if (Option.isSome(input.receipt)) {
      const asked = { answer: input.answerId, receipt: input.receipt.value, key: input.key }
      const proven = yield* verifyOffline(asked, input.url)
      return yield* show(format, proven, stepsView(proven))
    }
    if (!isUuid(input.answerId)) return yield* badInput("answer-id: use the UUID in provenance.answerId")
    const found = yield* Option.match(input.url, {
      onNone: () => findLocally(input.answerId),
      onSome: (url) => findRemotely(url, input.answerId)
    })
    if (Option.isNone(found)) return yield* refused(`No answer is recorded under ${input.answerId}.`)
    return yield* show(format, found.value, recordView(found.value))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Confirm that an answer is on record: when it was recorded, which endpoint served it, under which rules, and the keyed hash of its inputs. Exit code 1 when there is no such record, 3 when the database or service cannot be reached.",
      "Reads the database of DATABASE_URL or DATA_DIR; with --url, asks a running service, which needs no key.",
      "With --receipt nobody is asked: the receipt proves that the record is in the log of a signed checkpoint, step by step, or the step that failed is told (exit code 1)."
    )
  ),
  Command.withShortDescription("Confirm a recorded answer"),
  Command.withExamples([
    {
      command: "repay verify 5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11",
      description: "Read the database of this installation"
    },
    {
      command: "repay verify 5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11 --url https://api.example.org --json",
      description: "Ask a service"
    },
    {
      command: "repay verify answer.json --receipt receipt.txt --key 'api.example.org/log+1a2b3c4d+AT...'",
      description: "Ask nobody"
    }
  ])
)
