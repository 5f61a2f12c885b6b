/**
 * The folder of `repay log watch` for one log. It contains the trusted keys, checkpoints that
 * agreed with the previous one (`<size>.checkpoint`), unchecked notes, and evidence against the
 * log. Evidence is never overwritten. Nothing is verified here.
 */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { atomicWrite } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { inFolder } from "../../platform/inFolder.ts"
import { badInput, type CommandFailed } from "../failures.ts"

const KEY_FILE = "key"
const UNCHECKED = "unchecked.note"
const SUFFIX = ".checkpoint"
const DIGITS = 16
const HASH_DIGITS = 8
/** Between two notes: a form feed, which no note contains. */
const SEPARATOR = "\f\n"

const textIn = (path: string): Promise<string | null> =>
  readFile(path, "utf8").catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT")) return null
    throw cause
  })

export interface Kept {
  readonly file: string
  readonly note: string
}

/** @param cwd base of a relative `dir`; files are reported by the name as given */
export const logFolder = (dir: string, cwd: string) => {
  const onDisk = <A>(work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
    Effect.tryPromise({ try: work, catch: () => badInput(`--out: ${dir} cannot be read and written`) })
  const at = (file: string) => inFolder(cwd, file)
  const unchecked = at(join(dir, UNCHECKED))
  const keyFile = join(dir, KEY_FILE)
  const checkpoints = async () => (await readdir(at(dir))).filter((one) => one.endsWith(SUFFIX)).sort()
  const readUnchecked = async (): Promise<ReadonlyArray<string>> =>
    ((await textIn(unchecked)) ?? "").split(SEPARATOR).filter((note) => note !== "")
  const writeUnchecked = (notes: ReadonlyArray<string>): Promise<void> =>
    notes.length === 0 ? rm(unchecked, { force: true }) : atomicWrite(unchecked, notes.join(SEPARATOR))
  return {
    make: onDisk(() => mkdir(at(dir), { recursive: true })),
    keyFile,
    keys: onDisk(() => textIn(at(keyFile))),
    keepKeys: (keys: ReadonlyArray<string>) => onDisk(() => atomicWrite(at(keyFile), `${keys.join("\n")}\n`)),
    /** The newest checkpoint that agreed with the previous one. */
    newest: onDisk(async (): Promise<Kept | null> => {
      const name = (await checkpoints()).at(-1)
      return name === undefined ? null : { file: join(dir, name), note: await readFile(at(join(dir, name)), "utf8") }
    }),
    unchecked: onDisk(readUnchecked),
    keepUnchecked: (notes: ReadonlyArray<string>) => onDisk(() => writeUnchecked(notes)),
    /**
     * Ends a check without conflict: keeps `newest`, unless nothing is new, and clears the
     * unchecked notes.
     */
    settle: (newest: { readonly size: number; readonly note: string } | null) =>
      onDisk(async () => {
        if (newest !== null) {
          const name = `${String(newest.size).padStart(DIGITS, "0")}${SUFFIX}`
          await atomicWrite(at(join(dir, name)), newest.note)
        }
        await writeUnchecked([])
      }),
    /**
     * Keeps notes that contradict the log for good, in a file named after `size`. They no longer
     * count as unchecked.
     */
    keepEvidence: (what: "refused" | "conflict", size: number, notes: ReadonlyArray<string>) =>
      onDisk(async () => {
        const text = notes.join("\n")
        const plain = join(dir, `${what}-${size}.txt`)
        const existing = await textIn(at(plain))
        const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS)
        const file = existing === null || existing === text ? plain : join(dir, `${what}-${size}-${hash}.txt`)
        await writeFile(at(file), text, { flush: true })
        await writeUnchecked((await readUnchecked()).filter((note) => !notes.includes(note)))
        return file
      })
  }
}

export type LogFolder = ReturnType<typeof logFolder>
