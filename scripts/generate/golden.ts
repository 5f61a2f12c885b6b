/**
 * The generator of the golden corpus: a hash of the figures for each block of fixed requests, with
 * the rule version that gave them. It refuses to write if figures changed and the version did not.
 */
import { readFileSync } from "node:fs"
import { CORPUS_FILE, drawBlocks, movedSince, printCorpus, refusalToRenew } from "../../test/golden/corpus.ts"
import { insist, say } from "../harness.ts"

export const goldenFiles = () => {
  const before = readFileSync(CORPUS_FILE, "utf8")
  const blocks = drawBlocks()
  const refusal = refusalToRenew(before, blocks)
  insist(refusal === undefined, `refused: ${refusal}`)
  for (const name of movedSince(before, blocks)) say(`moved: block ${name}`)
  return { [CORPUS_FILE]: printCorpus(blocks) }
}
