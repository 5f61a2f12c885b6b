/**
 * Borrowers from one program to another: lines come in, rows go out in their order, and nothing is kept. A line that cannot
 * be computed has its reason where its rows would be. What stood in earlier lines is not known: an id may come again.
 */
import { type Effect, Stream } from "effect"
import type { Computers } from "./compute/computers.ts"
import { numbered } from "./computeParts.ts"
import { type Input, UTF_8 } from "./read/input.ts"
import { type PortfolioProblem, problemOf } from "./read/problem.ts"

const BY_ITSELF = { duplicateIds: new Set<bigint>(), isInPlace: true }

/** @param write takes lines without the last newline, and says whether anybody reads on */
export const streamPortfolio = <E, R>(
  input: Input,
  computers: Computers,
  write: (lines: string) => Effect.Effect<boolean, E, R>
): Effect.Effect<void, PortfolioProblem | E, R> =>
  Stream.fromAsyncIterable(numbered(input), problemOf).pipe(
    Stream.mapEffect(({ share: _share, ...chunk }) => computers.compute({ ...chunk, ...BY_ITSELF }), {
      concurrency: computers.atOnce
    }),
    Stream.map(({ rows }) => UTF_8.decode(rows).slice(0, -1)),
    Stream.filter((lines) => lines !== ""),
    Stream.mapEffect(write),
    Stream.takeWhile((isRead) => isRead),
    Stream.runDrain
  )
