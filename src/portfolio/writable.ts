/** Which files may be written: none that is read, and none that is there unless it may be replaced. */
import { existsSync } from "node:fs"
import { lstat, realpath, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { hasCode } from "../database/hasCode.ts"
import { type InputFile, problem } from "./input/input.ts"
import { draftsIn } from "./partsFolder.ts"

const pathOf = (name: string): string => (name.startsWith("file:") ? fileURLToPath(name) : name)

/**
 * What a file is on its disk, under whatever name; undefined where there is none.
 * @param look at the file, or at a link to it itself
 */
const identityOf = async (name: string, look: typeof stat | typeof lstat = stat): Promise<string | undefined> => {
  try {
    const { dev, ino } = await look(pathOf(name), { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** @throws PortfolioProblem for a file that is one of those that are read */
export const expectNoneRead = async (written: ReadonlyArray<string>, read: ReadonlyArray<string>): Promise<void> => {
  const ofRead = new Set(await Promise.all(read.map((file) => identityOf(file))))
  for (const file of written) {
    const identity = await identityOf(file)
    if (identity !== undefined && ofRead.has(identity))
      throw problem(`${file} would be written, and is one of the files that are read: name another --out`)
  }
}

/** Undefined where there is nothing of the name. */
const placeOf = (name: string): Promise<string | undefined> => realpath(pathOf(name)).catch(() => undefined)

/** @throws PortfolioProblem for a file that is read and lies in a folder that will be removed */
export const expectNoneWithin = async (
  folder: string,
  read: ReadonlyArray<Pick<InputFile, "name" | "path">>
): Promise<void> => {
  const place = await placeOf(folder)
  if (place === undefined) return
  for (const { name, path } of read)
    if ((await placeOf(path))?.startsWith(place + sep))
      throw problem(`${name} lies in ${folder}, where a run keeps its parts: name another --out`)
}

/** @throws PortfolioProblem for a file that is there, or a link of its name */
export const expectNoneThere = async (written: ReadonlyArray<string>): Promise<void> => {
  for (const file of written)
    if ((await identityOf(file, lstat)) !== undefined)
      throw problem(`${file} is there already: name another file, or add --overwrite`)
}

/** Which of some files a run that was killed has put in place: drafts in its folder are the same files. */
export const placedOf = async (written: ReadonlyArray<string>, folder: string): Promise<ReadonlyArray<string>> => {
  const drafts = new Set(await Promise.all((await draftsIn(folder)).map((name) => identityOf(join(folder, name)))))
  const identities = await Promise.all(written.map((file) => identityOf(file, lstat)))
  return written.filter((_, index) => identities[index] !== undefined && drafts.has(identities[index]))
}

/** @throws PortfolioProblem for answers of record that a run without any would take away */
export const expectNoAnswers = (file: string): void => {
  if (existsSync(file))
    throw problem(
      `${file} is there, the answers of record of an earlier run, with the only copy of their salts. This run records none: move it away, or name another --out`
    )
}

/** @throws PortfolioProblem for a name that is longer than its disk takes */
export const expectName = async (file: string): Promise<void> => {
  const cause: unknown = await lstat(file).catch((failure: unknown) => failure)
  if (hasCode(cause, "ENAMETOOLONG"))
    throw problem(`${file}: the name is too long to be written, choose a shorter --out`)
}
