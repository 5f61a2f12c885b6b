/** `repay portfolio run`: a file of borrowers under some plans, on all processors. */
import { Clock, Effect, Option, Ref, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import { type StartMonth, startMonthOf } from "../engine/schedule/calendar.ts"
import type { PortfolioProblem } from "../portfolio/input/input.ts"
import { fromPromise, NOTHING_DONE } from "../portfolio/run.ts"
import { badInput, type CommandFailed } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, say, show } from "./output.ts"
import { sayProgress } from "./progress.ts"
import { PLAN } from "./scenarioFacts.ts"
import { portfolioView } from "./views/portfolio.ts"

const ALL = "all"

const planNamed = (flag: string, name: string): Effect.Effect<PlanType, CommandFailed> =>
  Result.match(PLAN.read(name.trim()), {
    onFailure: (told) => Effect.fail(badInput(`--${flag} ${name}: ${told}`)),
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

/** The first month of repayment: the one that is named, else the next. */
const startNamed = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isNone(named)) return startMonthOf(new Date(yield* Clock.currentTimeMillis))
  const [, year, month] = MONTH.exec(named.value) ?? []
  if (year === undefined) return yield* badInput("--start: use a month such as 2027-01, the first of repayment")
  return { year: Number(year), month: Number(month) } satisfies StartMonth
})

const namesIn = (list: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(list, { onNone: () => [], onSome: (names) => names.split(",").map((name) => name.trim()) })

const flags = {
  files: Argument.String("file").pipe(
    Argument.withDescription("Borrowers: .ndjson (also .gz), .csv or .parquet; several files are one portfolio"),
    Argument.variadic({ min: 1 })
  ),
  out: Flag.String("out").pipe(Flag.withMetavar("<file>"), Flag.withDescription("Results: .csv, .ndjson or .parquet")),
  plans: Flag.String("plans").pipe(
    Flag.withMetavar("<list>"),
    Flag.withDescription("Plans, such as RAP,IBR-NEW,standard; or all"),
    Flag.withDefault(ALL)
  ),
  baseline: Flag.String("baseline").pipe(
    Flag.withMetavar("<plan>"),
    Flag.withDescription("What borrowers without a currentPlan are compared with"),
    Flag.withDefault("standard")
  ),
  start: Flag.String("start").pipe(
    Flag.withMetavar("<month>"),
    Flag.withDescription("First month of repayment, such as 2027-01; else the next month (UTC)"),
    Flag.optional
  ),
  ignore: Flag.String("ignore").pipe(
    Flag.withMetavar("<columns>"),
    Flag.withDescription("Columns or members of the input that are left out of account"),
    Flag.optional
  ),
  threads: Flag.Int("threads").pipe(
    Flag.withMetavar("<n>"),
    Flag.withDescription("Threads that compute; else one for each processor"),
    Flag.optional
  ),
  overwrite: Flag.Boolean("overwrite").pipe(
    Flag.withDescription("Replace results that are there"),
    Flag.withDefault(false),
    Flag.withoutNegation
  )
}

const failed = ({ lines }: PortfolioProblem): CommandFailed => badInput(...lines)

export const portfolioRunCommand = dataCommand(
  "run",
  flags,
  Effect.fn("repay.portfolio.run")(function* (
    { baseline, files, ignore, out, overwrite, plans, start, threads },
    format
  ) {
    const { resultFormatOf } = yield* Effect.promise(() => import("../portfolio/files.ts"))
    const { runPortfolio } = yield* Effect.promise(() => import("../portfolio/portfolioRun.ts"))
    const computers = yield* Effect.promise(() => import("../portfolio/computers.ts"))
    const written = yield* Effect.mapError(
      fromPromise(async () => resultFormatOf(out)),
      failed
    )
    const portfolio = {
      plans: yield* plansNamed(plans),
      baseline: yield* planNamed("baseline", baseline),
      start: yield* startNamed(start),
      format: written === "ndjson" ? ("ndjson" as const) : ("csv" as const),
      ignore: namesIn(ignore)
    }
    const progress = yield* Ref.make(NOTHING_DONE)
    const run = runPortfolio(
      { files, out, format: written, overwrite, portfolio },
      computers.threads(Option.getOrUndefined(threads)),
      progress
    )
    const finished = yield* sayProgress(progress, Effect.mapError(run, failed))
    yield* say(`Results are in ${out}.`)
    return yield* show(format, finished, portfolioView(finished))
  })
).pipe(
  Command.withDescription(
    helpText(
      "Compute every borrower of some files under some plans: a row for each borrower and plan, with the figures of POST /v1/projection.",
      "A borrower is a line of JSON, or rows of a table that stand together, one a loan: docs/portfolios.md has the columns. A row that cannot be computed goes to a file beside the results, with the reason; all others are computed. Killed at any moment and given again, the same command goes on and ends with the same bytes.",
      "Uses all processors, and memory that does not grow with the files but for eight bytes a borrower. Needs no server and no key, and records nothing."
    )
  ),
  Command.withShortDescription("Compute files of borrowers"),
  Command.withExamples([
    { command: "repay portfolio run borrowers.ndjson --out results.csv", description: "Every plan for every borrower" },
    {
      command: "repay portfolio run borrowers.csv --plans RAP,IBR-OLD --baseline SAVE --out results.parquet",
      description: "Two plans, beside what SAVE would have been"
    }
  ])
)
