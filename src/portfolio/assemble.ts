/** Puts parts together into one file, in the order of the input: whole or not at all. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { wholeFile } from "./wholeFile.ts"

export const concatenate = (head: string, files: ReadonlyArray<string>, out: string): Promise<void> =>
  wholeFile(out, async (draft) => {
    const handle = await open(draft, "w")
    try {
      await handle.write(head)
      for (const file of files) {
        for await (const bytes of createReadStream(file)) await handle.write(bytes)
      }
    } finally {
      await handle.close()
    }
  })
