/**
 * The folder of a run in progress: its checks, its manifest and its removal. Only this account may
 * use the folder, and the manifest identifies the run. Files that no run creates are left alone.
 */
import { chmod, lstat, mkdir, readdir, readFile, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { isDraft } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { problem } from "../read/problem.ts"
import { writeAtomically } from "../results/outputPaths.ts"

const MANIFEST = "run.json"
export const GROWING = "growing.rows"
export const LOCK = "lock"
/** Held while a stale lock is being removed. */
export const TAKEOVER = "takeover"

const isLock = (name: string): boolean => name === LOCK || name === TAKEOVER
const isMarker = (name: string): boolean => /^part-\d{6,}\.json$/.test(name)
const isRunFile = (name: string): boolean =>
  isDraft(name) ||
  /^((run|duplicates|name)\.json|part-\d{6,}\.(rows|rejected|ids|json|journal|answers|recorded)|(none|growing)\.rows|duckdb_temp_.*)$/.test(
    name
  )

const MAY_BE_WRITTEN_BY_OTHERS = 0o022
const MAY_BE_USED_BY_OTHERS = 0o077
const OWNER_ONLY = 0o700

const WRITTEN_BY_ANYONE = 0o002
const STICKY = 0o1000
const ROOT = 0

/**
 * An account that may rename the folder can put its own in its place. A group that may write is
 * trusted, and so is the owner of a folder in which root works.
 */
const expectParent = async (folder: string, account: number): Promise<void> => {
  const parent = dirname(resolve(folder))
  const { mode, uid } = await stat(parent)
  if (account !== ROOT && uid !== account && uid !== ROOT)
    throw problem(
      `${parent} belongs to another account, which could replace the files of a run there: name another --out`
    )
  if ((mode & WRITTEN_BY_ANYONE) !== 0 && (mode & STICKY) === 0)
    throw problem(
      `${parent} is writable by everyone, so anyone could replace the files of a run there: name another --out`
    )
}

/** Files of another account may have come while the folder was open to it. */
const expectOwnFiles = async (folder: string, names: ReadonlyArray<string>, account: number): Promise<void> => {
  for (const name of names.filter((one) => isRunFile(one) || isLock(one))) {
    const file = join(folder, name)
    const found = await lstat(file).catch((cause: unknown) => {
      if (!hasCode(cause, "ENOENT")) throw cause
    })
    if (found !== undefined && (found.uid !== account || found.isSymbolicLink()))
      throw problem(`${file} was not made by this account: move the folder away, or name another --out`)
  }
}

const expectRunFolder = async (folder: string): Promise<void> => {
  const found = await lstat(folder)
  if (!found.isDirectory())
    throw problem(
      `${folder} is not a folder, but a run needs one there for its parts: move it away, or name another --out`
    )
  // Windows has no POSIX owner or permissions.
  if (process.geteuid !== undefined) {
    if (found.uid !== process.geteuid())
      throw problem(
        `${folder} belongs to another account, which could read and change the files of a run there: name another --out`
      )
    if ((found.mode & MAY_BE_WRITTEN_BY_OTHERS) !== 0)
      throw problem(
        `${folder} is writable by other accounts, which could change the files of a run there: move it away, or name another --out`
      )
    if ((found.mode & MAY_BE_USED_BY_OTHERS) !== 0) await chmod(folder, OWNER_ONLY)
  }
  const names = await readdir(folder)
  if (process.geteuid !== undefined) await expectOwnFiles(folder, names, process.geteuid())
  const other = names.includes(MANIFEST) ? undefined : names.find((name) => !isLock(name) && !isDraft(name))
  if (other !== undefined)
    throw problem(
      `${folder} contains ${other}, but no run. A run would keep its parts there and remove them at its end: move the folder away, or name another --out.`
    )
}

/**
 * Creates the folder unless it exists; false if another process removed it in the meantime.
 * @throws PortfolioProblem if it is a file, belongs to another account or is not the folder of a
 * run
 */
export const makeRunFolder = async (folder: string): Promise<boolean> => {
  if (process.geteuid !== undefined) await expectParent(folder, process.geteuid())
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

/**
 * Removes a run's files. The markers go first, because a part that has one must be complete. The
 * manifest goes last.
 */
export const removeRun = async (folder: string): Promise<void> => {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).filter((name) => isRunFile(name) && name !== MANIFEST)
  const inOrder = [...names.filter(isMarker), ...names.filter((name) => !isMarker(name)), MANIFEST]
  for (const name of inOrder) await rm(join(folder, name), { force: true })
}

/** The JSON that a run has stored in a file; undefined if there is none, null if damaged. */
export const readKept = async <A>(file: string): Promise<A | null | undefined> => {
  try {
    return JSON.parse(await readFile(file, "utf8"))
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}

export const areRecorded = async (folder: string): Promise<boolean> =>
  (await readdir(folder)).some((name) => /^part-\d+\.(journal|answers)$/.test(name))

/** Advice for parts that this run cannot resume: removal only if no answers are recorded. */
export const resumeAdvice = async (folder: string, other: string): Promise<string> =>
  (await areRecorded(folder))
    ? `${other}. Do not remove the folder: it contains recorded answers and the only proof of them.`
    : `${other}, or remove the folder to start over.`

/** Everything that the bytes of the results depend on. */
export type Manifest = Readonly<Record<string, unknown>>

/**
 * Writes the manifest of a new run, or checks that of a resumed one.
 * @throws PortfolioProblem if the folder contains the parts of another run
 */
export const openManifest = async (folder: string, manifest: Manifest): Promise<void> => {
  const file = join(folder, MANIFEST)
  const stored = await readKept<Manifest>(file)
  if (stored === undefined) return writeAtomically(file, JSON.stringify(manifest))
  if (stored === null)
    throw problem(
      `${file} is damaged. It describes the run whose parts are next to it.`,
      await resumeAdvice(folder, "Restore it")
    )
  const other = Object.keys(manifest).filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(manifest[name]))
  if (other.length === 0) return
  const differences = other.map((name) =>
    name === "release" ? `release (${stored[name]} before, ${manifest[name]} now)` : name
  )
  throw problem(
    `${folder} contains a run started with different options: ${differences.join(", ")}.`,
    await resumeAdvice(folder, "Continue it as it was started")
  )
}
