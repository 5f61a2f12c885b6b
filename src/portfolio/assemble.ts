/** Puts parts together into one file, in the order of the input: whole or not at all. */
import { createReadStream } from "node:fs"
import { appendFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { problem } from "./input/input.ts"
import { GROWING } from "./partsFolder.ts"
import { type Placing, wholeFile } from "./wholeFile.ts"

const READ_BYTES = 1 << 20

const append = (draft: string, file: string): Promise<void> =>
  writeFile(draft, createReadStream(file, { highWaterMark: READ_BYTES }), { flag: "a" })

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
      await writeFile(draft, head)
      for (const file of files) await append(draft, file)
      await expectAll(draft, head, files, out)
    },
    placing
  )

/** Results that are put together while parts are computed, so that at the end only the last of them are missing. */
export class GrowingResults {
  private readonly draft: string
  private readonly head: string
  /** What is to be written is written one after the other; what fails is told at the end. */
  private written: Promise<void> = Promise.resolve()

  /** @param folder of the parts: what a run that was killed has left there is written over */
  constructor(folder: string, head: string) {
    this.draft = join(folder, GROWING)
    this.head = head
  }

  private next(write: () => Promise<void>): Promise<void> {
    this.written = this.written.then(write)
    return this.written.catch(() => undefined)
  }

  /** Before the first part, and again where parts that were added were computed anew. */
  begin(): void {
    this.next(() => writeFile(this.draft, this.head))
  }

  /**
   * The part that comes next: its rows, where they are at hand, or the file that has them.
   * @returns when all that was added is written, or cannot be
   */
  add(part: Uint8Array | string): Promise<void> {
    return this.next(() => (typeof part === "string" ? append(this.draft, part) : appendFile(this.draft, part)))
  }

  /**
   * @param files all that were added since the beginning
   * @throws PortfolioProblem when not every byte could be written
   */
  place(files: ReadonlyArray<string>, out: string, placing: Placing): Promise<void> {
    const write = async (draft: string) => {
      await this.written
      await expectAll(this.draft, this.head, files, out)
      await rename(this.draft, draft)
    }
    return wholeFile(out, write, placing)
  }

  /** Nothing is written any more. */
  async end(): Promise<void> {
    await this.written.catch(() => undefined)
    await rm(this.draft, { force: true })
  }
}
