/**
 * A portfolio from its input to its results: chunks are read in order, computed by whoever computes, kept as parts, and put
 * together when all are there. Killed at any moment and asked for again it goes on, and ends with the same bytes.
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
import { areRecorded, removeRun, wayOn } from "./store/manifest.ts"
import type { Part, Parts } from "./store/parts.ts"

/** How far a run is. */
export interface Progress {
  readonly summary: Summary
  /** Borrowers that an earlier start of the same run had done. */
  readonly before: number
  /** How much of the input is done, 0 to 1; null where its size is not known. */
  readonly share: number | null
  /** Answers that are recorded; null before the first is asked for. */
  readonly recorded: number | null
}

export const NOTHING_DONE: Progress = { summary: EMPTY, before: 0, share: 0, recorded: null }

export interface Run {
  readonly input: Input
  readonly computers: Computers
  readonly parts: Parts
  /** Where the rows of the parts are put together meanwhile. */
  readonly results?: GrowingResults | undefined
  readonly progress: Ref.Ref<Progress>
}

export type Numbered = InputChunk & { readonly index: number }

/** The chunks of an input, counted. */
export async function* numbered(input: Input): AsyncGenerator<Numbered, void> {
  let index = 0
  for await (const chunk of input.chunks()) yield { ...chunk, index: index++ }
}

const borrowersOf = ({ borrowers, rejected }: Summary): number => borrowers + rejected

/** How many parts there are, and what they add up to. */
export interface Computed {
  readonly count: number
  readonly summary: Summary
}

/** A part that is on the disk. */
interface Ready {
  readonly part: Part
  readonly share: number | null
  /** Of a part that was not there before, where they are still at hand. */
  readonly rows?: ChunkResult["rows"]
}

/** Gives megabytes back at once: where they wait to be collected, all else is looked through again and again. Node 20 cannot. */
const free = ({ buffer }: ChunkResult["rows"]): void => {
  if ("transfer" in buffer) buffer.transfer(0)
}

/** Parts whose rows stay in memory until those before them have come; of others they are read again. */
const MOST_HELD = 16

/** Files are known by their size and the time of their last change, which another one can have too. */
const refuseOther = async (parts: Parts, file: string): Promise<never> => {
  throw problem(
    `${file} is not what it was when ${parts.folder} was begun, whose parts are of other lines.`,
    await wayOn(parts.folder, "Bring the file back as it was")
  )
}

/** Computes the chunks that are not done yet. */
const computeMissing = Effect.fnUntraced(function* ({ computers, input, parts, progress, results }: Run) {
  const duplicateIds = yield* fromPromise(() => parts.duplicateIds())
  const done = yield* fromPromise(() => parts.done())
  yield* Ref.set(progress, NOTHING_DONE)
  results?.begin()
  let held = 0
  const compute = Effect.fnUntraced(function* ({ share: _share, ...chunk }: Numbered, lines: string) {
    const ofChunk = yield* fromPromise(() => parts.ofKeys(chunk.index, duplicateIds))
    const result = yield* computers.compute({ ...chunk, duplicateIds: ofChunk })
    const part = yield* fromPromise(() => parts.write(chunk.index, lines, result))
    yield* computers.written(chunk.index)
    if (results !== undefined && held < MOST_HELD) {
      held++
      return { part, rows: result.rows }
    }
    free(result.rows)
    return { part }
  })
  const partOf = Effect.fnUntraced(function* (chunk: Numbered) {
    const kept = done.get(chunk.index)
    const lines = hash("sha256", chunk.lines)
    if (kept !== undefined && kept.lines !== lines) yield* fromPromise(() => refuseOther(parts, chunk.file))
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
  const grow = async ({ part, rows }: Ready) => {
    await results?.add(rows ?? (await parts.read(part.index, "rows")))
    if (rows === undefined) return
    free(rows)
    held--
  }
  const count = yield* Stream.fromAsyncIterable(numbered(input), problemOf).pipe(
    Stream.mapEffect(partOf, { concurrency: computers.atOnce }),
    Stream.tap(add),
    Stream.tap((ready) => fromPromise(() => grow(ready))),
    Stream.runCount
  )
  const { summary } = yield* Ref.get(progress)
  return { count, summary } satisfies Computed
})

const CHANGED = "changed while it was read: the run has stopped, because its results would be of neither state of it"

/**
 * Stops a run whose files have changed since it was begun, and discards its parts, which may be of both states. Recorded
 * ones are kept: recording begins when all is computed from files that have not changed.
 */
const refuseChanged = async ({ input, parts }: Run): Promise<void> => {
  const changed = await input.changed()
  if (changed.length === 0) return
  const isKept = await areRecorded(parts.folder)
  if (!isKept) await removeRun(parts.folder)
  throw problem(
    ...changed.map((name) => `${name} has ${CHANGED}.`),
    isKept
      ? `What is recorded is in ${parts.folder}: bring the file back as it was, and give the same command again.`
      : "Give the same command again when the file is complete: it begins anew."
  )
}

/** Reads the input once. */
const computePass = (run: Run): Effect.Effect<Computed, PortfolioProblem> => {
  const unchanged = fromPromise(() => refuseChanged(run))
  return computeMissing(run).pipe(
    Effect.tapError(() => unchanged),
    Effect.tap(unchanged)
  )
}

/** Computes until no id occurs twice among the answers: parts in which one does are computed again without it. */
export const computeParts = (run: Run): Effect.Effect<Computed, PortfolioProblem> =>
  Effect.gen(function* () {
    const { parts } = run
    const computed = yield* computePass(run)
    const known = yield* fromPromise(() => parts.duplicateIds())
    const found = yield* fromPromise(() => findDuplicateIds(parts, computed.count))
    const fresh = [...found.keys].filter((key) => !known.has(key))
    if (fresh.length === 0) return computed
    // Killed between the two, it finds the ids again: what is known to be repeated is in no part that is done.
    for (const index of found.parts) yield* fromPromise(() => parts.forget(index))
    yield* fromPromise(() => parts.keepDuplicateIds(new Set([...known, ...fresh])))
    return yield* computeParts(run)
  })
