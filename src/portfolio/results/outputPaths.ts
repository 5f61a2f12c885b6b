/** The files that are read and written: what their names say, and which of them may be written. */
import { existsSync } from "node:fs"
import { lstat, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { atomicWrite, isDraft } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { PortfolioProblem, problem } from "../read/problem.ts"
import type { RowsFormat } from "./rows.ts"

export const RESULT_FORMATS = ["csv", "ndjson", "parquet"] as const
export type ResultFormat = (typeof RESULT_FORMATS)[number]

export type InputFormat = "lines" | "csv" | "parquet"

const ENDINGS: ReadonlyArray<readonly [RegExp, InputFormat]> = [
  [/\.(ndjson|jsonl)(\.gz|\.zst)?$/i, "lines"],
  [/\.(csv|tsv|txt)(\.gz|\.zst)?$/i, "csv"],
  [/\.parquet$/i, "parquet"]
]

/** @throws PortfolioProblem for a URL */
export const expectLocal = (file: string): void => {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file))
    throw problem(`${file}: is a URL, and only files of this machine are read and written: copy the file first`)
}

/** @throws PortfolioProblem when the name tells none */
export const inputFormatOf = (file: string): InputFormat => {
  expectLocal(file)
  const found = ENDINGS.find(([ending]) => ending.test(file))
  if (found !== undefined) return found[1]
  throw problem(`${file}: the name should end in .ndjson, .csv or .parquet, which says how the file is read`)
}

/**
 * @param told what the file is called where its name tells none
 * @throws PortfolioProblem then
 */
export const resultFormatOf = (file: string, told = file): ResultFormat => {
  expectLocal(file)
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
export const outputPaths = (out: string) => ({
  parts: `${out}.parts`,
  rejected: `${out}.rejected.ndjson`,
  answers: `${out}.answers.ndjson.zst`,
  summary: `${out}.summary.json`,
  report: `${out}.report.html`,
  rules: `${out}.rules.json`
})

/**
 * What a file is on its disk, under whatever name; undefined where there is none.
 * @param look at the file, or at a link to it itself
 */
const identityOf = async (file: string, look: typeof stat | typeof lstat): Promise<string | undefined> => {
  try {
    const { dev, ino } = await look(file, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** @throws PortfolioProblem for a file that is one of those that are read */
export const expectNoneRead = async (written: ReadonlyArray<string>, read: ReadonlyArray<string>): Promise<void> => {
  const ofRead = new Set(await Promise.all(read.map((file) => identityOf(file, stat))))
  for (const file of written) {
    const identity = await identityOf(file, stat)
    if (identity !== undefined && ofRead.has(identity))
      throw problem(`${file} would be written, and is one of the files that are read: name another --out`)
  }
}

const isThere = (file: string) => problem(`${file} is there already: name another file, or add --overwrite`)

/** @throws PortfolioProblem for a file that is there, or a link of its name */
export const expectNoneThere = async (written: ReadonlyArray<string>): Promise<void> => {
  for (const file of written) if ((await identityOf(file, lstat)) !== undefined) throw isThere(file)
}

/** Which of some files a killed run has put in place: a draft in its folder is the same file. */
export const placedOf = async (written: ReadonlyArray<string>, folder: string): Promise<ReadonlyArray<string>> => {
  const drafts = (await readdir(folder)).filter(isDraft).map((name) => identityOf(join(folder, name), lstat))
  const ofDrafts = new Set(await Promise.all(drafts))
  const identities = await Promise.all(written.map((file) => identityOf(file, lstat)))
  return written.filter((_, index) => identities[index] !== undefined && ofDrafts.has(identities[index]))
}

/** @throws PortfolioProblem for answers of record that a run without any would take away */
export const expectNoAnswers = (file: string): void => {
  if (existsSync(file))
    throw problem(
      `${file} is there, the answers of record of an earlier run, with the only copy of their salts. This run records none: move it away, or name another --out`
    )
}

/** @throws PortfolioProblem for a name that is longer than its disk takes */
export const expectName = async (file: string): Promise<void> => {
  const cause: unknown = await lstat(file).catch((failure: unknown) => failure)
  if (hasCode(cause, "ENAMETOOLONG"))
    throw problem(`${file}: the name is too long to be written, choose a shorter --out`)
}

/** @throws PortfolioProblem when it cannot be written; an existing file stays as it was */
export const writeWhole: typeof atomicWrite = async (file, content, placing) => {
  try {
    await atomicWrite(file, content, placing)
  } catch (cause) {
    if (cause instanceof PortfolioProblem) throw cause
    if (hasCode(cause, "EEXIST")) throw isThere(file)
    throw problem(`${file}: cannot be written (${cause instanceof Error ? cause.message : String(cause)})`)
  }
}
