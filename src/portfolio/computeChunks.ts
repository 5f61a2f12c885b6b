/**
 * The compute step of a run. It reads the input in chunks of lines, computes each, and appends rows
 * and rejected rows to drafts in input order. If ids repeat, a second pass computes their chunks
 * again without them.
 */
import { createHash } from "node:crypto"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect, Ref, type Scope, Stream } from "effect"
import type { Computers } from "./compute/computers.ts"
import { type Input, type InputChunk, UTF_8 } from "./read/input.ts"
import { fromPromise, type PortfolioProblem, problem, problemOf } from "./read/problem.ts"
import { type Draft, openDraft, type Span } from "./results/drafts.ts"
import { writing } from "./results/outputPaths.ts"
import type { ChunkResult } from "./results/portfolio.ts"
import { ReasonTally } from "./results/reasons.ts"
import { type RowsFormat, WRITING } from "./results/rows.ts"
import { addSummaries, EMPTY, type Summary } from "./results/summary.ts"

export interface Progress {
  readonly summary: Summary
  /** Share of the input that is done, 0 to 1; null if its size is unknown. */
  readonly share: number | null
  /** Recorded answers; null before recording begins. */
  readonly recorded: number | null
}

export const NOTHING_DONE: Progress = { summary: EMPTY, share: 0, recorded: null }

export interface Run {
  readonly input: Input
  readonly computers: Computers
  /** The results file, which a problem names, and the folder of its drafts. */
  readonly out: string
  readonly folder: string
  /** Null if the rows are not written yet, but recorded first. */
  readonly format: RowsFormat | null
  readonly carry: ReadonlyArray<string>
  readonly progress: Ref.Ref<Progress>
}

type Numbered = InputChunk & { readonly index: number }

/** The chunks of an input, each with its index. */
export async function* numbered(input: Input): AsyncGenerator<Numbered, void> {
  let index = 0
  for await (const chunk of input.chunks()) yield { ...chunk, index: index++ }
}

/** Mode of files that contain input rows, or answers with their salts. */
export const OWNER_ONLY = 0o600

/** The output of a chunk, and the keys that are needed to find duplicate ids. */
interface Done extends Pick<ChunkResult, "ids" | "summary"> {
  readonly rows: Span
  readonly rejected: Span
}

/** The result of one pass. */
export interface Computed {
  readonly rows: Draft
  readonly rejected: Draft
  readonly summary: Summary
  /** Whether the rows of a table have the column presentValue. */
  readonly isDiscounted: boolean
  readonly reasons: ReasonTally
  /** A hash of all lines. */
  readonly lines: string
  readonly chunks: ReadonlyArray<Done>
}

/** An earlier pass, and the keys of its duplicate ids. */
interface Repeated {
  readonly pass: Computed
  readonly keys: ReadonlySet<bigint>
}

/**
 * Frees a chunk's rows, which are megabytes, at once. Left to the garbage collector, they would
 * cause one collection after another. Node 20 has no `transfer`.
 */
const free = ({ buffer }: ChunkResult["rows"]): void => {
  if ("transfer" in buffer) buffer.transfer(0)
}

/** A table was begun without the column presentValue, and a borrower needs it. */
class NeedsPresentValue extends Data.TaggedError("NeedsPresentValue") {}

/** Maximum number of chunks that wait in memory for an earlier one. Others wait on disk. */
const MAX_WAITING = 16

