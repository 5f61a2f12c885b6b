/**
 * The generator of the golden corpus: a hash of the figures for each block of fixed requests, with
 * the rule version that gave them. It refuses to write if figures changed and the version did not.
 */
import { readFileSync } from "node:fs"
import { engineRevision, ruleVersion } from "../../ledger/release.ts"
import {
  CORPUS_FILE,
  drawBlocks,
  FAST_CHECK,
  movedSince,
  parseCorpus,
  printCorpus,
  redrawnSince,
  refusalToRenew
} from "../../test/golden/corpus.ts"
import { insist, say } from "../harness.ts"

export const goldenFiles = () => {
  const before = parseCorpus(readFileSync(CORPUS_FILE, "utf8"))
  const now = { ruleVersion, engineRevision, fastCheck: FAST_CHECK }
  const blocks = drawBlocks()
  const refusal = refusalToRenew(before, blocks, now)
  insist(refusal === undefined, ["refused:", ...(refusal ?? [])].join("\n"))
  const [moved, redrawn] = [movedSince(before, blocks).length, redrawnSince(before, blocks).length]
  say(`${before.ruleVersion} -> ${ruleVersion}: ${blocks.length} blocks, ${moved} moved, ${redrawn} drawn anew`)
  return { [CORPUS_FILE]: printCorpus({ ...now, hashes: blocks }) }
}
