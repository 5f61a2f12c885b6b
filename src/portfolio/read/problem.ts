/**
 * The failure of a portfolio run, as lines for the person who started it. Readers throw it, because
 * they are async generators over rows; `fromPromise` makes it a failure of an effect.
 */
import { Data, Effect } from "effect"

export class PortfolioProblem extends Data.TaggedError("PortfolioProblem")<{
  readonly lines: ReadonlyArray<string>
}> {}

export const problem = (...lines: ReadonlyArray<string>) => new PortfolioProblem({ lines })

export const problemOf = (cause: unknown): PortfolioProblem =>
  cause instanceof PortfolioProblem ? cause : problem(cause instanceof Error ? cause.message : String(cause))

/** Turns a rejected promise of file work into a problem instead of a defect. */
export const fromPromise = <A>(promise: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, PortfolioProblem> =>
  Effect.tryPromise({ try: promise, catch: problemOf })
