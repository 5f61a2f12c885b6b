/** `repay portfolio run`: computes files of borrowers under some plans, on all processors. */

import { existsSync } from "node:fs"
import { Clock, Effect, Option, Ref, Result } from "effect"
import { Command } from "effect/cli"
import { PLAN_TYPES, type PlanType } from "../../../schema/scenario.ts"
import { type StartMonth, startMonthOf } from "../../engine/index.ts"
import { grouped } from "../../messages/figures.ts"
import type { Finished, Portfolio, Summary } from "../../portfolio/index.ts"
import { STANDARD_INPUT } from "../calculate/requestFile.ts"
import { rules } from "../calculate/rules.ts"
import { PLAN } from "../calculate/scenarioFlags.ts"
import { asBadInput, badInput, type CommandFailed, refused } from "../failures.ts"
import { withHelp } from "../helpText.ts"
import { CommandIo, pathNamed } from "../io.ts"
import { needsZstd } from "../needsZstd.ts"
import { dataCommand, type Format, jsonText, printed, say, sayTo, show } from "../output.ts"
import { sayProgress } from "../progress.ts"
import { runFlags } from "./flags.ts"
import { asUnavailable, recorderOfEnvironment } from "./record.ts"
import { portfolioDatabase } from "./worker.ts"

/** Loaded when a run starts: they load the engine, threads and plots. */
const running = Effect.promise(() => import("../../portfolio/index.ts"))
const views = Effect.promise(() => import("../views/portfolio.ts"))

const ALL = "all"

const planNamed = (flag: string, name: string): Effect.Effect<PlanType, CommandFailed> =>
  Result.match(PLAN.read(name.trim()), {
    onFailure: (message) => Effect.fail(badInput(`--${flag} ${name}: ${message}`)),
    onSuccess: (plan) => Effect.succeed(plan as PlanType)
  })

const plansNamed = (list: string): Effect.Effect<ReadonlyArray<PlanType>, CommandFailed> =>
  list.trim().toLowerCase() === ALL
    ? Effect.succeed(PLAN_TYPES)
    : Effect.map(
        Effect.forEach(list.split(","), (name) => planNamed("plans", name)),
        (plans) => [...new Set(plans)]
      )

const MONTH = /^(20\d\d)-(0[1-9]|1[0-2])$/

const nextMonth = Effect.map(Clock.currentTimeMillis, (now) => startMonthOf(new Date(now)))

/** The first month of repayment: the named one, else the next. */
const startNamed = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isNone(named)) return yield* nextMonth
  const [, year, month] = MONTH.exec(named.value) ?? []
  if (year === undefined)
    return yield* badInput("--start: use a month from 2000-01 to 2099-12, such as 2027-01: the first of repayment")
  return { year: Number(year), month: Number(month) } satisfies StartMonth
})

/** Only for a named --start. The default may pass while a run crosses the end of a month. */
const sayPast = Effect.fnUntraced(function* ({ month, year }: StartMonth) {
  const next = yield* nextMonth
  if (year > next.year || (year === next.year && month >= next.month)) return
  yield* say("--start is before next month: the rules of this release are applied as if they had been in force then.")
})

