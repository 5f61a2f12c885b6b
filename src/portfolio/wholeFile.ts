/** Files that are there whole or not at all, and on the disk when they are. */
import { randomUUID } from "node:crypto"
import { link, open, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hasCode } from "../database/hasCode.ts"
import { PortfolioProblem, problem } from "./input/input.ts"
import { expectNoneThere } from "./writable.ts"

/** A name that has just been given is on the disk when its folder is; where a system opens no folders it sees to that itself. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => undefined)
  await handle?.sync().finally(() => handle.close())
}

const syncFile = async (file: string): Promise<void> => {
  const handle = await open(file, "r+")
  await handle.sync().finally(() => handle.close())
}

const failed = (file: string, cause: unknown): PortfolioProblem =>
  cause instanceof PortfolioProblem
    ? cause
    : problem(`${file}: cannot be written (${cause instanceof Error ? cause.message : String(cause)})`)

/**
 * A second name is given to nothing that has the name already, however short a time. Where a disk has no second names the
 * file is looked for, and then renamed: what another makes between these two is replaced.
 */
const placeAnew = async (draft: string, file: string): Promise<void> => {
  try {
    await link(draft, file)
  } catch (cause) {
    await expectNoneThere([file])
    if (hasCode(cause, "EEXIST")) throw cause
    await rename(draft, file)
  }
}

/** Where a file is made, and what becomes of one that is there. */
export interface Placing {
  /**
   * A folder on the same file system where the draft is; else it is beside the file. The draft of a file that replaces
   * nothing stays there as its second name: so it is known for whose it is until somebody removes the folder.
   */
  readonly folder?: string
  /** Whether what is there under the name is replaced, as it is where nothing is said. */
  readonly overwrite?: boolean
}

/**
 * @param write puts all of it under the name that it is given, which nobody else has
 * @throws PortfolioProblem when it cannot be written; what was there under the name is there still
 */
export const wholeFile = async (
  file: string,
  write: (draft: string) => Promise<unknown>,
  { folder, overwrite = true }: Placing = {}
): Promise<void> => {
  const draft = join(folder ?? dirname(file), `${randomUUID()}.tmp`)
  try {
    await write(draft)
    await syncFile(draft)
    await (overwrite ? rename : placeAnew)(draft, file)
    await syncFolder(dirname(file))
  } catch (cause) {
    await rm(draft, { force: true })
    throw failed(file, cause)
  }
  if (!overwrite && folder === undefined) await rm(draft, { force: true })
}

export const writeWhole = (file: string, content: string | Uint8Array, placing?: Placing): Promise<void> =>
  wholeFile(file, (draft) => writeFile(draft, content), placing)
