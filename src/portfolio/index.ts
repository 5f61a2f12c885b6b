/**
 * The face of portfolios on this machine. Commands load it when they run: it loads the engine,
 * threads and plots. `compute/cluster/index.ts` is a second face, for runs on several machines.
 */

// A run of files or of standard input. A service may record the answers.

export { Computing } from "./compute/computers.ts"
export { NOTHING_DONE, type Progress } from "./computeChunks.ts"
export type { Finished } from "./placeResults.ts"
export { expectCarry } from "./read/carry.ts"
export { lineStream } from "./read/lines.ts"
export { fromPromise, type PortfolioProblem, problemOf } from "./read/problem.ts"
export type { Portfolio } from "./results/portfolio.ts"
export { type RecordingStopped, recordWith } from "./results/record/service.ts"
export { runPortfolio } from "./runPortfolio.ts"
export { streamPortfolio } from "./streamPortfolio.ts"

// The columns of the input and of the results.

export { BORROWER_COLUMNS, Borrower, LIST_MEMBERS, LOAN_COLUMNS, PAUSE_COLUMNS } from "./read/borrower.ts"
export { FLAT, membersOf } from "./read/columns.ts"
export { columnsOf, REASONS } from "./results/rows.ts"

// The results: names of files, summaries, and the difference of two runs.

export { type Alone, differenceOfResults, type PlanDifference, type PortfolioDifference } from "./results/diff.ts"
export type { Side } from "./results/diffSide.ts"
export { againstNow, againstNowNote, notedOf } from "./results/notes.ts"
export { journalPath, outputPaths, resultFormatOf, rowsFormatOf, writeAtomically } from "./results/outputPaths.ts"
export { PLAN_MEMBERS, type PlanSummary, type Summary } from "./results/summary.ts"

// Synthetic borrowers.

export { SAMPLE_FORMATS, type SampleFormat, type SampleOptions, sampleBlocks } from "./sample.ts"
