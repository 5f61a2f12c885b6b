/**
 * The pepper of an installation that was given none: made once, kept in the data folder, readable by its owner only.
 * Written beside the final name and linked into place, so that a crash leaves no half secret and of two processes that
 * start together one wins and both use its pepper. It does not rotate anything: that is an operator's decision.
 */
import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"

const PEPPER_BYTES = 32
const PEPPER_FILE = "pepper"

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

const readPepper = (path: string): string | undefined => {
  try {
    const pepper = readFileSync(path, "utf8").trim()
    if (pepper.length < PEPPER_BYTES) throw new Error(`${path} does not hold a pepper; restore it from a backup`)
    return pepper
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw error
  }
}

const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, "wx", 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const makePepper = (dataDir: string, path: string): string => {
  const draft = join(dataDir, `.${PEPPER_FILE}.${process.pid}.${randomBytes(4).toString("hex")}`)
  writeDurably(draft, `${randomBytes(PEPPER_BYTES).toString("hex")}\n`)
  try {
    linkSync(draft, path)
    syncFolder(dataDir)
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readPepper(path)!
}

/** A database that the service has made, always after its pepper. */
const isInUse = (dataDir: string): boolean => existsSync(join(dataDir, "postgres", "data", "PG_VERSION"))

/** The pepper kept in `dataDir`, made on the first call; the failure is one line for the operator. */
export const keptPepper = Effect.fnUntraced(function* (dataDir: string): Effect.fn.Return<string, string> {
  const path = join(dataDir, PEPPER_FILE)
  const read = <A>(step: () => A) =>
    Effect.try({
      try: step,
      catch: (cause) =>
        `SECRET_PEPPER: is not set, and none can be stored in DATA_DIR (${cause instanceof Error ? cause.message : "unknown failure"}); set SECRET_PEPPER or a writable DATA_DIR`
    })
  const kept = yield* read(() => readPepper(path))
  if (kept !== undefined) return kept
  if (isInUse(dataDir)) {
    return yield* Effect.fail(
      `SECRET_PEPPER: is not set, and ${path} is missing beside the database that it belongs to; restore the file from a backup, or, if it is lost, set SECRET_PEPPER to a new one and run: repay migrate --replace-pepper`
    )
  }
  return yield* read(() => {
    mkdirSync(dataDir, { recursive: true })
    return makePepper(dataDir, path)
  })
})
