/** Atomic file writes: a file appears complete or not at all, and is on disk once it appears. */
import { randomUUID } from "node:crypto"
import { link, open, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hasCode } from "./hasCode.ts"

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

/**
 * Syncs a complete draft, and puts it in place of the file. If nothing may be replaced, the draft
 * stays, as a second hard link to the file.
 * @throws EEXIST if the name is taken and nothing may be replaced
 */
export const placeDraft = async (draft: string, file: string, overwrite: boolean): Promise<void> => {
  await syncFile(draft)
  await (overwrite ? rename : placeNew)(draft, file)
  await syncFolder(dirname(file))
}

export interface Placing {
  /** Whether an existing file is replaced; true by default. */
  readonly overwrite?: boolean
  /** Permissions; by default those of the umask. */
  readonly mode?: number
}

/**
 * Writes a draft next to the file, and puts it in place when it is complete.
 * @param content of the file, or a function that writes it to the draft at the given path.
 * @throws EEXIST if the name is taken and nothing may be replaced. An existing file stays unchanged
 * on any failure.
 */
export const atomicWrite = async (
  file: string,
  content: string | Uint8Array | ((draft: string) => Promise<unknown>),
  { mode, overwrite = true }: Placing = {}
): Promise<void> => {
  const draft = join(dirname(file), `${randomUUID()}.tmp`)
  try {
    if (mode !== undefined) await (await open(draft, "wx", mode)).close()
    await (typeof content === "function" ? content(draft) : writeFile(draft, content))
    await placeDraft(draft, file, overwrite)
  } finally {
    await rm(draft, { force: true })
  }
}
