/**
 * Streaming mode: reads lines, writes rows in the same order, and stores nothing. For a rejected
 * line it writes the reason in place of the rows. Duplicate ids are not detected.
 */
import { type Effect, Stream } from "effect"
import type { Computers } from "./compute/computers.ts"
import { numbered } from "./computeParts.ts"
import { type Input, UTF_8 } from "./read/input.ts"
import { type PortfolioProblem, problemOf } from "./read/problem.ts"

const STREAMED = { duplicateIds: new Set<bigint>(), isInPlace: true }

/**
 * @param write writes lines, given without the final newline; returns false once the reader has
 * gone
 */
export const streamPortfolio = <E, R>(
  input: Input,
  computers: Computers,
  write: (lines: string) => Effect.Effect<boolean, E, R>
): Effect.Effect<void, PortfolioProblem | E, R> =>
  Stream.fromAsyncIterable(numbered(input), problemOf).pipe(
    Stream.mapEffect(({ share: _share, ...chunk }) => computers.compute({ ...chunk, ...STREAMED }), {
      concurrency: computers.atOnce
    }),
    Stream.map(({ rows }) => UTF_8.decode(rows).slice(0, -1)),
    Stream.filter((lines) => lines !== ""),
    Stream.mapEffect(write),
    Stream.takeWhile((isRead) => isRead),
    Stream.runDrain
  )
