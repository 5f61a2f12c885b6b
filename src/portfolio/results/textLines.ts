/** The lines of a text file that this program has written. */
import type { FileHandle } from "node:fs/promises"

/**
 * The complete lines, without their line breaks. Splits at newlines only: JSON may contain other
 * characters at which readline splits.
 */
export async function* linesIn(handle: FileHandle): AsyncGenerator<string, void> {
  let open = ""
  for await (const read of handle.createReadStream({ start: 0, autoClose: false, encoding: "utf8" })) {
    const lines = (open + read).split("\n")
    open = lines.pop()!
    yield* lines
  }
}
