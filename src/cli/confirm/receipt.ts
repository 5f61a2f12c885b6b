/**
 * `repay receipt`: keeps the receipt of an answer in a file, or those of many answers as JSON lines.
 * `repay verify` checks one.
 */
import { existsSync } from "node:fs"
import { Effect, Option, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { isUuid } from "../../../schema/primitives.ts"
import { atomicWrite } from "../../platform/atomicWrite.ts"
import { badInput, refused } from "../failures.ts"
import { argument, optionalFlag, switchFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { pathNamed } from "../io.ts"
import { say } from "../output.ts"
import { keepReceipts, linesIn, receiptsFileOf, withReceipts, writingNamed } from "./receipts.ts"

const keepOne = Effect.fnUntraced(function* (
  answerId: string,
  url: Option.Option<string>,
  file: string,
  overwrite: boolean
) {
  const found = yield* withReceipts(url, (find) => find(answerId.toLowerCase()))
  if (Option.isNone(found)) return yield* refused(`No answer is recorded under ${answerId}.`)
  const path = yield* pathNamed(file)
  yield* writingNamed(file, () => atomicWrite(path, found.value, { overwrite }))
  return yield* say(
    `The receipt is in ${file}. Check the answer with: repay verify <its file> --receipt ${file} --key <a line of GET /log/key>`
  )
})

/** What to keep: the receipts of the ids, or of the answers in a file. */
const keepMany = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  from: string | undefined,
  url: Option.Option<string>,
  out: string,
  overwrite: boolean
) {
  if (!overwrite && existsSync(yield* pathNamed(out)))
    return yield* badInput(`${out}: exists already; name another file, or add --overwrite`)
  const given = Stream.fromIterable(ids.map((id) => ({ answerId: id.toLowerCase(), receipt: null })))
  const lines = from === undefined ? given : yield* linesIn(from)
  return yield* keepReceipts(lines, url, out, overwrite)
}, Effect.scoped)

export const receiptCommand = Command.make(
  "receipt",
  {
    ids: argument("answer-id", "provenance.answerId of a recorded answer; several need --out").pipe(
      Argument.variadic({ min: 0 })
    ),
    from: optionalFlag("from", "<file>", "File with an id on each line, or with receipts that are not complete"),
    url: optionalFlag("url", "<address>", "Ask the service at this address, not the database"),
    out: optionalFlag("out", "<file>", "Where to keep it; else <answer-id>.tlog-proof, or <file>.receipts.ndjson"),
    overwrite: switchFlag("overwrite", "Replace an existing file")
  },
  Effect.fn("repay.receipt")(function* ({ from, ids, out, overwrite, url }) {
    if (Option.isSome(from)) {
      if (ids.length > 0) return yield* badInput("answer-id and --from: use one of them")
      const own = receiptsFileOf(from.value)
      const isCompleted = Option.isNone(out) && own === from.value
      return yield* keepMany(
        [],
        from.value,
        url,
        Option.getOrElse(out, () => own),
        overwrite || isCompleted
      )
    }
    if (ids.length === 0 || !ids.every(isUuid))
      return yield* badInput("answer-id: use the UUID in provenance.answerId, or --from for a file of them")
    if (ids.length === 1)
      return yield* keepOne(
        ids[0]!,
        url,
        Option.getOrElse(out, () => `${ids[0]}.tlog-proof`),
        overwrite
      )
    if (Option.isNone(out)) return yield* badInput("--out: name a file for the receipts of several answers")
    return yield* keepMany(ids, undefined, url, out.value, overwrite)
  })
).pipe(
  withHelp(
    "Fetch the receipt of an answer: its record, the proof that it is in the log, and a signed checkpoint. It can be checked without this service, now or in years.",
    "The receipts of several answers are lines of JSON in one file: the receipt of each, or null while it is not there. A file whose name ends in .receipts.ndjson, such as that of `repay portfolio run --record`, is completed by --from."
  ),
  Command.withExamples([
    {
      command: "repay receipt 5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11 --url https://api.example.org",
      description: "Ask a service"
    },
    {
      command: "repay receipt --from results.csv.receipts.ndjson --url https://api.example.org",
      description: "Complete the receipts of a portfolio"
    }
  ])
)
