/**
 * The file of changes, with a row for each borrower and plan whose figures differ between two
 * results.
 */

import { type DuckDB, failedWith, sqlText } from "../read/duckdb.ts"
import {
  expectName,
  expectNoneExist,
  expectNoneRead,
  type ResultFormat,
  resultFormatOf,
  writeAtomically
} from "./outputPaths.ts"

const WRITE: Readonly<Record<ResultFormat, string>> = {
  csv: "FORMAT csv, HEADER",
  ndjson: "FORMAT json",
  parquet: "FORMAT parquet, COMPRESSION zstd"
}

/**
 * @throws PortfolioProblem if `out` is one of the compared files, or exists and may not be replaced
 */
export const expectWritable = async ([before, after]: readonly [string, string], out: string, overwrite: boolean) => {
  resultFormatOf(out, `--out ${out}`)
  await expectName(out)
  await expectNoneRead([out], [before, after])
  if (!overwrite) await expectNoneExist([out])
}

const CHANGES = `SELECT borrowerId, planType, outcomeBefore, outcomeAfter, paymentBefore, paymentAfter, costBefore, costAfter,
  forgivenBefore, forgivenAfter, taxBefore, taxAfter
FROM joined WHERE isSame IS NOT TRUE OR outcomeBefore IS NULL OR outcomeAfter IS NULL ORDER BY borrowerId, planType`

/** Writes the changes atomically, from the view `joined`. */
export const writeChanges = (duck: DuckDB, out: string, overwrite: boolean): Promise<void> =>
  writeAtomically(
    out,
    (draft) =>
      duck.all(`COPY (${CHANGES}) TO ${sqlText(draft)} (${WRITE[resultFormatOf(out)]})`).catch((cause) => {
        throw failedWith(`${out}: cannot be written`, cause)
      }),
    { overwrite }
  )
