/** What the engine keeps of the rules of earlier answers is bounded, however many different questions are asked. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { currentLaw } from "../../../src/engine/law/law.ts"
import { type EngineRequest, project } from "../../../src/engine/projection.ts"
import { makeWorkspace } from "../../../src/engine/schedule/workspace.ts"
import { START } from "../../cases/case.ts"

const QUESTIONS = 60_000
const MOST_GROWTH_BYTES = 15e6

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const heapUsed = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Questions that differ in the state, which a program that uses the library may name as it likes. */
const questionOf = (state: string): EngineRequest => ({
  scenario: {
    planType: "STANDARD",
    adjustedGrossIncome: 40_000,
    spouseAdjustedGrossIncome: null,
    spouseFederalLoanBalance: null,
    filingStatus: "Single",
    dependents: 0,
    state,
    workingTowardsPslf: false,
    annualIncomeGrowth: 0,
    label: null
  },
  loans: [
    {
      loanType: "DIRECT STAFFORD UNSUBSIDIZED",
      principalBalance: 1000,
      interestBalance: 0,
      interestRate: 0.05,
      disbursedAmount: 0,
      idrMonthsInRepayment: 0,
      pslfCount: 0
    }
  ],
  includeYearly: false
})

describe("the kept lists of rules", () => {
  it("do not grow with the questions asked", () => {
    const workspace = makeWorkspace()
    const ask = (from: number, to: number) => {
      for (let one = from; one < to; one++) project(currentLaw, questionOf(`state ${one}`), START, workspace)
    }
    ask(0, QUESTIONS)
    const before = heapUsed()
    ask(QUESTIONS, 2 * QUESTIONS)
    expect(heapUsed() - before).toBeLessThan(MOST_GROWTH_BYTES)
  })
})
