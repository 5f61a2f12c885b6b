/**
 * `repay verify`: checks an answer against its record or a receipt. No inputs are stored or shown.
 */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import type { Policy } from "../../proof/policy.ts"
import { badInput, refused } from "../failures.ts"
import { argument, optionalFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { onInstallation } from "../operate/reader.ts"
import { dataCommand, type Format, type Screen, show } from "../output.ts"
import { recordView } from "../views/record.ts"
import { harmless } from "../views/text.ts"
import { type ClaimedAnswer, figureSteps, readClaim, type Steps } from "./claimedAnswer.ts"

const findLocally = Effect.fnUntraced(function* (answerId: string) {
  const { AnswerLedger, verifiedAnswer } = yield* Effect.promise(() => import("../../services/answers/records.ts"))
  const found = AnswerLedger.use((ledger) => ledger.find(answerId)).pipe(Effect.provide(AnswerLedger.layer))
  return yield* onInstallation(Effect.map(found, Option.map(verifiedAnswer)))
})

const findRemotely = Effect.fnUntraced(function* (url: string, answerId: string) {
  const remote = yield* Effect.promise(() => import("./verifyRemote.ts"))
  return yield* remote.findRemotely(url, answerId)
})

const YOURS = "a key that you trust"

/** The trusted keys and their origin: the caller, else the policy, else the service itself. */
const trustedKeys = Effect.fnUntraced(function* (
  key: Option.Option<string>,
  policy: Policy | null,
  url: Option.Option<string>
) {
  if (Option.isSome(key)) return { keys: [key.value], signer: YOURS }
  if (policy !== null && policy.logs.length > 0) return { keys: policy.logs, signer: YOURS }
  const { fetchKeys } = yield* Effect.promise(() => import("./logRemote.ts"))
  if (Option.isSome(url)) {
    const keys = yield* fetchKeys(url.value)
    return { keys, signer: `a key that ${new URL(url.value).host} names now; use --key to decide yourself` }
  }
  return yield* badInput(
    "--key: use the verifier key of the log, as GET /log/key shows it, or name its service with --url"
  )
})

const stepLines = ({ notProven, proven }: Steps, { style }: Screen): ReadonlyArray<string> => [
  ...proven.map((line) => `${style.accent("proven")}      ${harmless(line)}`),
  ...notProven.map((line) => `${style.bold("not proven")}  ${harmless(line)}`)
]

const verifyByReceipt = Effect.fnUntraced(function* (
  claimed: ClaimedAnswer,
  receipt: string,
  { key, policy: file, url }: Readonly<Record<"key" | "policy" | "url", Option.Option<string>>>,
  format: Format
) {
  const { proveByReceipt, readPolicy } = yield* Effect.promise(() => import("./receiptSteps.ts"))
  const policy = Option.isSome(file) ? yield* readPolicy(file.value) : null
  const proven = yield* proveByReceipt(claimed, receipt, yield* trustedKeys(key, policy, url), policy)
  return yield* show(format, proven, (screen) => stepLines(proven, screen).join("\n"))
})

/** Checks against a record from the database, or from the service at `url`, which is trusted. */
const verifyByRecord = Effect.fnUntraced(function* (
  claimed: ClaimedAnswer,
  url: Option.Option<string>,
  format: Format
) {
  const { answerId, text } = claimed
  const found = yield* Option.match(url, {
    onNone: () => findLocally(answerId),
    onSome: (address) => findRemotely(address, answerId)
  })
  if (Option.isNone(found)) return yield* refused(`No answer is recorded under ${answerId}.`)
  const record = found.value
  if (record.answerId !== answerId) return yield* refused(`This is the record of another answer, ${record.answerId}.`)
  if (text === null) return yield* show(format, record, recordView(record))
  const steps = yield* figureSteps(claimed, record)
  const view = (screen: Screen) => [recordView(record)(screen), "", ...stepLines(steps, screen)].join("\n")
  return yield* show(format, { record, ...steps }, view)
})

export const verifyCommand = dataCommand(
  "verify",
  {
    answer: argument("answer", "A recorded answer as it was received (a file, or - for standard input), or its id"),
    receipt: optionalFlag("receipt", "<file>", "Check this receipt, offline"),
    key: optionalFlag("key", "<key>", "The verifier key of the log to trust, as GET /log/key shows it"),
    policy: optionalFlag(
      "policy",
      "<file>",
      "With --receipt: which witnesses to trust, and how many must have seen it"
    ),
    url: optionalFlag("url", "<address>", "Ask the service at this address, not the database")
  },
  Effect.fn("repay.verify")(function* (input, format) {
    const claimed = yield* readClaim(input.answer)
    if (Option.isSome(input.receipt)) return yield* verifyByReceipt(claimed, input.receipt.value, input, format)
    if (Option.isSome(input.policy))
      return yield* badInput("--policy: needs a receipt; name its file with --receipt, or fetch one with repay receipt")
    return yield* verifyByRecord(claimed, input.url, format)
  })
).pipe(
  withHelp(
    "Confirm that an answer is on record: when it was recorded, which endpoint served it, under which rules, and the keyed hash of its inputs. Given the whole answer, also compare each of its figures with the record; the answer itself is not sent. Exit code 1 if there is no such record or a figure differs, 3 if the database or service cannot be reached.",
    "Reads the record in the database of DATABASE_URL or DATA_DIR; with --url, asks a running service, which needs no key.",
    "With --receipt, verify offline: the receipt proves, step by step, that the record is in the log of a signed checkpoint. A step that fails is named, with exit code 1.",
    "With --policy, enough of the witnesses in the file (C2SP tlog-policy) must also have seen the receipt's checkpoint. Prints who saw it and when, or who is missing, with exit code 1."
  ),
  Command.withExamples([
    {
      command: "repay verify 5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11",
      description: "Read the database of this installation"
    },
    {
      command: "repay verify answer.json --url https://api.example.org",
      description: "Ask a service for the record, and check the figures against it"
    },
    {
      command: "repay verify answer.json --receipt receipt.txt --key 'api.example.org/log+1a2b3c4d+AT...'",
      description: "Verify offline"
    }
  ])
)