const computePass = Effect.fnUntraced(function* (run: Run, name: string, isDiscounted: boolean, repeated?: Repeated) {
  const { carry, computers, folder, format, input, out, progress } = run
  const rows = yield* openDraft(folder, `rows-${name}`)
  const rejected = yield* openDraft(folder, `rejected-${name}`, OWNER_ONLY)
  if (format !== null) yield* writing(out, () => rows.append(Buffer.from(WRITING[format].head(isDiscounted, carry))))
  yield* Ref.set(progress, NOTHING_DONE)
  const lines = createHash("sha256")
  const reasons = new ReasonTally()
  const chunks: Array<Done> = []
  let waiting = 0

  const compute = Effect.fnUntraced(function* (chunk: Omit<Numbered, "share">, duplicateIds: ReadonlySet<bigint>) {
    const result = yield* computers.compute({ ...chunk, duplicateIds, isDiscounted })
    if (waiting++ < MAX_WAITING) return result
    const file = join(folder, `waiting-${name}-${chunk.index}`)
    yield* writing(out, () => writeFile(file, result.rows))
    free(result.rows)
    return { ...result, rows: () => readFile(file).finally(() => rm(file)) }
  })

  const resultOf = Effect.fnUntraced(function* ({ share, ...chunk }: Numbered) {
    const before = repeated?.pass.chunks[chunk.index]
    const keys = new Set(before?.ids.filter((key) => repeated!.keys.has(key)))
    if (before === undefined || keys.size > 0) return { ...(yield* compute(chunk, keys)), share }
    const { pass } = repeated!
    waiting++
    const text = UTF_8.decode(yield* fromPromise(() => pass.rejected.read(before.rejected)))
    return { ...before, rejected: text, rows: () => pass.rows.read(before.rows), share }
  })

  const append = Effect.fnUntraced(function* (one: Effect.Success<ReturnType<typeof resultOf>>) {
    const { ids, rejected: text, rows: computed, share, summary } = one
    if (summary.discounted !== undefined && !isDiscounted && format !== null && WRITING[format].isTable)
      return yield* new NeedsPresentValue()
    const isInMemory = typeof computed !== "function"
    const spans = yield* writing(out, async () => ({
      rows: await rows.append(isInMemory ? computed : await computed()),
      rejected: await rejected.append(Buffer.from(text))
    }))
    if (isInMemory) free(computed)
    waiting--
    chunks.push({ ids, summary, ...spans })
    reasons.add(text)
    yield* Ref.update(progress, (before) => ({ ...before, summary: addSummaries(before.summary, summary), share }))
  })

  yield* Stream.fromAsyncIterable(numbered(input), problemOf).pipe(
    Stream.tap((chunk) => Effect.sync(() => lines.update(chunk.lines))),
    Stream.mapEffect(resultOf, { concurrency: computers.atOnce }),
    Stream.runForEach(append)
  )
  const { summary } = yield* Ref.get(progress)
  const hasDiscount = isDiscounted || summary.discounted !== undefined
  return {
    rows,
    rejected,
    summary,
    isDiscounted: hasDiscount,
    reasons,
    lines: lines.digest("hex"),
    chunks
  } satisfies Computed
})

const CHANGED = "changed while it was read. The run has stopped, because its results would mix both versions"

const expectUnchanged = Effect.fnUntraced(function* (input: Input) {
  const changed = yield* fromPromise(() => input.changed())
  if (changed.length > 0)
    return yield* problem(
      ...changed.map((name) => `${name} has ${CHANGED}.`),
      "Run the same command again when the file is complete: it starts over."
    )
})

/** The keys that occur more than once. Needs eight more bytes for each borrower. */
const duplicatesIn = (chunks: ReadonlyArray<Done>): ReadonlySet<bigint> => {
  const all = new BigUint64Array(chunks.reduce((sum, { ids }) => sum + ids.length, 0))
  let end = 0
  for (const { ids } of chunks) {
    all.set(ids, end)
    end += ids.length
  }
  all.sort()
  return new Set(all.filter((key, index) => index > 0 && key === all[index - 1]))
}

/**
 * Computes the input, from its beginning again when a table turns out to need the column
 * presentValue. Then computes the chunks with duplicate ids again, with those ids rejected. Stops
 * if the input changes meanwhile.
 */
export const computeChunks = Effect.fnUntraced(function* (run: Run) {
  const unchanged = expectUnchanged(run.input)
  const compute = (
    name: string,
    isDiscounted: boolean,
    repeated?: Repeated
  ): Effect.Effect<Computed, PortfolioProblem, Scope.Scope> =>
    computePass(run, name, isDiscounted, repeated).pipe(
      Effect.tapError(() => unchanged),
      Effect.tap(unchanged),
      Effect.catchTag("NeedsPresentValue", () => compute("discounted", true, repeated))
    )
  const pass = yield* compute("first", false)
  const keys = duplicatesIn(pass.chunks)
  return keys.size === 0 ? pass : yield* compute("second", pass.isDiscounted, { pass, keys })
})
