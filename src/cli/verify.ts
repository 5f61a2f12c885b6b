/** `repay verify`: whether an answer is recorded, and under which rules. Shows no inputs, because none are stored. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { isUuid } from "../../schema/primitives.ts"
import { verifiedAnswer } from "../services/answers/publicRecord.ts"
import { badInput, refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, show } from "./output.ts"
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

export const verifyCommand = dataCommand(
  "verify",
  {
    answerId: Argument.String("answer-id").pipe(Argument.withDescription("provenance.answerId of a recorded answer")),
    url: Flag.String("url").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("Ask the service at this address, not the database"),
      Flag.optional
    )
  },
  Effect.fn("repay.verify")(function* (input, format) {
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
      "Reads the database of DATABASE_URL or DATA_DIR; with --url, asks a running service, which needs no key."
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
    }
  ])
)
