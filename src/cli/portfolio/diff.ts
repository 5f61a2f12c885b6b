/** `repay portfolio diff`: compares two results and, with --rules, their rules ledgers. */

import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { readLedger } from "../calculate/rules.ts"
import { differenceOf } from "../calculate/rulesDiff.ts"
import { asBadInput, badInput } from "../failures.ts"
import { argument, optionalFlag, switchFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { CommandIo, pathNamed } from "../io.ts"
import { dataCommand, show } from "../output.ts"
import { portfolioDiffView } from "../views/portfolioDiff.ts"

/** The rules ledger that `repay portfolio run` wrote next to its results. */
const ledgerNextTo = Effect.fnUntraced(function* (results: string) {
  const { outputPaths } = yield* Effect.promise(() => import("../../portfolio/index.ts"))
  const { rules } = outputPaths(results)
  if (!existsSync(yield* pathNamed(rules))) {
    return yield* badInput(
      `${rules}: does not exist; --rules needs this file, which repay portfolio run writes next to its results`
    )
  }
  return yield* readLedger(rules)
})

/** Only the earlier results may come from a release without engine revisions. */
const rulesBetween = Effect.fnUntraced(function* (before: string, after: string) {
  const newer = yield* ledgerNextTo(after)
  const { engineRevision } = newer
  if (engineRevision === undefined)
    return yield* badInput(
      `${after}: was computed by a release too old for --rules; compute it again with a newer one, or leave --rules out`
    )
  return differenceOf(yield* ledgerNextTo(before), { ...newer, engineRevision })
})

const withScratch = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "repay-diff-"))),
    use,
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

export const portfolioDiffCommand = dataCommand(
  "diff",
  {
    before: argument("before", "Results of an earlier run: .csv, .ndjson or .parquet"),
    after: argument("after", "Results of a later run, over the same borrowers"),
    out: optionalFlag("out", "<file>", "Write each borrower and plan that changed: .csv, .ndjson or .parquet"),
    overwrite: switchFlag("overwrite", "Replace an existing file"),
    rules: switchFlag("rules", "Also what changed in the rules between the two")
  },
  Effect.fn("repay.portfolio.diff")(function* ({ after, before, out, overwrite, rules }, format) {
    const ledgers = rules ? yield* rulesBetween(before, after) : null
    const { differenceOfResults } = yield* Effect.promise(() => import("../../portfolio/index.ts"))
    const { cwd: folder } = yield* CommandIo
    const request = { before, after, out: Option.getOrUndefined(out), overwrite, folder }
    const difference = yield* withScratch((scratch) => differenceOfResults({ ...request, scratch })).pipe(
      Effect.mapError(asBadInput)
    )
    const report = { ...difference, ...(ledgers === null ? {} : { rules: ledgers }) }
    return yield* show(format, report, portfolioDiffView(difference, ledgers))
  })
).pipe(
  withHelp(
    "What changed between two results, borrower by borrower and in all: who pays more, who pays less, and how much more is forgiven and taxed.",
    "To see what a change of the rules does, install both versions side by side, let each compute the same borrowers with the same --start, and compare; --rules tells which rules changed. Needs DuckDB (npm install @duckdb/node-api)."
  ),
  Command.withShortDescription("Compare two results"),
  Command.withExamples([
    {
      command: "repay portfolio diff before.parquet after.parquet --rules",
      description: "Which rules moved, and what that does"
    },
    {
      command: "repay portfolio diff before.csv after.csv --out changes.csv",
      description: "Each borrower who is affected"
    }
  ])
)
