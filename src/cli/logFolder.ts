/**
 * What `repay log watch` keeps of a log, in one folder: the keys that are believed, each checkpoint that agreed with the
 * one before (`<size>.checkpoint`), a note that has not been checked yet, and notes that speak against the log. Nothing
 * that speaks against it is ever overwritten. Does not judge.
 */
import { createHash } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { badInput, type CommandFailed } from "./failures.ts"

const KEY_FILE = "key"
const UNCHECKED = "unchecked.note"
const SUFFIX = ".checkpoint"
const DIGITS = 16
const HASH_DIGITS = 8

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const onDisk = <A>(dir: string, work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({ try: work, catch: () => badInput(`--out: ${dir} cannot be read and written`) })

const textIn = (path: string): Promise<string | null> =>
  readFile(path, "utf8").catch((cause: unknown) => {
    if (isMissing(cause)) return null
    throw cause
  })

/** Under its name there is all of it or nothing, also after a crash. */
const put = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.draft`
  const file = await open(draft, "w")
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

export interface Kept {
  readonly file: string
  readonly note: string
}

export const logFolder = (dir: string) => {
  const unchecked = join(dir, UNCHECKED)
  const keyFile = join(dir, KEY_FILE)
  return {
    make: onDisk(dir, () => mkdir(dir, { recursive: true })),
    keyFile,
    keys: onDisk(dir, () => textIn(keyFile)),
    keepKeys: (keys: ReadonlyArray<string>) => onDisk(dir, () => put(keyFile, `${keys.join("\n")}\n`)),
    /** The newest checkpoint that agreed with the one before. */
    newest: onDisk(dir, async (): Promise<Kept | null> => {
      const name = (await readdir(dir))
        .filter((one) => one.endsWith(SUFFIX))
        .sort()
        .at(-1)
      return name === undefined ? null : { file: join(dir, name), note: await readFile(join(dir, name), "utf8") }
    }),
    unchecked: onDisk(dir, () => textIn(unchecked)),
    keepUnchecked: (note: string) => onDisk(dir, () => put(unchecked, note)),
    /** The note that was not checked is, and agrees. */
    accept: (size: number) =>
      onDisk(dir, () => rename(unchecked, join(dir, `${String(size).padStart(DIGITS, "0")}${SUFFIX}`))),
    /** The note that was not checked says nothing new. */
    drop: onDisk(dir, () => rm(unchecked, { force: true })),
    /** The note that was not checked speaks against the log: kept for good, with what it is held against. */
    accuse: (size: number, before: string | null, note: string) =>
      onDisk(dir, async () => {
        const text = before === null ? note : `${before}\n${note}`
        const name = `${before === null ? "refused" : "conflict"}-${size}`
        const plain = join(dir, `${name}.txt`)
        const there = await textIn(plain)
        const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS)
        const file = there === null || there === text ? plain : join(dir, `${name}-${hash}.txt`)
        await writeFile(file, text, { flush: true })
        await rm(unchecked, { force: true })
        return file
      })
  }
}

export type LogFolder = ReturnType<typeof logFolder>
