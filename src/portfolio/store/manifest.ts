/**
 * The folder of a run under way. It is private to this account, and its manifest says which run its
 * parts are of. What no run makes there is neither used nor removed.
 */
import { chmod, lstat, mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { isDraft } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { problem } from "../read/problem.ts"
import { writeWhole } from "../results/outputPaths.ts"

const MANIFEST = "run.json"
/** Results that are not whole. */
export const GROWING = "growing.rows"
export const LOCK = "lock"
/** Held for the moment in which a stale lock is removed. */
export const TAKEOVER = "takeover"

const isLock = (name: string): boolean => name === LOCK || name === TAKEOVER
const isMarker = (name: string): boolean => /^part-\d{6,}\.json$/.test(name)
const isOfRun = (name: string): boolean =>
  isDraft(name) ||
  /^((run|duplicates|name)\.json|part-\d{6,}\.(rows|rejected|ids|json|journal|answers|recorded)|(none|growing)\.rows|duckdb_temp_.*)$/.test(
    name
  )

const MAY_BE_WRITTEN_BY_OTHERS = 0o022
const MAY_BE_USED_BY_OTHERS = 0o077
const OWNER_ONLY = 0o700

const expectRunFolder = async (folder: string): Promise<void> => {
  const found = await lstat(folder)
  if (!found.isDirectory())
    throw problem(`${folder} is there and no folder, where a run keeps its parts: move it away, or name another --out`)
  // A system without accounts of this kind shows neither an owner nor permissions.
  if (process.geteuid !== undefined) {
    if (found.uid !== process.geteuid())
      throw problem(
        `${folder} belongs to another account, which could read and change what a run keeps there: name another --out`
      )
    if ((found.mode & MAY_BE_WRITTEN_BY_OTHERS) !== 0)
      throw problem(
        `${folder} may be written by other accounts, which could change what a run keeps there: move it away, or name another --out`
      )
    if ((found.mode & MAY_BE_USED_BY_OTHERS) !== 0) await chmod(folder, OWNER_ONLY)
  }
  const names = await readdir(folder)
  const other = names.includes(MANIFEST) ? undefined : names.find((name) => !isLock(name) && !isDraft(name))
  if (other !== undefined)
    throw problem(
      `${folder} holds ${other}, and no run that was begun; a run keeps its parts there, and removes them. Move the folder away, or name another --out.`
    )
}

/**
 * Makes the folder where there is none. False where another process has removed it meanwhile.
 * @throws PortfolioProblem for a folder of another account, or of anything but a run, and for a file
 */
export const makeRunFolder = async (folder: string): Promise<boolean> => {
  await mkdir(folder, OWNER_ONLY).catch((cause: unknown) => {
    if (!hasCode(cause, "EEXIST")) throw cause
  })
  try {
    await expectRunFolder(folder)
    return true
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return false
    throw cause
  }
}

/** Removes what runs make: markers first, as a part with a marker must be whole; the manifest last. */
export const removeRun = async (folder: string): Promise<void> => {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).filter((name) => isOfRun(name) && name !== MANIFEST)
  const inOrder = [...names.filter(isMarker), ...names.filter((name) => !isMarker(name)), MANIFEST]
  for (const name of inOrder) await rm(join(folder, name), { force: true })
}

/** What a run has kept in a file; undefined where there is none, null where it is damaged. */
export const readKept = async <A>(file: string): Promise<A | null | undefined> => {
  try {
    return JSON.parse(await readFile(file, "utf8"))
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}

/** Whether a service has recorded answers for any part. */
export const areRecorded = async (folder: string): Promise<boolean> =>
  (await readdir(folder)).some((name) => /^part-\d+\.(journal|answers)$/.test(name))

/** What to do with parts that this run cannot go on with. Answers of record cannot be had again. */
export const wayOn = async (folder: string, other: string): Promise<string> =>
  (await areRecorded(folder))
    ? `${other}: it holds answers that are recorded, and what proves them is nowhere else.`
    : `${other}, or remove the folder to begin anew.`

/** Everything that the bytes of the results depend on. */
export type Manifest = Readonly<Record<string, unknown>>

/**
 * Writes the manifest of a new run.
 * @throws PortfolioProblem where the folder has the parts of another run
 */
export const openManifest = async (folder: string, manifest: Manifest): Promise<void> => {
  const file = join(folder, MANIFEST)
  const kept = await readKept<Manifest>(file)
  if (kept === undefined) return writeWhole(file, JSON.stringify(manifest))
  if (kept === null)
    throw problem(
      `${file} is damaged: it says what the parts beside it are of.`,
      await wayOn(folder, "Bring it back as it was")
    )
  const other = Object.keys(manifest).filter((name) => JSON.stringify(kept[name]) !== JSON.stringify(manifest[name]))
  if (other.length === 0) return
  const told = other.map((name) =>
    name === "release" ? `release (${kept[name]}, and this is ${manifest[name]})` : name
  )
  throw problem(
    `${folder} holds a run that was begun otherwise: ${told.join(", ")}.`,
    await wayOn(folder, "Go on as it was begun")
  )
}
