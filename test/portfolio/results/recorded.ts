/** The results of a recorded run, read from its files. */
import { readFileSync } from "node:fs"
import { zstdDecompressSync } from "node:zlib"
import { linesOf } from "../../support/repay.ts"

/** The rows of CSV results, as objects by column. */
export const rowsOf = (path: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [head, ...lines] = linesOf(readFileSync(path, "utf8")).map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(head!.map((column, index) => [column, cells[index]!])))
}

export const answersOf = (path: string): ReadonlyArray<{ readonly borrowerId: string; readonly answer: unknown }> =>
  linesOf(zstdDecompressSync(readFileSync(path)).toString("utf8")).map((line) => JSON.parse(line))

/** The ids of the recorded answers in CSV results. */
export const idsOf = (path: string): ReadonlySet<string> =>
  new Set(rowsOf(path).flatMap(({ answerId }) => (answerId ? [answerId] : [])))
