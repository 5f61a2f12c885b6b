/** `repay portfolio run` without the command line: from files to files. */
import { rm } from "node:fs/promises"
import { Effect, Ref } from "effect"
import { ruleVersion } from "../../ledger/release.ts"
import packageJson from "../../package.json" with { type: "json" }
import { concatenate } from "./assemble.ts"
import type { Portfolio } from "./chunk.ts"
import type { ComputersOf } from "./computers.ts"
import { needDuckDB } from "./duckdb.ts"
import { besideOf, type InputFormat, inputFormatOf, type ResultFormat } from "./files.ts"
import type { TableOptions } from "./input/csv.ts"
import { type Input, type PortfolioProblem, problem } from "./input/input.ts"
import { lineFiles } from "./input/lines.ts"
import { csvFiles, parquetFiles } from "./input/tables.ts"
import { lockFolder } from "./lock.ts"
import { writeParquet } from "./parquet.ts"
import { Parts } from "./parts.ts"
import { goneOf } from "./partsFolder.ts"
import { commonestReasons, type Reason } from "./reasons.ts"
import { recordParts } from "./record/recordParts.ts"
import type { Recorder, RecordingStopped } from "./record/service.ts"
import { type Reported, reportOf } from "./report.ts"
import { WRITING } from "./results.ts"
import { computeParts, fromPromise, type Progress, problemOf } from "./run.ts"
import { addSummaries, type Summary } from "./summary.ts"
import { SummaryTally } from "./summaryTally.ts"
import { writeWhole } from "./wholeFile.ts"
import { expectName, expectNoAnswers, expectNoneRead, expectNoneThere, expectNoneWithin, placedOf } from "./writable.ts"

/** What is asked for: which files, and where the results go. */
export interface RunRequest {
  readonly files: ReadonlyArray<string>
  readonly out: string
  readonly format: ResultFormat
  readonly overwrite: boolean
  /** Between the cells of CSV; else it is found. */
  readonly separator?: string | undefined
  readonly portfolio: Portfolio
  /** The rules ledger that the run is computed by, as it is published: it is kept beside the results. */
  readonly rules: string
}

/** What stands beside the results. */
interface Written {
  /** Null where no row was rejected. */
  readonly rejected: string | null
  /** Null where nothing was recorded. */
  readonly answers: string | null
  readonly summary: string
  readonly report: string
  readonly rules: string
}

/** Everything that a run came to. */
export interface Finished extends Reported {
  /** Answers of record, one for each borrower with figures under any plan; null where nothing was recorded. */
  readonly recorded: number | null
  /** Why rows were not computed, the commonest first. */
  readonly reasons: ReadonlyArray<Reason>
  readonly files: Written
}

type Reader = (files: ReadonlyArray<string>, options: TableOptions) => Promise<Input>

const READERS: Readonly<Record<InputFormat, Reader>> = {
  lines: lineFiles,
  csv: csvFiles,
  parquet: parquetFiles
}

const openInput = async ({ files, out, portfolio, separator }: RunRequest): Promise<Input> => {
  const [format, ...others] = new Set(files.map(inputFormatOf))
  if (format === undefined || others.length > 0)
    throw problem("The files of one run must be of one kind: all JSON lines, all CSV or all parquet")
  const input = await READERS[format](files, { ignore: portfolio.ignore, separator })
  const { parts, ...beside } = besideOf(out)
  for (const file of [out, parts, goneOf(parts), ...Object.values(beside)]) await expectName(file)
  const names = input.files.map(({ name }) => name)
  for (const folder of [parts, goneOf(parts)]) await expectNoneWithin(folder, names)
  return input
}

/** What a run that was killed has put in place is its own: it goes on. */
const expectWritable = async ({ out, overwrite, portfolio }: RunRequest, input: Input): Promise<void> => {
  const { parts, ...beside } = besideOf(out)
  const written = [out, ...Object.values(beside)]
  await expectNoneRead(
    written,
    input.files.map(({ name }) => name)
  )
  if (portfolio.recordAt === null) expectNoAnswers(beside.answers)
  if (overwrite) return
  const placed = await placedOf(written, parts)
  await expectNoneThere(written.filter((file) => !placed.includes(file)))
}

