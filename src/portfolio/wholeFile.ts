/** Files that are there whole or not at all, and on the disk when they are. Whatever there was under their name is replaced. */
import { open, rename, writeFile } from "node:fs/promises"

/** @param write puts all of it under another name, beside the file */
export const wholeFile = async (file: string, write: (draft: string) => Promise<unknown>): Promise<void> => {
  const draft = `${file}.tmp`
  await write(draft)
  const handle = await open(draft, "r+")
  await handle.sync().finally(() => handle.close())
  await rename(draft, file)
}

export const writeWhole = (file: string, content: string | Uint8Array): Promise<void> =>
  wholeFile(file, (draft) => writeFile(draft, content))
