/** Writes a file so that it is there whole or not at all, and on the disk once it is there. */
import { randomUUID } from "node:crypto"
import { link, open, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hasCode } from "./hasCode.ts"

const DRAFT = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Whether a file is named like one that is not written whole yet. */
export const isDraft = (name: string): boolean => DRAFT.test(name)

/** Some systems do not open folders, and need no sync of them. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => undefined)
  await handle?.sync().finally(() => handle.close())
}

const syncFile = async (file: string): Promise<void> => {
  const handle = await open(file, "r+")
  await handle.sync().finally(() => handle.close())
}

/** Fails with EEXIST where the name is taken. Without hard links the name is reserved first. */
const placeAnew = async (draft: string, file: string): Promise<void> => {
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
   * Folder of the draft, on the file system of the file; by default that of the file. The draft of a
   * file that replaces nothing stays there as its second name, and shows who wrote it.
   */
  readonly folder?: string
  /** Whether a file of this name is replaced; it is by default. */
  readonly overwrite?: boolean
  /** Permissions; by default those that the umask leaves. */
  readonly mode?: number
}

/**
 * @param content of the file, or a function that writes it to the draft that it is given
 * @throws EEXIST where nothing may be replaced and the name is taken. An existing file stays as it was
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
    await (overwrite ? rename : placeAnew)(draft, file)
    await syncFolder(dirname(file))
  } catch (cause) {
    await rm(draft, { force: true })
    throw cause
  }
  if (!overwrite && folder === undefined) await rm(draft, { force: true })
}
