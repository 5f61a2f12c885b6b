/**
 * Wrapping, padding and sanitizing of text for terminals. Control characters in text from elsewhere
 * could control the terminal.
 */
import { CliOutput } from "effect/cli"
import { dayOf } from "../../messages/figures.ts"

export { harmless } from "../../request/fieldPath.ts"

/** The UTC day of an instant, or a dash. */
export const dateOf = (instant: Date | null): string => (instant === null ? "-" : dayOf(instant))

export const widthOf = (text: string): number => CliOutput.displayWidth(text)

/** Truncates text to a width, with an ellipsis. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  let kept = ""
  for (const character of text) {
    if (widthOf(kept + character) >= width) break
    kept += character
  }
  return `${kept}…`
}

export const padEnd = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string => " ".repeat(Math.max(0, width - widthOf(text))) + text

/** Lines of at most `columns`, each indented by `indent`; a longer word gets a line to itself. */
export const wrap = (text: string, columns: number, indent = ""): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  let width = 0
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const more = 1 + widthOf(word)
    if (line !== "" && width + more <= columns) {
      line += ` ${word}`
      width += more
    } else {
      if (line !== "") lines.push(line)
      line = indent + word
      width = widthOf(line)
    }
  }
  return line === "" ? lines : [...lines, line]
}

export { counted } from "../../messages/figures.ts"
