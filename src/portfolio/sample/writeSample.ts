/** A sample as a file: under its name there is all of it or nothing. */
import { open, rename, rm } from "node:fs/promises"
import { Effect, Exit } from "effect"
import { fromPromise } from "../run.ts"
import { type SampleOptions, sampleBorrowers } from "./sampleBorrowers.ts"

/** About as much as is written at once. */
const PIECE_CHARACTERS = 1 << 18

/** The text of a sample, a piece after the other, each of whole lines. */
export function* samplePieces(options: SampleOptions): Generator<string, void> {
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

export const writeSample = (out: string, options: SampleOptions) => {
  const draft = `${out}.draft`
  const written = Effect.acquireUseRelease(
    fromPromise(() => open(draft, "w")),
    Effect.fnUntraced(function* (file) {
      for (const piece of samplePieces(options)) yield* fromPromise(() => file.writeFile(piece))
    }),
    (file, exit) =>
      Effect.promise(async () => {
        await file.close()
        if (Exit.isFailure(exit)) await rm(draft, { force: true })
      })
  )
  return Effect.andThen(
    written,
    fromPromise(() => rename(draft, out))
  )
}
