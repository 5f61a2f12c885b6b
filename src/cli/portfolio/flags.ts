/** The flags of `repay portfolio run`, and `--threads`, which `repay portfolio worker` has too. */
import { Argument, Flag } from "effect/cli"
import { switchFlag } from "../flags.ts"

const MAX_THREADS = 1000

export const threadsFlag = (description: string) =>
  Flag.Int("threads").pipe(
    Flag.withMetavar("<n>"),
    Flag.withDescription(description),
    Flag.filter(
      (threads) => threads >= 1 && threads <= MAX_THREADS,
      () => `a whole number from 1 to ${MAX_THREADS}`
    ),
    Flag.optional
  )

export const runFlags = {
  files: Argument.String("file").pipe(
    Argument.withDescription(
      "Borrowers: .ndjson, .csv, .tsv (also packed: .gz, .zst) or .parquet; several files are one portfolio"
    ),
    Argument.variadic({ min: 1 })
  ),
  out: Flag.String("out").pipe(Flag.withMetavar("<file>"), Flag.withDescription("Results: .csv, .ndjson or .parquet")),
  plans: Flag.String("plans").pipe(
    Flag.withMetavar("<list>"),
    Flag.withDescription("Plans, such as RAP,IBR-NEW,standard; or all"),
    Flag.withDefault("all")
  ),
  baseline: Flag.String("baseline").pipe(
    Flag.withMetavar("<plan>"),
    Flag.withDescription("Plan that borrowers without a currentPlan are compared with"),
    Flag.withDefault("standard")
  ),
  start: Flag.String("start").pipe(
    Flag.withMetavar("<month>"),
    Flag.withDescription("First month of repayment, such as 2027-01; else the next month (UTC)"),
    Flag.optional
  ),
  ignore: Flag.String("ignore").pipe(
    Flag.withMetavar("<columns>"),
    Flag.withDescription("Columns or members of the input to ignore"),
    Flag.optional
  ),
  separator: Flag.String("separator").pipe(
    Flag.withMetavar("<character>"),
    Flag.withDescription('Separator of the cells of CSV, such as ";" or tab; else it is detected'),
    Flag.optional
  ),
  escapeFormulas: switchFlag(
    "escape-formulas",
    "In .csv, put ' before ids that a spreadsheet would take for formulas, such as =1+1"
  ),
  threads: threadsFlag("Threads that compute, with --cluster those of all workers; else one for each processor"),
  cluster: switchFlag("cluster", "Send the work to repay portfolio worker on other machines, through DATABASE_URL"),
  record: switchFlag(
    "record",
    "Record every answer at the service of REPAY_URL, with the key REPAY_API_KEY, and add its id to the rows"
  ),
  strict: switchFlag("strict", "Exit with 1 if any row is rejected; the results are written all the same"),
  overwrite: switchFlag("overwrite", "Replace existing results")
}
