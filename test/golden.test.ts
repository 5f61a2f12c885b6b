/**
 * One version of the rules keeps one set of figures: no request of the golden corpus may get other figures while the
 * version is the same. What the figures ought to be is tested elsewhere.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { engineRevision, ruleVersion } from "../ledger/release.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import {
  CORPUS_FILE,
  type Corpus,
  complaintsOf,
  drawGoldens,
  FAST_CHECK,
  parseCorpus,
  printCorpus,
  refusalToRenew
} from "./golden/corpus.ts"

const text = readFileSync(CORPUS_FILE, "utf8")
const corpus = parseCorpus(text)
const now = { ruleVersion, engineRevision, fastCheck: FAST_CHECK }
const goldens = drawGoldens()

describe("the golden corpus", () => {
  it("holds: no figure has moved without a new version", () => {
    const complaints = complaintsOf(corpus, goldens, now)
    if (complaints.length > 0) throw new Error(complaints.join("\n"))
  })

  it("is drawn and answered alike every time", () => {
    const hashes = (all: typeof goldens) => all.map(({ figures, request }) => `${request} ${figures}`)
    expect(hashes(drawGoldens())).toEqual(hashes(goldens))
  })

  it("is written as it is read, in at most 100 KB", () => {
    expect(printCorpus(corpus)).toBe(text)
    expect(text.length).toBeLessThan(100 * 1024)
  })

  const answered = JSON.stringify(goldens.map(({ answered }) => answered))

  it.each(PLAN_TYPES)("has figures under %s", (planType) => {
    expect(answered).toContain(`"planType":"${planType}"`)
  })

  it.each(["None", "TimeBased", "Pslf"])("has forgiveness of type %s", (type) => {
    expect(answered).toContain(`"forgivenessType":"${type}"`)
  })

  it.each([
    "Closed",
    "BalanceTooSmall",
    "NotNewBorrower",
    "TermSpent",
    "TimeServed",
    "ServiceDone",
    "Vacated",
    "ClosedToNewLoans",
    "OnlyNewLoans"
  ])("has something that is %s", (obstacle) => {
    expect(answered).toContain(`"${obstacle}"`)
  })

  it.each(["2026-12", "2028-6", "2028-7", "2028-8"])("has repayment that starts in %s", (start) => {
    expect(goldens.some(({ asked }) => asked.startsWith(`{"start":"${start}"`))).toBe(true)
  })
})

describe("a corpus that does not hold", () => {
  const kept: Corpus = { ...now, hashes: goldens }
  const withOther = (member: "figures" | "request", ...indexes: ReadonlyArray<number>): Corpus => ({
    ...kept,
    hashes: goldens.map((golden, index) => (indexes.includes(index) ? { ...golden, [member]: "00000000" } : golden))
  })

  it("tells how many figures moved, the first requests, and what to do; and is not renewed", () => {
    const moved = withOther("figures", 2, 3, 5, 8)
    const complaints = complaintsOf(moved, goldens, now)
    expect(complaints[0]).toBe(`the figures of 4 of 5000 requests moved since ${ruleVersion}, the first:`)
    expect(complaints.slice(1, -1).map((line) => line.split(":")[0])).toEqual(
      [2, 3, 5].map((index) => `  projection ${index}`)
    )
    expect(complaints.at(-1)).toBe(
      "raise engineRevision in ledger/release.ts if this is meant, run npm run x -- generate lock golden"
    )
    expect(refusalToRenew(moved, goldens, now)).toEqual(complaints)
  })

  it("is renewed when figures moved with the version", () => {
    const moved = { ...withOther("figures", 2), ruleVersion: "rl1-000000000000" }
    expect(complaintsOf(moved, goldens, now).at(-1)).toBe(
      `the version is a new one, ${ruleVersion}: if this is meant, run npm run x -- generate golden`
    )
    expect(refusalToRenew(moved, goldens, now)).toBeUndefined()
  })

  it("is not renewed when other requests are drawn and one of the same moved", () => {
    const both = withOther("request", ...Array(4990).keys())
    const moved = { ...both, hashes: [...both.hashes.slice(0, -1), { ...both.hashes.at(-1)!, figures: "00000000" }] }
    expect(refusalToRenew(moved, goldens, now)?.[0]).toContain("the figures of 1 of 5000 requests moved")
  })

  it("tells that other requests are drawn, which says nothing of figures", () => {
    const redrawn = { ...withOther("request", 4999), fastCheck: "0.0.0" }
    const complaints = complaintsOf(redrawn, goldens, now)
    expect(complaints[0]).toBe(
      `1 of 5000 requests are drawn otherwise: the corpus is of fast-check 0.0.0, this is ${FAST_CHECK}, or the generators changed`
    )
    expect(complaints[1]).toContain("  calculation 299: ")
    expect(refusalToRenew(redrawn, goldens, now)).toBeUndefined()
  })

  it("tells that it is of another version though no figure moved", () => {
    const older = { ...kept, ruleVersion: "rl1-000000000000" }
    expect(complaintsOf(older, goldens, now)).toEqual([
      `the corpus is of rl1-000000000000, engineRevision ${engineRevision}; this is ${ruleVersion}, engineRevision ${engineRevision}`,
      "no figure moved: run npm run x -- generate golden"
    ])
  })
})
