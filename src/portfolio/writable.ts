/** Which files may be written: none that is read, and none that is there unless it may be replaced. */
import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { problem } from "./input/input.ts"

/** What a file is on its disk, under whatever name; undefined where there is none. */
const identityOf = async (name: string): Promise<string | undefined> => {
  try {
    const { dev, ino } = await stat(name.startsWith("file:") ? fileURLToPath(name) : name, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** @throws PortfolioProblem for a file that is one of those that are read */
export const expectNoneRead = async (written: ReadonlyArray<string>, read: ReadonlyArray<string>): Promise<void> => {
  const ofRead = new Set(await Promise.all(read.map(identityOf)))
  for (const file of written) {
    const identity = await identityOf(file)
    if (identity !== undefined && ofRead.has(identity))
      throw problem(`${file} would be written, and is one of the files that are read: name another --out`)
  }
}

/** @throws PortfolioProblem for a file that is there */
export const expectNoneThere = (written: ReadonlyArray<string>): void => {
  const found = written.find((file) => existsSync(file))
  if (found !== undefined) throw problem(`${found} is there already: name another file, or add --overwrite`)
}
