/**
 * The compute step of a run: reads the input in chunks of lines, computes each and stores its
 * result as a part. A run killed at any moment resumes when started again, and ends with the same
 * bytes.
 */
import { hash } from "node:crypto"
import { Effect, Ref, Stream } from "effect"
import type { Computers } from "./compute/computers.ts"
import type { Input, InputChunk } from "./read/input.ts"
import { fromPromise, type PortfolioProblem, problem, problemOf } from "./read/problem.ts"
import type { ChunkResult } from "./results/portfolio.ts"
import { addSummaries, EMPTY, type Summary } from "./results/summary.ts"
import type { GrowingResults } from "./store/assemble.ts"
import { findDuplicateIds } from "./store/duplicateIds.ts"
import { areRecorded, removeRun, resumeAdvice } from "./store/manifest.ts"
import type { Part, Parts } from "./store/parts.ts"

export interface Progress {
  readonly summary: Summary
  /** Borrowers done by an earlier start of the same run. */
  readonly before: number
  /** Share of the input that is done, 0 to 1; null if its size is unknown. */
  readonly share: number | null
  /** Recorded answers; null before recording begins. */
  readonly recorded: number | null
}

export const NOTHING_DONE: Progress = { summary: EMPTY, before: 0, share: 0, recorded: null }

export interface Run {
  readonly input: Input
  readonly computers: Computers
  readonly parts: Parts
  /** Collects the rows of the parts while others are still being computed. */
  readonly results?: GrowingResults | undefined
  readonly progress: Ref.Ref<Progress>
}

export type Numbered = InputChunk & { readonly index: number }

/** The chunks of an input, each with its index. */
export async function* numbered(input: Input): AsyncGenerator<Numbered, void> {
  let index = 0
  for await (const chunk of input.chunks()) yield { ...chunk, index: index++ }
}

const borrowersOf = ({ borrowers, rejected }: Summary): number => borrowers + rejected

export interface Computed {
  readonly count: number
  readonly summary: Summary
}

interface Ready {
  readonly part: Part
  readonly share: number | null
  /** Set if the part was just computed and its rows are still in memory. */
  readonly rows?: ChunkResult["rows"]
}

/**
 * Frees a chunk's rows, which are megabytes, at once. Left to the garbage collector, they would
 * cause one collection after another. Node 20 has no `transfer`.
 */
const free = ({ buffer }: ChunkResult["rows"]): void => {
  if ("transfer" in buffer) buffer.transfer(0)
}

/**
 * How many parts may keep their rows in memory until the earlier parts are done. The rows of
 * further parts are read from disk again.
 */
const MAX_HELD_PARTS = 16

/**
 * Refuses a file whose lines are not those of a stored part. The fingerprint cannot show every
 * change: it has only the size and the mtime.
 */
const refuseOtherLines = async (parts: Parts, file: string): Promise<never> => {
  throw problem(
    `${file} has changed since the run in ${parts.folder} began, so its parts no longer match.`,
    await resumeAdvice(parts.folder, "Restore the file")
  )
}

const computeMissing = Effect.fnUntraced(function* ({ computers, input, parts, progress, results }: Run) {
  const duplicateIds = yield* fromPromise(() => parts.duplicateIds())
  const done = yield* fromPromise(() => parts.done())
  yield* Ref.set(progress, NOTHING_DONE)
  results?.begin()
  let heldParts = 0
  const compute = Effect.fnUntraced(function* ({ share: _share, ...chunk }: Numbered, lines: string) {
    const duplicatesInChunk = yield* fromPromise(() => parts.keysIn(chunk.index, duplicateIds))
    const result = yield* computers.compute({ ...chunk, duplicateIds: duplicatesInChunk })
    const part = yield* fromPromise(() => parts.write(chunk.index, lines, result))
    yield* computers.written(chunk.index)
    if (results !== undefined && heldParts < MAX_HELD_PARTS) {
      heldParts++
      return { part, rows: result.rows }
    }
    free(result.rows)
    return { part }
  })
  const partOf = Effect.fnUntraced(function* (chunk: Numbered) {
    const kept = done.get(chunk.index)
    const lines = hash("sha256", chunk.lines)
    if (kept !== undefined && kept.lines !== lines) yield* fromPromise(() => refuseOtherLines(parts, chunk.file))
    const ready = kept === undefined ? yield* compute(chunk, lines) : { part: kept }
    return { ...ready, share: chunk.share } satisfies Ready
  })
  const add = ({ part, share }: Ready) =>
    Ref.update(progress, ({ before, summary, recorded }) => ({
      summary: addSummaries(summary, part.summary),
      before: before + (done.has(part.index) ? borrowersOf(part.summary) : 0),
      share,
      recorded
    }))
  const appendRows = async ({ part, rows }: Ready) => {
    await results?.add(rows ?? (await parts.read(part.index, "rows")))
    if (rows === undefined) return
    free(rows)
    heldParts--
  }
  const count = yield* Stream.fromAsyncIterable(numbered(input), problemOf).pipe(
    Stream.mapEffect(partOf, { concurrency: computers.atOnce }),
    Stream.tap(add),
    Stream.tap((ready) => fromPromise(() => appendRows(ready))),
    Stream.runCount
  )
  const { summary } = yield* Ref.get(progress)
  return { count, summary } satisfies Computed
})

const CHANGED = "changed while it was read. The run has stopped, because its results would mix both versions"

/**
 * Stops a run whose input changed, and discards its parts, which may mix old and new content. A run
 * with recorded answers is kept: recording begins only after all is computed from unchanged files.
 */
const refuseChanged = async ({ input, parts }: Run): Promise<void> => {
  const changed = await input.changed()
  if (changed.length === 0) return
  const isKept = await areRecorded(parts.folder)
  if (!isKept) await removeRun(parts.folder)
  throw problem(
    ...changed.map((name) => `${name} has ${CHANGED}.`),
    isKept
      ? `The recorded answers are kept in ${parts.folder}: restore the file, and run the same command again.`
      : "Run the same command again when the file is complete: it starts over."
  )
}

/** One pass: reads the whole input once, and stops the run if the input changed meanwhile. */
const computePass = (run: Run): Effect.Effect<Computed, PortfolioProblem> => {
  const unchanged = fromPromise(() => refuseChanged(run))
  return computeMissing(run).pipe(
    Effect.tapError(() => unchanged),
    Effect.tap(unchanged)
  )
}

/**
 * Repeats passes until they find no new duplicate id. Parts that contain a duplicate id are
 * recomputed with that id rejected.
 */
export const computeParts = (run: Run): Effect.Effect<Computed, PortfolioProblem> =>
  Effect.gen(function* () {
    const { parts } = run
    const computed = yield* computePass(run)
    const known = yield* fromPromise(() => parts.duplicateIds())
    const found = yield* fromPromise(() => findDuplicateIds(parts, computed.count))
    const fresh = [...found.keys].filter((key) => !known.has(key))
    if (fresh.length === 0) return computed
    // Parts are forgotten before the ids are stored: if killed in between, the next start
    // recomputes those parts and finds the ids again.
    for (const index of found.parts) yield* fromPromise(() => parts.forget(index))
    yield* fromPromise(() => parts.keepDuplicateIds(new Set([...known, ...fresh])))
    return yield* computeParts(run)
  })
