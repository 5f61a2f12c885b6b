/** Puts parts together into one file, in the order of the input: whole or not at all. */
import { createReadStream } from "node:fs"
import { open, rename } from "node:fs/promises"

/** Whatever there was under the name of the file is replaced. */
export const concatenate = async (head: string, files: ReadonlyArray<string>, out: string): Promise<void> => {
  const unfinished = `${out}.tmp`
  const handle = await open(unfinished, "w")
  try {
    await handle.write(head)
    for (const file of files) {
      for await (const bytes of createReadStream(file)) await handle.write(bytes)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, out)
}
