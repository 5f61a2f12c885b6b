/** The flags of `repay portfolio run`, and `--threads`, which `repay portfolio worker` has too. */
import { Argument, Flag } from "effect/cli"
import { argument, optionalFlag, switchFlag, textFlag } from "../flags.ts"

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
  files: argument(
    "file",
    "Borrowers: .ndjson, .csv, .tsv (also packed: .gz, .zst) or .parquet; several files are one portfolio"
  ).pipe(Argument.variadic({ min: 1 })),
  out: textFlag("out", "<file>", "Results: .csv, .ndjson or .parquet"),
  plans: textFlag("plans", "<list>", "Plans, such as RAP,IBR-NEW,standard; or all").pipe(Flag.withDefault("all")),
  baseline: textFlag("baseline", "<plan>", "Plan that borrowers without a currentPlan are compared with").pipe(
    Flag.withDefault("standard")
  ),
  start: optionalFlag("start", "<month>", "First month of repayment, such as 2027-01; else the next month (UTC)"),
  ignore: optionalFlag("ignore", "<columns>", "Columns or members of the input to ignore"),
  carry: optionalFlag(
    "carry",
    "<columns>",
    "Columns or members of the input, such as state,branch, to end each row with"
  ),
  separator: optionalFlag(
    "separator",
    "<character>",
    'Separator of the cells of CSV, such as ";" or tab; else it is detected'
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
