/** A sample as a file: under its name there is all of it or nothing. */
import { open, rename, rm } from "node:fs/promises"
import { type SampleOptions, sampleBorrowers } from "./sampleBorrowers.ts"

/** About as much as is written at once. */
const PIECE_CHARACTERS = 1 << 20

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

export const writeSample = async (out: string, options: SampleOptions, signal: AbortSignal): Promise<void> => {
  const draft = `${out}.draft`
  const file = await open(draft, "w")
  try {
    for (const piece of samplePieces(options)) {
      signal.throwIfAborted()
      await file.writeFile(piece)
    }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await file.close()
  }
  await rename(draft, out)
}
