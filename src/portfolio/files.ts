/** What the names of files say: how an input is read, how results are written, and what is written beside them. */
import { problem } from "./input/input.ts"
import { pathOf } from "./input/sources.ts"
import type { RowsFormat } from "./results.ts"

export const RESULT_FORMATS = ["csv", "ndjson", "parquet"] as const
export type ResultFormat = (typeof RESULT_FORMATS)[number]

export type InputFormat = "lines" | "csv" | "parquet"

const ENDINGS: ReadonlyArray<readonly [RegExp, InputFormat]> = [
  [/\.(ndjson|jsonl)(\.gz|\.zst)?$/i, "lines"],
  [/\.(csv|tsv|txt)(\.gz|\.zst)?$/i, "csv"],
  [/\.parquet$/i, "parquet"]
]

/** @throws PortfolioProblem when the name tells none */
export const inputFormatOf = (file: string): InputFormat => {
  const found = ENDINGS.find(([ending]) => ending.test(pathOf(file)))
  if (found !== undefined) return found[1]
  throw problem(`${file}: the name should end in .ndjson, .csv or .parquet, which says how the file is read`)
}

/**
 * @param told what the file is called where its name tells none
 * @throws PortfolioProblem then
 */
export const resultFormatOf = (file: string, told = file): ResultFormat => {
  const found = RESULT_FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`))
  if (found !== undefined) return found
  throw problem(`${told}: the name should end in .csv, .ndjson or .parquet, which says how results are written`)
}

/** Parquet is made of cells when all are there. */
export const rowsFormatOf = (format: ResultFormat): RowsFormat => (format === "parquet" ? "cells" : format)

/**
 * What stands beside `results.csv`: its parts while a run is under way, then rejected rows, answers of record, the summary,
 * the report and the rules. Each has the whole name, so that none is of other results too.
 */
export const besideOf = (out: string) => ({
  parts: `${out}.parts`,
  rejected: `${out}.rejected.ndjson`,
  answers: `${out}.answers.ndjson.zst`,
  summary: `${out}.summary.json`,
  report: `${out}.report.html`,
  rules: `${out}.rules.json`
})
