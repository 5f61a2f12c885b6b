/** `repay receipt`: keeps the receipt of an answer in a file. `repay verify` checks it. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { isUuid } from "../../../schema/primitives.ts"
import { atomicWrite } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { badInput, refused, unavailable } from "../failures.ts"
import { argument, optionalFlag, switchFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { pathNamed } from "../io.ts"
import { onInstallation } from "../operate/reader.ts"
import { say } from "../output.ts"
import { fetchReceipt } from "./logRemote.ts"

const NOT_YET = "The record is not in the log yet; ask again in a moment."

const localReceipt = Effect.fnUntraced(function* (answerId: string) {
  const { TransparencyLog } = yield* Effect.promise(() => import("../../services/log/index.ts"))
  return yield* onInstallation(
    TransparencyLog.use((log) => log.receipt(answerId)).pipe(
      Effect.catchTag("NotYetLogged", () => Effect.fail(unavailable(NOT_YET))),
      Effect.provide(TransparencyLog.layer)
    )
  )
})

export const receiptCommand = Command.make(
  "receipt",
  {
    answerId: argument("answer-id", "provenance.answerId of a recorded answer"),
    url: optionalFlag("url", "<address>", "Ask the service at this address, not the database"),
    out: optionalFlag("out", "<file>", "Where to keep it; else <answer-id>.tlog-proof"),
    overwrite: switchFlag("overwrite", "Replace an existing file")
  },
  Effect.fn("repay.receipt")(function* ({ answerId, out, overwrite, url }) {
    if (!isUuid(answerId)) return yield* badInput("answer-id: use the UUID in provenance.answerId")
    const found = yield* Option.match(url, {
      onNone: () => localReceipt(answerId.toLowerCase()),
      onSome: (address) => fetchReceipt(address, answerId.toLowerCase())
    })
    if (Option.isNone(found)) return yield* refused(`No answer is recorded under ${answerId}.`)
    const file = Option.getOrElse(out, () => `${answerId}.tlog-proof`)
    const path = yield* pathNamed(file)
    yield* Effect.tryPromise({
      try: () => atomicWrite(path, found.value, { overwrite }),
      catch: (cause) =>
        badInput(
          hasCode(cause, "EEXIST")
            ? `${file}: exists already; name another file, or add --overwrite`
            : `${file}: cannot be written`
        )
    })
    return yield* say(
      `The receipt is in ${file}. Check the answer with: repay verify <its file> --receipt ${file} --key <a line of GET /log/key>`
    )
  })
).pipe(
  withHelp(
    "Fetch the receipt of an answer: its record, the proof that it is in the log, and a signed checkpoint. It can be checked without this service, now or in years."
  ),
  Command.withExamples([
    {
      command: "repay receipt 5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11 --url https://api.example.org",
      description: "Ask a service"
    }
  ])
)
