/** The writer of a sample to a file, atomically. */
import { writeFile } from "node:fs/promises"
import { Effect } from "effect"
import { type PortfolioProblem, problemOf } from "../read/problem.ts"
import { writeAtomically } from "../results/outputPaths.ts"
import { type SampleOptions, sampleBorrowers } from "./sampleBorrowers.ts"

const PIECE_CHARACTERS = 1 << 18

export function* sampleBlocks(options: SampleOptions): Generator<string, void> {
  let lines: Array<string> = []
  let characters = 0
  for (const line of sampleBorrowers(options)) {
    lines.push(line)
    characters += line.length
    if (characters < PIECE_CHARACTERS) continue
    yield `${lines.join("\n")}\n`
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield `${lines.join("\n")}\n`
}

/** Writes a sample. An interruption waits until the draft is removed. */
export const writeSample = (
  out: string,
  overwrite: boolean,
  options: SampleOptions
): Effect.Effect<void, PortfolioProblem> =>
  Effect.callback((resume, signal) => {
    const written = writeAtomically(out, (draft) => writeFile(draft, sampleBlocks(options), { signal }), { overwrite })
    const end = written.then(
      () => Effect.void,
      (cause: unknown) => Effect.fail(problemOf(cause))
    )
    void end.then(resume)
    return Effect.promise(() => end)
  })
