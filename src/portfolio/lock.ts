/**
 * One run at a time in a folder of parts. Who has it says so in a file that nobody else can make, and shows again and again
 * that it is there. What a killed process has left is passed over: at once where it is known to be gone, else when it has
 * been silent for some seconds. A lock is not removed by others, the next one has the next number: so two that find the
 * same one left behind cannot both have it. Who has made a lock looks again: where another was made or removed meanwhile, by
 * a run that has come and gone or in a folder that was made anew, it is given up. Of two the later one sees the earlier.
 */
import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, rm, rmdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { Effect, type Scope } from "effect"
import { hasCode } from "../database/hasCode.ts"
import { type Holder, thisProcess, whereabouts } from "./holder.ts"
import { type PortfolioProblem, problem } from "./input/input.ts"
import { expectFolderOfRun, goneOf, LOCK, removeOfRun } from "./partsFolder.ts"
import { fromPromise } from "./run.ts"

const BEAT_MILLISECONDS = 2000
const LOOK_MILLISECONDS = 1000
/** How often a holder is looked for that shows nothing of itself. */
const LOOKS = 15
/** How often the folder may be gone before it is a problem. */
const TRIES = 20

const fileOf = (folder: string, number: number): string => join(folder, `lock-${number}`)

/** What is written in a lock, undefined where it is gone. */
const textOf = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined
    throw cause
  }
}

/** The locks in a folder, in their order: the number of each, and what is written in it, which is in no other. */
const locksIn = async (folder: string) => {
  const numbers = (await readdir(folder)).flatMap((name) => Number(LOCK.exec(name)?.[1] ?? []))
  return Promise.all(
    numbers.sort((a, b) => a - b).map(async (number) => [number, await textOf(fileOf(folder, number))] as const)
  )
}

/** Undefined where it cannot be read, or not yet. */
const holderIn = async (file: string): Promise<Holder | undefined> => {
  try {
    return JSON.parse(await readFile(file, "utf8"))
  } catch {
    return undefined
  }
}

/** It is opened, so that what another machine has written is seen; undefined where it is gone. */
const beatOf = async (file: string): Promise<number | undefined> => {
  const handle = await open(file, "r").catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT")) return undefined
    throw cause
  })
  const found = await handle?.stat().finally(() => handle.close())
  return found?.mtimeMs
}

/** What is gone is not silent: who was it has given it up, and another may have come since. */
const isSilent = async (file: string, signal: AbortSignal | undefined): Promise<boolean> => {
  const first = await beatOf(file)
  if (first === undefined) return false
  for (let look = 0; look < LOOKS; look++) {
    await setTimeout(LOOK_MILLISECONDS, undefined, { signal })
    if ((await beatOf(file)) !== first) return false
  }
  return true
}

const isHeld = async (file: string, signal: AbortSignal | undefined): Promise<boolean> => {
  const holder = await holderIn(file)
  const found = holder === undefined ? "unknown" : whereabouts(holder)
  return found === "unknown" ? !(await isSilent(file, signal)) : found === "there"
}

const busy = (folder: string, holder: Holder): PortfolioProblem =>
  problem(
    `${folder}: another run is at work there, process ${holder.pid} of ${holder.host}. Wait for its end, or name another file.`
  )

/** Whether this process has made the lock: nobody else has its name then. */
const isMade = async (file: string, text: string): Promise<boolean> => {
  try {
    await writeFile(file, text, { flag: "wx" })
    return true
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false
    throw cause
  }
}

/** The lock with the next number, or undefined where another process was faster. */
const taken = async (folder: string, signal: AbortSignal | undefined): Promise<string | undefined> => {
  await expectFolderOfRun(folder)
  await mkdir(folder, { recursive: true })
  const before = await locksIn(folder)
  const last = before.at(-1)?.[0] ?? 0
  const lastFile = fileOf(folder, last)
  if (last > 0 && (await isHeld(lastFile, signal))) {
    const holder = await holderIn(lastFile)
    if (holder !== undefined) throw busy(folder, holder)
    return undefined
  }
  const file = fileOf(folder, last + 1)
  const text = JSON.stringify({ ...thisProcess(), id: randomUUID() })
  if (!(await isMade(file, text))) return undefined
  if (isDeepStrictEqual(await locksIn(folder), [...before, [last + 1, text]])) return file
  if ((await textOf(file)) === text) await rm(file, { force: true })
  return undefined
}

/** Tries until there is a lock: another process may have removed the folder between two steps, but not again and again. */
const takenAtLast = async (folder: string, signal: AbortSignal | undefined): Promise<string> => {
  for (let gone = 0; gone < TRIES; ) {
    signal?.throwIfAborted()
    try {
      const file = await taken(folder, signal)
      if (file !== undefined) return file
    } catch (cause) {
      if (!hasCode(cause, "ENOENT")) throw cause
      gone++
    }
  }
  throw problem(`${folder}: cannot be made, it is gone again each time`)
}

/** Only where a run was there: what else is in it stays, and the folder with it. */
const removeGone = async (folder: string): Promise<void> => {
  const gone = goneOf(folder)
  await removeOfRun(gone)
  await rmdir(gone).catch(() => undefined)
}

export class FolderLock {
  private readonly folder: string
  private readonly file: string
  private readonly beats: NodeJS.Timeout
  private isOver = false

  private constructor(folder: string, file: string) {
    this.folder = folder
    this.file = file
    this.beats = setInterval(() => void this.beat(), BEAT_MILLISECONDS).unref()
  }

  /**
   * @param signal ends the wait for a lock
   * @throws PortfolioProblem while another process has the folder
   */
  static async take(folder: string, signal?: AbortSignal): Promise<FolderLock> {
    const lock = new FolderLock(folder, await takenAtLast(folder, signal))
    try {
      signal?.throwIfAborted()
      await removeGone(folder)
      await expectFolderOfRun(folder)
    } catch (cause) {
      await lock.release()
      throw cause
    }
    return lock
  }

  private async beat(): Promise<void> {
    const now = new Date()
    await utimes(this.file, now, now).catch(() => undefined)
  }

  private end(): void {
    this.isOver = true
    clearInterval(this.beats)
  }

  /** Gives the folder up; where there is nothing in it, it is removed. */
  async release(): Promise<void> {
    if (this.isOver) return
    this.end()
    await rm(this.file, { force: true })
    await rmdir(this.folder).catch(() => undefined)
  }

  /** Removes the folder, and the lock with it. */
  async removeFolder(): Promise<void> {
    this.end()
    await rename(this.folder, goneOf(this.folder))
    await removeGone(this.folder)
  }
}

/** The folder for this process alone, until the scope ends. */
export const lockFolder = (folder: string): Effect.Effect<FolderLock, PortfolioProblem, Scope.Scope> =>
  Effect.acquireRelease(
    fromPromise((signal) => FolderLock.take(folder, signal)),
    (lock) => Effect.promise(() => lock.release()),
    { interruptible: true }
  )
