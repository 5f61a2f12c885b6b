/** Paragraphs of `--help`, wrapped for a terminal and indented below their heading. */
import { wrap } from "./views/text.ts"

const COLUMNS = 80
const INDENT = "  "

export const helpText = (...paragraphs: ReadonlyArray<string>): string =>
  paragraphs
    .map((paragraph) => wrap(paragraph, COLUMNS, INDENT).join("\n"))
    .join("\n\n")
    .trimStart()
