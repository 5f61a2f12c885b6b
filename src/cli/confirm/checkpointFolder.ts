/**
 * What `repay log watch` keeps of a log, in one folder: the keys that are believed, each checkpoint that agreed with the
 * one before (`<size>.checkpoint`), notes that have not been checked yet, and notes that speak against the log. Nothing
 * that speaks against it is ever overwritten. Does not judge.
 */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { atomicWrite } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { inFolder } from "../../portfolio/read/sources.ts"
import { badInput, type CommandFailed } from "../failures.ts"

const KEY_FILE = "key"
const UNCHECKED = "unchecked.note"
const SUFFIX = ".checkpoint"
const DIGITS = 16
const HASH_DIGITS = 8
/** Between two notes: a form feed, which no note has. */
const NEXT = "\f\n"

const onDisk = <A>(dir: string, work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({ try: work, catch: () => badInput(`--out: ${dir} cannot be read and written`) })

const textIn = (path: string): Promise<string | null> =>
  readFile(path, "utf8").catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT")) return null
    throw cause
  })

export interface Kept {
  readonly file: string
  readonly note: string
}

/** @param cwd where a relative name of the folder starts; files are reported by the name that was given */
export const logFolder = (dir: string, cwd: string) => {
  const at = (file: string) => inFolder(cwd, file)
  const unchecked = at(join(dir, UNCHECKED))
  const keyFile = join(dir, KEY_FILE)
  const readUnchecked = async (): Promise<ReadonlyArray<string>> =>
    ((await textIn(unchecked)) ?? "").split(NEXT).filter((note) => note !== "")
  const writeUnchecked = (notes: ReadonlyArray<string>): Promise<void> =>
    notes.length === 0 ? rm(unchecked, { force: true }) : atomicWrite(unchecked, notes.join(NEXT))
  return {
    make: onDisk(dir, () => mkdir(at(dir), { recursive: true })),
    keyFile,
    keys: onDisk(dir, () => textIn(at(keyFile))),
    keepKeys: (keys: ReadonlyArray<string>) => onDisk(dir, () => atomicWrite(at(keyFile), `${keys.join("\n")}\n`)),
    /** The newest checkpoint that agreed with the one before. */
    newest: onDisk(dir, async (): Promise<Kept | null> => {
      const name = (await readdir(at(dir)))
        .filter((one) => one.endsWith(SUFFIX))
        .sort()
        .at(-1)
      return name === undefined ? null : { file: join(dir, name), note: await readFile(at(join(dir, name)), "utf8") }
    }),
    unchecked: onDisk(dir, readUnchecked),
    keepUnchecked: (notes: ReadonlyArray<string>) => onDisk(dir, () => writeUnchecked(notes)),
    /** The notes that were not checked are, and agree: the newest, if it says anything new, is kept. */
    settle: (newest: { readonly size: number; readonly note: string } | null) =>
      onDisk(dir, async () => {
        if (newest !== null)
          await atomicWrite(at(join(dir, `${String(newest.size).padStart(DIGITS, "0")}${SUFFIX}`)), newest.note)
        await writeUnchecked([])
      }),
    /** Notes that speak against the log, the one that is `size` long last: kept for good, and no longer to be checked. */
    accuse: (what: "refused" | "conflict", size: number, notes: ReadonlyArray<string>) =>
      onDisk(dir, async () => {
        const text = notes.join("\n")
        const plain = join(dir, `${what}-${size}.txt`)
        const there = await textIn(at(plain))
        const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS)
        const file = there === null || there === text ? plain : join(dir, `${what}-${size}-${hash}.txt`)
        await writeFile(at(file), text, { flush: true })
        await writeUnchecked((await readUnchecked()).filter((note) => !notes.includes(note)))
        return file
      })
  }
}

export type LogFolder = ReturnType<typeof logFolder>
