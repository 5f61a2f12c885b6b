/**
 * The golden corpus: the figures of every request as they are now, with the version that they belong to. It is refused when
 * figures moved and the version is still that of the corpus.
 */
import { readFileSync } from "node:fs"
import { engineRevision, ruleVersion } from "../../ledger/release.ts"
import {
  CORPUS_FILE,
  drawGoldens,
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
  const goldens = drawGoldens()
  const refusal = refusalToRenew(before, goldens, now)
  insist(refusal === undefined, ["refused:", ...(refusal ?? [])].join("\n"))
  const [moved, redrawn] = [movedSince(before, goldens).length, redrawnSince(before, goldens).length]
  say(`${before.ruleVersion} -> ${ruleVersion}: ${goldens.length} requests, ${moved} moved, ${redrawn} drawn anew`)
  return { [CORPUS_FILE]: printCorpus({ ...now, hashes: goldens }) }
}