const namesIn = (list: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(list, { onNone: () => [], onSome: (names) => names.split(",").map((name) => name.trim()) })

/** One character, or the word `tab`. */
const separatorNamed = (named: Option.Option<string>): Effect.Effect<string | undefined, CommandFailed> => {
  if (Option.isNone(named)) return Effect.succeed(undefined)
  const separator = named.value.toLowerCase() === "tab" ? "\t" : named.value
  return separator.length === 1 && !/["\r\n]/.test(separator)
    ? Effect.succeed(separator)
    : Effect.fail(badInput("--separator: use one character, such as ; or |, or the word tab"))
}

type RunFlags = Command.Command.Config.InferValue<typeof runFlags>

const optionsOf = Effect.fnUntraced(function* ({ baseline, carry, ignore, plans, start }: RunFlags) {
  return {
    plans: yield* plansNamed(plans),
    baseline: yield* planNamed("baseline", baseline),
    start: yield* startNamed(start),
    ignore: namesIn(ignore),
    carry: namesIn(carry)
  }
})

const threadsOf = Effect.fnUntraced(function* ({ threads }: RunFlags) {
  const { Computing } = yield* running
  return (yield* Computing)(Option.getOrUndefined(threads))
})

/** Threads of this process, or with --cluster the workers on other machines. */
const computersFor = Effect.fnUntraced(function* (flags: RunFlags) {
  if (!flags.cluster) return yield* threadsOf(flags)
  yield* needsZstd("--cluster")
  const url = yield* portfolioDatabase
  const { releaseHere, workersElsewhere } = yield* Effect.promise(
    () => import("../../portfolio/compute/cluster/index.ts")
  )
  const io = yield* CommandIo
  return workersElsewhere({
    url,
    release: yield* releaseHere,
    threads: Option.getOrUndefined(flags.threads),
    say: (line) => sayTo(io, line)
  })
})

/** Computes standard input to standard output, both as JSON lines. */
const runStream = Effect.fnUntraced(function* (flags: RunFlags) {
  if (flags.files.length > 1 || flags.files[0] !== STANDARD_INPUT || flags.out !== STANDARD_INPUT) {
    return yield* badInput(
      "-: standard input can be computed only to standard output; give - as the only file and as --out"
    )
  }
  if (flags.cluster) return yield* badInput("--cluster: needs files; standard input is computed on this machine only")
  if (flags.escapeFormulas) return yield* badInput("--escape-formulas: is for .csv; standard output is JSON lines")
  if (flags.record) return yield* badInput("--record: needs files; answers for standard input are not recorded")
  const { expectCarry, fromPromise, lineStream, streamPortfolio } = yield* running
  const threads = yield* threadsOf(flags)
  const options = yield* optionsOf(flags)
  yield* Effect.mapError(
    fromPromise(async () => expectCarry(options.carry, options.ignore)),
    asBadInput
  )
  const computers = yield* threads({ ...options, format: "ndjson", recordAt: null })
  const { stdin } = yield* CommandIo
  const input = lineStream(STANDARD_INPUT, stdin)
  const counts = yield* Effect.catchTag(streamPortfolio(input, computers, printed), "PortfolioProblem", (problem) =>
    Effect.fail(asBadInput(problem))
  )
  if (flags.strict) yield* requireAll(counts)
}, Effect.scoped)

/** --record excludes --start, because a service always starts repayment in the next month. */
const recorderFor = Effect.fnUntraced(function* ({ record, start }: RunFlags) {
  if (!record) return undefined
  if (Option.isSome(start))
    return yield* badInput(
      "--start: cannot be used with --record, because a service answers from next month on; leave --start out"
    )
  return yield* recorderOfEnvironment
})

const nothingComputed = Effect.fnUntraced(function* (finished: Finished) {
  const { reasonLines } = yield* views
  const { rejectedRows } = finished.summary
  const why = rejectedRows === 0 ? "the files contain none." : `each row is rejected, ${grouped(rejectedRows)} in all:`
  return yield* badInput(`No borrower was computed, and nothing was written: ${why}`, ...reasonLines(finished))
})

const requireAll = ({
  rejectedRows,
  rows
}: Pick<Summary, "rejectedRows" | "rows">): Effect.Effect<void, CommandFailed> =>
  rejectedRows === 0
    ? Effect.void
    : Effect.fail(refused(`--strict: ${grouped(rejectedRows)} of ${grouped(rows)} rows were not computed.`))

/** Reports the files that an interrupted run leaves behind. */
const sayStopped = Effect.fnUntraced(function* (out: string) {
  const { journalPath } = yield* running
  const journal = journalPath(out)
  yield* say(
    existsSync(yield* pathNamed(journal))
      ? `Stopped. The recorded answers are in ${journal}: run the same command again to continue.`
      : "Stopped. Nothing was written."
  )
})

/** Releases before this one kept the state of a run in a folder. */
const sayOldParts = Effect.fnUntraced(function* (out: string) {
  const parts = `${out}.parts`
  if (existsSync(yield* pathNamed(parts)))
    yield* say(
      `${parts} is from an earlier release and not used. It can be removed, unless answers were recorded: then finish that run with that release.`
    )
})

/** Completes the file of receipts. What is missing fails no run, because its results are complete. */
const keepAll = Effect.fnUntraced(function* (file: string, recordedAt: string) {
  const { keepReceipts, linesIn } = yield* Effect.promise(() => import("../confirm/receipts.ts"))
  yield* say("Fetching the receipts. The results are complete, and stay if this is interrupted.")
  yield* linesIn(file).pipe(
    Effect.flatMap((lines) => keepReceipts(lines, Option.some(recordedAt), file, true)),
    Effect.catch(({ lines }) => Effect.forEach(lines, say, { discard: true }))
  )
}, Effect.scoped)

const runFiles = Effect.fnUntraced(function* (flags: RunFlags, format: Format) {
  const { files, out, overwrite } = flags
  const { fromPromise, NOTHING_DONE, resultFormatOf, rowsFormatOf, runPortfolio } = yield* running
  const { portfolioView, warningsOf } = yield* views
  const written = yield* Effect.mapError(
    fromPromise(async () => resultFormatOf(out, `--out ${out}`)),
    asBadInput
  )
  if (flags.escapeFormulas && written !== "csv")
    return yield* badInput("--escape-formulas: is for results in .csv; leave it out, or name another --out")
  const service = yield* recorderFor(flags)
  const portfolio: Portfolio = {
    ...(yield* optionsOf(flags)),
    format: rowsFormatOf(written, flags.escapeFormulas),
    recordAt: service?.recordAt ?? null
  }
  const progress = yield* Ref.make(NOTHING_DONE)
  const separator = yield* separatorNamed(flags.separator)
  const { cwd: folder } = yield* CommandIo
  const request = { files, out, folder, format: written, overwrite, portfolio, separator, rules: jsonText(rules) }
  const run = runPortfolio(request, yield* computersFor(flags), progress, service?.record).pipe(
    Effect.catchTags({
      PortfolioProblem: (problem) => Effect.fail(asBadInput(problem)),
      RecordingStopped: (stopped) => Effect.fail(asUnavailable(stopped))
    })
  )
  yield* sayOldParts(out)
  const finished = yield* Effect.onInterrupt(sayProgress(progress, run), () => sayStopped(out))
  if (finished.files === null) return yield* nothingComputed(finished)
  yield* say(`Results are in ${out}.`)
  if (Option.isSome(flags.start)) yield* sayPast(portfolio.start)
  if (format.isJson) yield* Effect.forEach(warningsOf(finished), say, { discard: true })
  yield* show(format, finished, portfolioView(finished))
  if (service !== undefined && finished.files.receipts !== null)
    yield* keepAll(finished.files.receipts, service.recordAt)
  if (flags.strict) yield* requireAll(finished.summary)
})

export const portfolioRunCommand = dataCommand(
  "run",
  runFlags,
  Effect.fn("repay.portfolio.run")(function* (flags, format) {
    const isStream = flags.files.includes(STANDARD_INPUT) || flags.out === STANDARD_INPUT
    return yield* isStream ? runStream(flags) : runFiles(flags, format)
  })
).pipe(
  withHelp(
    "Compute every borrower of some files under some plans: a row for each borrower and plan, with the figures of POST /v1/projection.",
    "A borrower is a line of JSON, or adjacent rows of a table, one for each loan: docs/portfolios.md explains the columns. A row that cannot be computed goes to a file next to the results, with the reason; all others are computed. Results appear when all is computed: a run that is killed leaves none, and the same command starts over.",
    "Uses all processors. Memory grows by eight bytes for each borrower. Needs no server and no key, and records nothing without --record."
  ),
  Command.withShortDescription("Compute files of borrowers"),
  Command.withExamples([
    { command: "repay portfolio run borrowers.ndjson --out results.csv", description: "Every plan for every borrower" },
    {
      command: "repay portfolio run borrowers.csv --plans RAP,IBR-OLD --baseline SAVE --out results.parquet",
      description: "Two plans, compared with what SAVE would have been"
    },
    {
      command:
        "REPAY_URL=https://api.example.org REPAY_API_KEY=slr_sbx_... repay portfolio run borrowers.csv --out results.csv --record",
      description: "Each answer recorded at a service, for anyone to confirm"
    },
    {
      command: "repay portfolio run - --out - < borrowers.ndjson",
      description: "For another program: each line is answered as soon as it arrives"
    }
  ])
)
