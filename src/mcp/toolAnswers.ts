/** The result of a tool call: the answer, or a problem document that says what to do. */
import { Effect } from "effect"
import { InternalProblem, isProblem, type Problem } from "../../schema/problems.ts"
import type { Reply } from "./toolCalls.ts"

export interface ToolAnswer {
  /** The object that the output schema describes; undefined for a problem, which is in the text. */
  readonly structured: object | undefined
  readonly text: string
  /** Shown after the answer, in a separate text block. */
  readonly notice?: string
}

/** A defect is logged and not shown to the client. */
const toProblem = (failure: unknown): Effect.Effect<Problem> =>
  isProblem(failure)
    ? Effect.succeed(failure)
    : Effect.as(Effect.logError("tool call failed", failure), new InternalProblem({}))

/** Never fails. `documentOf` completes a problem for the caller. */
export const toolAnswer = (
  call: Effect.Effect<Reply, Problem>,
  documentOf: (problem: Problem) => object,
  notice?: string
): Effect.Effect<ToolAnswer> =>
  call.pipe(
    Effect.map((reply): ToolAnswer => ({ ...reply, ...(notice === undefined ? {} : { notice }) })),
    Effect.catchDefect(Effect.fail),
    Effect.catch((failure) =>
      Effect.map(toProblem(failure), (problem) => ({
        structured: undefined,
        text: JSON.stringify(documentOf(problem))
      }))
    )
  )
