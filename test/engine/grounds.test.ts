/** A basis is remembered by its grounds: whatever sets two grounds apart must keep their bases apart. */
import { describe, expect, it } from "vitest"
import { ByGrounds, type Grounds, groundsOf } from "../../src/engine/grounds.ts"
import { lawOf } from "../../src/engine/law/law.ts"
import { makeBooks } from "../../src/engine/schedule/book.ts"

const LAW = lawOf({ guidelineYear: 2026, icrFactorYear: 2026, taxYear: 2026 })

const GROUNDS: Grounds = groundsOf(
  LAW,
  {
    planType: "SAVE",
    adjustedGrossIncome: 50_000,
    spouseAdjustedGrossIncome: null,
    spouseFederalLoanBalance: null,
    filingStatus: "Single",
    dependents: 0,
    state: "NC",
    workingTowardsPslf: false,
    annualIncomeGrowth: 0,
    label: null
  },
  makeBooks(),
  { timeBased: false, pslf: false }
)

/** The grounds with every fact in turn turned over, and with another law, plan, state and status. */
const others = (): ReadonlyArray<readonly [difference: string, grounds: Grounds]> => {
  const { facts } = GROUNDS
  const turned = (of: object): ReadonlyArray<readonly [string, object]> =>
    Object.entries(of).flatMap(([name, fact]) =>
      typeof fact === "boolean" ? [[name, { [name]: !fact }] as const] : []
    )
  return [
    ...turned(GROUNDS).map(([name, fact]) => [name, { ...GROUNDS, ...fact }] as const),
    ...turned(facts).map(([name, fact]) => [name, { ...GROUNDS, facts: { ...facts, ...fact } }] as const),
    ["law", { ...GROUNDS, law: { ...LAW } }],
    ["planType", { ...GROUNDS, planType: "STANDARD" }],
    ["state", { ...GROUNDS, state: null }],
    ["filingStatus", { ...GROUNDS, filingStatus: "HeadOfHousehold" }]
  ]
}

describe("what is remembered by grounds", () => {
  const memory = new ByGrounds<string>()
  memory.keep(GROUNDS, "known")

  it("is found by the same grounds", () => {
    expect(memory.find({ ...GROUNDS, facts: { ...GROUNDS.facts } })).toBe("known")
  })

  it.each(others())("is not found when %s differs", (_, grounds) => {
    expect(memory.find(grounds)).toBeUndefined()
  })

  it("is kept apart for every pair of grounds", () => {
    const many = new ByGrounds<string>()
    for (const [difference, grounds] of others()) many.keep(grounds, difference)
    for (const [difference, grounds] of others().slice(0, -4)) expect(many.find(grounds)).toBe(difference)
  })

  it("is forgotten, not kept without end", () => {
    const bounded = new ByGrounds<number>()
    const states = Array.from({ length: 5_000 }, (_, index) => ({ ...GROUNDS, state: `state ${index}` }))
    states.forEach((grounds, index) => {
      bounded.keep(grounds, index)
    })
    const kept = states.filter((grounds) => bounded.find(grounds) !== undefined)
    expect(kept.length).toBeLessThan(3_000)
    expect(bounded.find(states.at(-1)!)).toBe(4_999)
  })
})
