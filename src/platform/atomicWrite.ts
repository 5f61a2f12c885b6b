/** Atomic file writes: a file appears complete or not at all, and is on disk once it appears. */
import { randomUUID } from "node:crypto"
import { link, open, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hasCode } from "./hasCode.ts"

const DRAFT = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Whether a file name is that of a draft, a file that is still being written. */
export const isDraft = (name: string): boolean => DRAFT.test(name)

/** Some systems cannot open folders, and do not need to sync them. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => undefined)
  await handle?.sync().finally(() => handle.close())
}

const syncFile = async (file: string): Promise<void> => {
  const handle = await open(file, "r+")
  await handle.sync().finally(() => handle.close())
}

/**
 * Places a new file; fails with EEXIST if the name is taken. On a file system without hard links,
 * an empty file reserves the name before the rename.
 */
const placeNew = async (draft: string, file: string): Promise<void> => {
  try {
    await link(draft, file)
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) throw cause
    await (await open(file, "wx")).close()
    await rename(draft, file)
  }
}

export interface Placing {
  /**
   * Folder of the draft, on the same file system; by default that of the file. If nothing may be
   * replaced, the draft stays there as a second hard link to the file and shows who wrote it.
   */
  readonly folder?: string
  /** Whether an existing file is replaced; true by default. */
  readonly overwrite?: boolean
  /** Permissions; by default those of the umask. */
  readonly mode?: number
}

/**
 * Writes a draft, and puts it in place of the file when it is complete.
 * @param content of the file, or a function that writes it to the draft at the given path.
 * @throws EEXIST if the name is taken and nothing may be replaced. An existing file stays unchanged
 * on any failure.
 */
export const atomicWrite = async (
  file: string,
  content: string | Uint8Array | ((draft: string) => Promise<unknown>),
  { folder, mode, overwrite = true }: Placing = {}
): Promise<void> => {
  const draft = join(folder ?? dirname(file), `${randomUUID()}.tmp`)
  try {
    if (mode !== undefined) await (await open(draft, "wx", mode)).close()
    await (typeof content === "function" ? content(draft) : writeFile(draft, content))
    await syncFile(draft)
    await (overwrite ? rename : placeNew)(draft, file)
    await syncFolder(dirname(file))
  } catch (cause) {
    await rm(draft, { force: true })
    throw cause
  }
  if (!overwrite && folder === undefined) await rm(draft, { force: true })
}
