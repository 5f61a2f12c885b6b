/** Puts parts together into one file, in the order of the input: whole or not at all. */
import { createReadStream } from "node:fs"
import { stat, writeFile } from "node:fs/promises"
import { problem } from "./input/input.ts"
import { type Placing, wholeFile } from "./wholeFile.ts"

async function* bytesOf(head: string, files: ReadonlyArray<string>): AsyncGenerator<string | Buffer, void> {
  yield head
  for (const file of files) yield* createReadStream(file)
}

const sizeOf = async (file: string): Promise<number> => (await stat(file)).size

const expectAll = async (draft: string, head: string, files: ReadonlyArray<string>, out: string): Promise<void> => {
  const sizes = await Promise.all(files.map(sizeOf))
  const whole = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(head))
  const written = await sizeOf(draft)
  if (written !== whole) throw problem(`${out}: cannot be written (${written} of ${whole} bytes came to the disk)`)
}

/** @throws PortfolioProblem when not every byte could be written */
export const concatenate = (
  head: string,
  files: ReadonlyArray<string>,
  out: string,
  placing?: Placing
): Promise<void> =>
  wholeFile(
    out,
    async (draft) => {
      await writeFile(draft, bytesOf(head, files))
      await expectAll(draft, head, files, out)
    },
    placing
  )
