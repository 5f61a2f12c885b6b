/**
 * Tests of the golden corpus: while the rules have one version, no request of the corpus may get
 * other figures. Other tests check whether the figures are right.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ruleVersion } from "../ledger/release.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import {
  blocksOf,
  CORPUS_FILE,
  drawBlocks,
  expandBlock,
  movedSince,
  printCorpus,
  REMEDY,
  refusalToRenew
} from "./golden/corpus.ts"

const file = readFileSync(CORPUS_FILE, "utf8")
const blocks = drawBlocks()
const goldens = blocks.flatMap((block) => block.goldens)

describe("the golden corpus", () => {
  it("has the same figures as long as the version is the same", () =>
    expect(movedSince(file, blocks), REMEDY).toEqual([]))

  it("is up to date", () => expect(file, "run `npm run x -- generate golden`").toBe(printCorpus(blocks)))

  it("is 140 blocks of fifty requests, drawn and answered the same every time", () => {
    expect([blocks.length, goldens.length]).toEqual([140, 7000])
    expect(printCorpus(drawBlocks())).toBe(printCorpus(blocks))
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

describe("a moved figure", () => {
  const answered = { moved: true }
  const moved = blocksOf(goldens.with(117, { ...goldens[117]!, answered, figures: "00000000" }))
  const before = printCorpus(blocks)

  it("is named by its block, which shows it when it is expanded", () => {
    expect(movedSince(before, moved)).toEqual(["2: projection 100"])
    const [old, now] = [expandBlock(blocks[2]!), expandBlock(moved[2]!)].map((text) => text.split("\n"))
    expect(now!.filter((line, at) => line !== old![at])).toEqual([JSON.stringify(answered)])
  })

  it("is not renewed within one version of the rules, even if other requests were redrawn", () => {
    const redrawn = blocks.map((block, at) => (at > 97 ? { ...block, request: "0", figures: "0" } : block))
    expect(refusalToRenew(before, moved)).toBe(`2: projection 100\n${REMEDY}`)
    expect(refusalToRenew(printCorpus(redrawn), moved)).toBe(`2: projection 100\n${REMEDY}`)
    expect(refusalToRenew(before.replace(ruleVersion, "rl1-000000000000"), moved)).toBeUndefined()
  })

  it("cannot be seen in redrawn requests, which are renewed", () => {
    const redrawn = moved.map((block) => ({ ...block, request: "0" }))
    expect(refusalToRenew(before, redrawn)).toBeUndefined()
  })
})
