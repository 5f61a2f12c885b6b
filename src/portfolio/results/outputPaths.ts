/** Checks of file names: the format that a name implies, and whether a file may be written. */
import { existsSync } from "node:fs"
import { lstat, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { atomicWrite } from "../../platform/atomicWrite.ts"
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
    throw problem(`${file}: is a URL, but only files on this machine can be read and written: copy the file first`)
}

/** @throws PortfolioProblem if the name implies no format */
export const inputFormatOf = (file: string): InputFormat => {
  expectLocal(file)
  const found = ENDINGS.find(([ending]) => ending.test(file))
  if (found !== undefined) return found[1]
  throw problem(`${file}: the name should end in .ndjson, .csv or .parquet, which says how the file is read`)
}

/**
 * @param label how the problem calls the file
 * @throws PortfolioProblem if the name implies no format
 */
export const resultFormatOf = (file: string, label = file): ResultFormat => {
  expectLocal(file)
  const found = RESULT_FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`))
  if (found !== undefined) return found
  throw problem(`${label}: the name should end in .csv, .ndjson or .parquet, which says how results are written`)
}

/** The format of rows during a run. Parquet is written only at the end, from rows of cells. */
export const rowsFormatOf = (format: ResultFormat, escapesFormulas = false): RowsFormat => {
  if (format === "parquet") return "cells"
  return escapesFormulas && format === "csv" ? "escaped-csv" : format
}

/**
 * The paths of the files next to the results. Each starts with the full output name, so that
 * `results.csv` and `results.parquet` share no files.
 */
export const outputPaths = (out: string) => ({
  rejected: `${out}.rejected.ndjson`,
  answers: `${out}.answers.ndjson.zst`,
  receipts: `${out}.receipts.ndjson`,
  summary: `${out}.summary.json`,
  report: `${out}.report.html`,
  rules: `${out}.rules.json`
})

/** All files that a run may write. */
export const allOutputs = (out: string): ReadonlyArray<string> => [out, ...Object.values(outputPaths(out))]

/** The file that collects the answers of a run that records them, until the run ends. */
export const journalPath = (out: string): string => `${out}.journal`

/**
 * The device and inode of a file, equal under any name of it; undefined if there is no file.
 * @param look `stat` to follow links, `lstat` for the link itself
 */
const identityOf = async (file: string, look: typeof stat | typeof lstat): Promise<string | undefined> => {
  try {
    const { dev, ino } = await look(file, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** @throws PortfolioProblem if an output is also an input, even under another name */
export const expectNoneRead = async (written: ReadonlyArray<string>, read: ReadonlyArray<string>): Promise<void> => {
  const inputIdentities = new Set(await Promise.all(read.map((file) => identityOf(file, stat))))
  for (const file of written) {
    const identity = await identityOf(file, stat)
    if (identity !== undefined && inputIdentities.has(identity))
      throw problem(`${file} is one of the input files, so it cannot be written: name another --out`)
  }
}

const alreadyExists = (file: string) => problem(`${file} exists already: name another file, or add --overwrite`)

/** @throws PortfolioProblem if any of the files exists, even as a broken link */
export const expectNoneExist = async (written: ReadonlyArray<string>): Promise<void> => {
  for (const file of written) if ((await identityOf(file, lstat)) !== undefined) throw alreadyExists(file)
}

/** The files that are hard links to drafts, because a run has put them in place. */
export const placedOf = async (written: ReadonlyArray<string>, folder: string): Promise<ReadonlyArray<string>> => {
  const names = await readdir(folder).catch((): ReadonlyArray<string> => [])
  const draftIdentities = new Set(await Promise.all(names.map((name) => identityOf(join(folder, name), lstat))))
  const identities = await Promise.all(written.map((file) => identityOf(file, lstat)))
  return written.filter((_, index) => identities[index] !== undefined && draftIdentities.has(identities[index]))
}

/** @throws PortfolioProblem if a run without recording would remove earlier answers of record */
export const expectNoAnswers = (file: string): void => {
  if (existsSync(file))
    throw problem(
      `${file} has the recorded answers of an earlier run, with the only copy of their salts, and this run would remove it: move it away, or name another --out`
    )
}

/** @throws PortfolioProblem if the name is too long for the file system */
export const expectName = async (file: string): Promise<void> => {
  const cause: unknown = await lstat(file).catch((failure: unknown) => failure)
  if (hasCode(cause, "ENAMETOOLONG")) throw problem(`${file}: the name is too long: choose a shorter --out`)
}

const unwritable = (file: string, cause: unknown): PortfolioProblem => {
  if (cause instanceof PortfolioProblem) return cause
  if (hasCode(cause, "EEXIST")) return alreadyExists(file)
  return problem(`${file}: cannot be written (${cause instanceof Error ? cause.message : String(cause)})`)
}

/** @throws PortfolioProblem if the file cannot be written; an existing file stays as it was */
export const writeAtomically: typeof atomicWrite = (file, content, placing) =>
  atomicWrite(file, content, placing).catch((cause) => {
    throw unwritable(file, cause)
  })

/** A step in the writing of a file, whose failures name the file. */
export const writing = <A>(file: string, step: () => Promise<A>): Effect.Effect<A, PortfolioProblem> =>
  Effect.tryPromise({ try: step, catch: (cause) => unwritable(file, cause) })