const writeResults = async ({ format, out, overwrite, portfolio }: RunRequest, parts: Parts, count: number) => {
  const { folder } = parts
  const files = portfolio.recordAt === null ? parts.rowsFiles(count) : parts.recordedFiles(count).rows
  if (format === "parquet") await writeParquet(folder, files, out, overwrite)
  else await concatenate(WRITING[format].head, files, out, { folder, overwrite })
}

/** What stands beside the results. Where no row was rejected there is no file of them, also none of an earlier run. */
const writeBeside = async ({ out, overwrite, rules }: RunRequest, parts: Parts, finished: Finished, count: number) => {
  const { files } = finished
  const placing = { folder: parts.folder, overwrite }
  if (files.rejected !== null) await concatenate("", parts.rejectedFiles(count), files.rejected, placing)
  else if (overwrite) await rm(besideOf(out).rejected, { force: true })
  if (files.answers !== null) await concatenate("", parts.recordedFiles(count).answers, files.answers, placing)
  await writeWhole(files.summary, `${JSON.stringify(finished, null, 2)}\n`, placing)
  await writeWhole(files.report, reportOf(finished), placing)
  await writeWhole(files.rules, rules, placing)
}

/** Others may have made files since the run was begun: what may be written is asked again. Parts stay where it fails. */
const writeAll = async (request: RunRequest, input: Input, parts: Parts, finished: Finished, count: number) => {
  const { out } = request
  try {
    await expectWritable(request, input)
    for (const file of await placedOf([out, ...Object.values(besideOf(out))], parts.folder)) await rm(file)
    await writeResults(request, parts, count)
    await writeBeside(request, parts, finished, count)
  } catch (cause) {
    throw problem(
      ...problemOf(cause).lines,
      `What is computed stays in ${parts.folder}: the same command, with --overwrite too, goes on from there.`
    )
  }
}

const writtenOf = ({ out, portfolio }: RunRequest, { rejected }: Summary): Written => {
  const { answers, parts: _gone, ...files } = besideOf(out)
  return {
    ...files,
    rejected: rejected === 0 ? null : files.rejected,
    answers: portfolio.recordAt === null ? null : answers
  }
}

/** Every plan of a run has its summary, also where no borrower was read. */
const summaryOfNone = ({ plans }: Portfolio): Summary => new SummaryTally(plans).summary

/** The manifest names everything that the bytes of the results depend on. */
const openParts = ({ out, portfolio }: RunRequest, { fingerprint }: Input): Promise<Parts> =>
  Parts.open(besideOf(out).parts, { input: fingerprint, ruleVersion, ...portfolio })

/**
 * Computes, writes the results and what stands beside them, and removes the parts.
 * @param computersOf who computes the chunks, for as long as the scope lasts
 * @param record asks the service of `recordAt`; not needed where nothing is recorded
 */
export const runPortfolio = (
  request: RunRequest,
  computersOf: ComputersOf,
  progress: Ref.Ref<Progress>,
  record?: Recorder
): Effect.Effect<Finished, PortfolioProblem | RecordingStopped> =>
  Effect.gen(function* () {
    const { portfolio } = request
    if (request.format === "parquet") yield* fromPromise(needDuckDB)
    const input = yield* fromPromise(() => openInput(request))
    const lock = yield* lockFolder(besideOf(request.out).parts)
    yield* fromPromise(() => expectWritable(request, input))
    const parts = yield* fromPromise(() => openParts(request, input))
    const computers = yield* computersOf(portfolio, parts)
    const { count, summary: found } = yield* computeParts({ input, parts, computers, progress })
    const summary = addSummaries(summaryOfNone(portfolio), found)
    if (record !== undefined) yield* recordParts({ portfolio, parts, record, progress }, count)
    const { recorded } = yield* Ref.get(progress)
    const finished = {
      ruleVersion,
      version: packageJson.version,
      input: input.files.map(({ name, size }) => ({ file: name, bytes: size })),
      portfolio,
      summary,
      recorded,
      reasons: yield* fromPromise(() => commonestReasons(parts.rejectedFiles(count))),
      files: writtenOf(request, summary)
    }
    yield* fromPromise(async () => {
      await writeAll(request, input, parts, finished, count)
      await lock.removeFolder()
    })
    return finished
  }).pipe(Effect.scoped)
