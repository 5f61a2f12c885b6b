/** The failure of a portfolio run, as lines for the person who started it. */
import { Data, Effect } from "effect"

/** Why a portfolio cannot be read, computed or written: lines for whoever asked for it. */
export class PortfolioProblem extends Data.TaggedError("PortfolioProblem")<{
  readonly lines: ReadonlyArray<string>
}> {}

export const problem = (...lines: ReadonlyArray<string>) => new PortfolioProblem({ lines })

/** What went wrong while files were read or written. */
export const problemOf = (cause: unknown): PortfolioProblem =>
  cause instanceof PortfolioProblem ? cause : problem(cause instanceof Error ? cause.message : String(cause))

/** What fails while files are read or written is a problem, not a defect. */
export const fromPromise = <A>(promise: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, PortfolioProblem> =>
  Effect.tryPromise({ try: promise, catch: problemOf })
