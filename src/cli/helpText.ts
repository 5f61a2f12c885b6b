/** Paragraphs of `--help`, wrapped for a terminal and indented below their heading. */
import { Command } from "effect/cli"
import { wrap } from "./views/text.ts"

const COLUMNS = 80
const INDENT = "  "

export const helpText = (...paragraphs: ReadonlyArray<string>): string =>
  paragraphs
    .map((paragraph) => wrap(paragraph, COLUMNS, INDENT).join("\n"))
    .join("\n\n")
    .trimStart()

/** Describes a command in `--help`. */
export const withHelp = (...paragraphs: ReadonlyArray<string>) => Command.withDescription(helpText(...paragraphs))
