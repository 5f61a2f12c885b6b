/**
 * Renews the golden corpus, test/golden/corpus.txt: the figures of every request as they are now, with the version that
 * they belong to. Refuses when figures moved and the version is still that of the corpus. Run: npm run golden
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { engineRevision, ruleVersion } from "../ledger/release.ts"
import {
  CORPUS_FILE,
  type Corpus,
  drawGoldens,
  FAST_CHECK,
  movedSince,
  parseCorpus,
  printCorpus,
  redrawnSince,
  refusalToRenew
} from "../test/golden/corpus.ts"

const NONE: Corpus = { ruleVersion: "none", engineRevision: 0, fastCheck: "none", hashes: [] }

const before = existsSync(CORPUS_FILE) ? parseCorpus(readFileSync(CORPUS_FILE, "utf8")) : NONE
const now = { ruleVersion, engineRevision, fastCheck: FAST_CHECK }
const goldens = drawGoldens()

const refusal = refusalToRenew(before, goldens, now)
if (refusal === undefined) {
  writeFileSync(CORPUS_FILE, printCorpus({ ...now, hashes: goldens }))
  const moved = movedSince(before, goldens).length
  const redrawn = redrawnSince(before, goldens).length
  console.log(
    `${before.ruleVersion} -> ${ruleVersion}: ${goldens.length} requests, ${moved} moved, ${redrawn} drawn anew`
  )
} else {
  console.error(["refused:", ...refusal].join("\n"))
  process.exitCode = 1
}
