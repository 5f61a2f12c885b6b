/** Puts parts together into one file, in the order of the input: whole or not at all. */
import { appendFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Placing } from "../../platform/atomicWrite.ts"
import { writeWhole } from "../results/outputPaths.ts"
import { GROWING } from "./manifest.ts"

/** @param read the bytes of each of the first `count` parts */
export const concatenate = (
  head: string,
  count: number,
  read: (index: number) => Promise<Uint8Array>,
  out: string,
  placing?: Placing
): Promise<void> =>
  writeWhole(
    out,
    async (draft) => {
      await appendFile(draft, head)
      for (let index = 0; index < count; index++) await appendFile(draft, await read(index))
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
   * The rows of the part that comes next.
   * @returns when all that was added is written, or cannot be
   */
  add(rows: Uint8Array): Promise<void> {
    return this.next(() => appendFile(this.draft, rows))
  }

  /** @throws PortfolioProblem when not every byte could be written */
  place(out: string, placing: Placing): Promise<void> {
    const write = async (draft: string) => {
      await this.written
      await rename(this.draft, draft)
    }
    return writeWhole(out, write, placing)
  }

  /** Nothing is written any more. */
  async end(): Promise<void> {
    await this.written.catch(() => undefined)
    await rm(this.draft, { force: true })
  }
}
