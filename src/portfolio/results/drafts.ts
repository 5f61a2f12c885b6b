/**
 * The drafts of a run: a private folder next to the results, whose files become the results at the
 * end. A run that ends removes its folder. That of a killed run is removed by the next run.
 */
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { type Claim, makeClaim, otherClaims } from "../../platform/claim.ts"
import { fromPromise, problem } from "../read/problem.ts"
import { allOutputs, placedOf } from "./outputPaths.ts"
import { linesIn } from "./textLines.ts"

const WRITTEN_BY_ANYONE = 0o002
const STICKY = 0o1000
const ROOT = 0

/**
 * Refuses a parent folder in which another account could replace the drafts. A group that may write
 * is trusted. So is the owner of a folder in which root works.
 */
const expectParent = Effect.fnUntraced(function* (parent: string, account: number) {
  const { mode, uid } = yield* fromPromise(() => stat(parent))
  if (account !== ROOT && uid !== account && uid !== ROOT)
    return yield* problem(
      `${parent} belongs to another account, which could replace the files of a run there: name another --out`
    )
  if ((mode & WRITTEN_BY_ANYONE) !== 0 && (mode & STICKY) === 0)
    return yield* problem(
      `${parent} is writable by everyone, so anyone could replace the files of a run there: name another --out`
    )
})

/** A run on another machine cannot be checked. After a day it counts as killed. */
const MAX_HOURS_ELSEWHERE = 24
const HOUR_MILLISECONDS = 3_600_000

/** Whether no process uses a folder of drafts, which must be of this account. */
const isLeft = async ({ folder, state }: Claim): Promise<boolean> => {
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined || (process.geteuid !== undefined && found.uid !== process.geteuid())) return false
  return state === "ended" || Date.now() - found.mtimeMs > MAX_HOURS_ELSEWHERE * HOUR_MILLISECONDS
}

/**
 * Removes drafts. Also removes files that a failed or killed run had put in place. The results come
 * last, so if they are there, all files stay.
 */
const remove = async (folder: string, out: string): Promise<void> => {
  const placed = await placedOf(allOutputs(out), folder)
  if (!placed.includes(out)) for (const file of placed) await rm(file)
  await rm(folder, { recursive: true, force: true })
}

/** Makes the folder of drafts of a run, until the scope ends. */
export const openDrafts = Effect.fnUntraced(function* (out: string) {
  const prefix = `${out}.draft-`
  yield* fromPromise(() => mkdir(dirname(out), { recursive: true }))
  if (process.geteuid !== undefined) yield* expectParent(dirname(resolve(out)), process.geteuid())
  const own = yield* Effect.acquireRelease(
    fromPromise(() => makeClaim(prefix)),
    (folder) => Effect.ignore(fromPromise(() => remove(folder, out)))
  )
  for (const claim of yield* fromPromise(() => otherClaims(prefix, own))) {
    if (claim.state === "running")
      return yield* problem(
        `${out}: another run is writing it, ${claim.holder}. Wait until it ends, or name another --out.`,
        `If that process is not a run, remove ${claim.folder}.`
      )
    if (yield* fromPromise(() => isLeft(claim))) yield* fromPromise(() => remove(claim.folder, out))
  }
  return own
})

/** A range of bytes of a draft. */
export interface Span {
  readonly begin: number
  readonly end: number
}

/** A file of drafts that grows at its end. */
export class Draft {
  readonly path: string
  /** The appended bytes, piece by piece. */
  readonly spans: Array<Span> = []
  private readonly handle: FileHandle

  constructor(path: string, handle: FileHandle) {
    this.path = path
    this.handle = handle
  }

  /** Appends bytes, after earlier ones have been written. */
  async append(bytes: Uint8Array): Promise<Span> {
    await this.handle.appendFile(bytes)
    const begin = this.spans.at(-1)?.end ?? 0
    const span = { begin, end: begin + bytes.byteLength }
    this.spans.push(span)
    return span
  }

  async read({ begin, end }: Span): Promise<Uint8Array> {
    if (begin === end) return new Uint8Array()
    const inOneRead = { start: begin, end: end - 1, highWaterMark: end - begin }
    return Buffer.concat(await createReadStream(this.path, inOneRead).toArray())
  }

  lines(): AsyncGenerator<string, void> {
    return linesIn(this.handle)
  }
}

/** @param mode permissions of the file, by default those of the umask */
export const openDraft = (folder: string, name: string, mode?: number) => {
  const path = join(folder, name)
  return Effect.acquireRelease(
    fromPromise(() => open(path, "ax+", mode)),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(Effect.map((handle) => new Draft(path, handle)))
}
