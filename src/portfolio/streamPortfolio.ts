/**
 * Streaming mode: reads lines, writes rows in the same order, and stores nothing. For a rejected
 * line it writes the reason in place of the rows. Duplicate ids are not detected.
 */
import { Effect, Stream } from "effect"
import type { Computers } from "./compute/computers.ts"
import { numbered } from "./computeChunks.ts"
import { type Input, UTF_8 } from "./read/input.ts"
import { type PortfolioProblem, problemOf } from "./read/problem.ts"
import type { Summary } from "./results/summary.ts"

const STREAMED = { duplicateIds: new Set<bigint>(), isInPlace: true }

type Counts = Pick<Summary, "rows" | "rejectedRows">

/**
 * @param write writes lines, given without the final newline; returns false once the reader has
 * gone
 */
export const streamPortfolio = <E, R>(
  input: Input,
  computers: Computers,
  write: (lines: string) => Effect.Effect<boolean, E, R>
): Effect.Effect<Counts, PortfolioProblem | E, R> =>
  Stream.fromAsyncIterable(numbered(input), problemOf).pipe(
    Stream.mapEffect(({ share: _share, ...chunk }) => computers.compute({ ...chunk, ...STREAMED }), {
      concurrency: computers.atOnce
    }),
    Stream.mapEffect(({ rows, summary }) => {
      const lines = UTF_8.decode(rows).slice(0, -1)
      const written = lines === "" ? Effect.succeed(true) : write(lines)
      return Effect.map(written, (isRead) => ({ isRead, summary }))
    }),
    Stream.takeWhile(({ isRead }) => isRead),
    Stream.runFold(
      (): Counts => ({ rows: 0, rejectedRows: 0 }),
      (all, { summary }) => ({
        rows: all.rows + summary.rows,
        rejectedRows: all.rejectedRows + summary.rejectedRows
      })
    )
  )
