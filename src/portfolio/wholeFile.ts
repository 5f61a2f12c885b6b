/** Files that are there whole or not at all, and on the disk when they are. Whatever there was under their name is replaced. */
import { randomUUID } from "node:crypto"
import { open, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { PortfolioProblem, problem } from "./input/input.ts"

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
 * @param write puts all of it under the name that it is given, which nobody else has
 * @param folder where that name is, on the same file system; else beside the file
 * @throws PortfolioProblem when it cannot be written; what was there under the name is there still
 */
export const wholeFile = async (
  file: string,
  write: (draft: string) => Promise<unknown>,
  folder: string = dirname(file)
): Promise<void> => {
  const draft = join(folder, `${randomUUID()}.tmp`)
  try {
    await write(draft)
    await syncFile(draft)
    await rename(draft, file)
    await syncFolder(dirname(file))
  } catch (cause) {
    await rm(draft, { force: true })
    throw failed(file, cause)
  }
}

export const writeWhole = (file: string, content: string | Uint8Array, folder?: string): Promise<void> =>
  wholeFile(file, (draft) => writeFile(draft, content), folder)
