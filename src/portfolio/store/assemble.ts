/**
 * The concatenation of parts (the stored results of chunks) into one file, in input order and
 * atomically.
 */
import { appendFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Placing } from "../../platform/atomicWrite.ts"
import { writeAtomically } from "../results/outputPaths.ts"
import { GROWING } from "./manifest.ts"

/** @param read returns the bytes of one of the first `count` parts */
export const concatenate = (
  head: string,
  count: number,
  read: (index: number) => Promise<Uint8Array>,
  out: string,
  placing?: Placing
): Promise<void> =>
  writeAtomically(
    out,
    async (draft) => {
      await appendFile(draft, head)
      for (let index = 0; index < count; index++) await appendFile(draft, await read(index))
    },
    placing
  )

/** Results appended while parts are computed, so that little is left to write at the end. */
export class GrowingResults {
  private readonly draft: string
  private readonly head: string
  /** Queue of writes, one at a time. A failure is reported by `place`. */
  private written: Promise<void> = Promise.resolve()

  /** @param folder of the parts; a draft left there by a killed run is overwritten */
  constructor(folder: string, head: string) {
    this.draft = join(folder, GROWING)
    this.head = head
  }

  private enqueue(write: () => Promise<void>): Promise<void> {
    this.written = this.written.then(write)
    return this.written.catch(() => undefined)
  }

  /**
   * Starts the draft anew. Called before the first part, and again each time the input is read once
   * more because of duplicate ids.
   */
  begin(): void {
    this.enqueue(() => writeFile(this.draft, this.head))
  }

  /**
   * Appends the rows of the next part.
   * @returns once everything added so far is written or has failed
   */
  add(rows: Uint8Array): Promise<void> {
    return this.enqueue(() => appendFile(this.draft, rows))
  }

  /** @throws PortfolioProblem if any write failed */
  place(out: string, placing: Placing): Promise<void> {
    const write = async (draft: string) => {
      await this.written
      await rename(this.draft, draft)
    }
    return writeAtomically(out, write, placing)
  }

  /** Waits for pending writes and removes the draft. */
  async end(): Promise<void> {
    await this.written.catch(() => undefined)
    await rm(this.draft, { force: true })
  }
}
