/**
 * Tests of the golden corpus: while the rules have one version, no request of the corpus may get
 * other figures. Other tests check whether the figures are right.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { engineRevision, ruleVersion } from "../ledger/release.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import {
  blocksOf,
  CORPUS_FILE,
  type Corpus,
  complaintsOf,
  drawBlocks,
  expandBlock,
  FAST_CHECK,
  parseCorpus,
  printCorpus,
  refusalToRenew
} from "./golden/corpus.ts"

const text = readFileSync(CORPUS_FILE, "utf8")
const corpus = parseCorpus(text)
const now = { ruleVersion, engineRevision, fastCheck: FAST_CHECK }
const blocks = drawBlocks()
const goldens = blocks.flatMap((block) => block.goldens)

describe("the golden corpus", () => {
  it("has the same figures as long as the version is the same", () => {
    const complaints = complaintsOf(corpus, blocks, now)
    if (complaints.length > 0) throw new Error(complaints.join("\n"))
  })

  it("is drawn and answered the same every time", () => {
    expect(printCorpus({ ...now, hashes: drawBlocks() })).toBe(printCorpus({ ...now, hashes: blocks }))
  })

  it("is one line per block for 126 blocks, and survives parsing and printing", () => {
    expect(printCorpus(corpus)).toBe(text)
    expect(corpus.hashes).toHaveLength(126)
    expect(goldens).toHaveLength(6300)
  })

  it("has figures under every plan, every forgiveness, every obstacle, and starts around the ends of plans", () => {
    const text = JSON.stringify(goldens.map(({ answered, asked }) => [answered, JSON.parse(asked)]))
    const words = [
      ...PLAN_TYPES.map((planType) => `"planType":"${planType}"`),
      ...["None", "TimeBased", "Pslf"].map((type) => `"forgivenessType":"${type}"`),
      ...["2026-12", "2028-6", "2028-7", "2028-8"].map((start) => `{"start":"${start}"`),
      ...["Closed", "BalanceTooSmall", "NotNewBorrower", "TermSpent", "TimeServed", "ServiceDone"],
      ...["Vacated", "ClosedToNewLoans", "OnlyNewLoans"]
    ]
    expect(words.filter((word) => !text.includes(word.includes('"') ? word : `"${word}"`))).toEqual([])
  })
})

describe("an outdated corpus", () => {
  const kept: Corpus = { ...now, hashes: blocks }
  const withOther = (member: "figures" | "request", ...numbers: ReadonlyArray<number>): Corpus => ({
    ...kept,
    hashes: blocks.map((block) => (numbers.includes(block.number) ? { ...block, [member]: "0000000000000000" } : block))
  })

  it("with moved figures lists the first requests and the remedy, and is not renewed", () => {
    const moved = withOther("figures", 2, 3, 5, 8)
    expect(complaintsOf(moved, blocks, now)).toEqual([
      `the figures of 4 of 126 blocks moved since ${ruleVersion}, the first:`,
      "  block 2: projection 100 and those after it",
      "  block 3: projection 150 and those after it",
      "  block 5: projection 250 and those after it",
      "npm run x -- golden 2 3 5 --figures prints their requests and figures: run it here and at the commit before, and compare",
      "raise engineRevision in ledger/release.ts if this is meant, run npm run x -- generate lock golden"
    ])
    expect(refusalToRenew(moved, blocks, now)).toEqual(complaintsOf(moved, blocks, now))
  })

  it("is found by a single moved figure, which the expanded block shows", () => {
    const answered = { moved: true }
    const moved = blocksOf(goldens.with(117, { ...goldens[117]!, answered, figures: "00000000" }))
    expect(complaintsOf(kept, moved, now).slice(0, 2)).toEqual([
      `the figures of 1 of 126 blocks moved since ${ruleVersion}, the first:`,
      "  block 2: projection 100 and those after it"
    ])
    const [before, after] = [expandBlock(blocks[2]!), expandBlock(moved[2]!)].map((text) => text.split("\n"))
    expect(after!.filter((line, at) => line !== before![at])).toEqual([JSON.stringify(answered)])
  })

  it("is renewed if figures moved together with the version", () => {
    const moved = { ...withOther("figures", 2), ruleVersion: "rl1-000000000000" }
    expect(complaintsOf(moved, blocks, now).at(-1)).toBe(
      `the version is a new one, ${ruleVersion}: if this is meant, run npm run x -- generate golden`
    )
    expect(refusalToRenew(moved, blocks, now)).toBeUndefined()
  })

  it("is not renewed if requests were redrawn and another request's figures moved", () => {
    const both = withOther("request", ...Array(98).keys())
    const moved = { ...both, hashes: [...both.hashes.slice(0, -1), { ...both.hashes.at(-1)!, figures: "0" }] }
    expect(refusalToRenew(moved, blocks, now)?.[0]).toContain("the figures of 1 of 126 blocks moved")
  })

  it("reports redrawn requests, whose figures cannot be compared", () => {
    const redrawn = { ...withOther("request", 99), fastCheck: "0.0.0" }
    const complaints = complaintsOf(redrawn, blocks, now)
    expect(complaints[0]).toBe(
      `1 of 126 blocks are drawn otherwise: the corpus is of fast-check 0.0.0, this is ${FAST_CHECK}, or the generators changed`
    )
    expect(complaints[1]).toBe("  block 99: calculation 250 and those after it")
    expect(refusalToRenew(redrawn, blocks, now)).toBeUndefined()
  })

  it("reports another version if no figure moved", () => {
    const older = { ...kept, ruleVersion: "rl1-000000000000" }
    expect(complaintsOf(older, blocks, now)).toEqual([
      `the corpus is of rl1-000000000000, engineRevision ${engineRevision}; this is ${ruleVersion}, engineRevision ${engineRevision}`,
      "no figure moved: run npm run x -- generate golden"
    ])
  })
})
