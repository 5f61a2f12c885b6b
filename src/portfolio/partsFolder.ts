/** What in a folder of parts is a run's. Nothing else is taken for it, or removed: the folder may be somebody else's. */
import { lstat, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { hasCode } from "../database/hasCode.ts"
import { problem } from "./input/input.ts"

/** Says what the parts are of. It is removed last. */
export const MANIFEST = "run.json"
/** Results that are not whole. */
export const GROWING = "growing.rows"
export const LOCK = /^lock-([1-9]\d*)$/
const DRAFT = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

const OF_RUN: ReadonlyArray<RegExp> = [
  LOCK,
  DRAFT,
  /^(run|repeated|name)\.json$/,
  /^part-\d{6,}\.(rows|rejected|ids|json|journal|answers|recorded)$/,
  /^(none|growing)\.rows$/,
  /^duckdb_temp_/
]

const isOneOf = (kinds: ReadonlyArray<RegExp>, name: string): boolean => kinds.some((kind) => kind.test(name))

const foundAt = async (folder: string) => {
  try {
    return await lstat(folder)
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined
    throw cause
  }
}

/**
 * @param before what a run may have left there that was not begun
 * @throws PortfolioProblem for a folder that holds no run and anything else, and for what is no folder
 */
const expectOfRun = async (folder: string, before: ReadonlyArray<RegExp>): Promise<void> => {
  const found = await foundAt(folder)
  if (found === undefined) return
  if (!found.isDirectory())
    throw problem(`${folder} is there and no folder, where a run keeps its parts: move it away, or name another --out`)
  const names = await readdir(folder)
  const other = names.includes(MANIFEST) ? undefined : names.find((name) => !isOneOf(before, name))
  if (other !== undefined)
    throw problem(
      `${folder} holds ${other}, and no run that was begun; a run keeps its parts there, and removes them. Move the folder away, or name another --out.`
    )
}

/** What a folder is called while it is removed: under its own name there is all of it or nothing. */
export const goneOf = (folder: string): string => `${folder}.done`

/** @throws PortfolioProblem for a folder that is not a run's, or that could not be removed as one is */
export const expectFolderOfRun = async (folder: string): Promise<void> => {
  await expectOfRun(folder, [LOCK, DRAFT])
  await expectOfRun(goneOf(folder), [LOCK, DRAFT])
}

/** Empty also where there is no such folder. */
const filesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return []
    throw cause
  }
}

/** Files that are not whole, or that were put in place while the folder was there. */
export const draftsIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await filesIn(folder)).filter((name) => DRAFT.test(name))

/** Removes what a run has made, but for some of it. What it is of is removed last: parts without it would be taken for those of the next run. */
export const removeOfRun = async (folder: string, kept: ReadonlyArray<RegExp> = []): Promise<void> => {
  const names = (await filesIn(folder)).filter((name) => isOneOf(OF_RUN, name) && !isOneOf(kept, name))
  for (const name of names.filter((one) => one !== MANIFEST)) await rm(join(folder, name), { force: true })
  await rm(join(folder, MANIFEST), { force: true })
}
