/** Test that the engine's cache of cited rules stays bounded for any number of requests. */

import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { NO_ADDITIONS } from "../../../src/engine/law/household.ts"
import { currentLaw } from "../../../src/engine/law/law.ts"
import { type EngineRequest, project } from "../../../src/engine/projection.ts"
import { makeWorkspace } from "../../../src/engine/schedule/workspace.ts"
import { START } from "../../cases/case.ts"

const QUESTIONS = 60_000
const MAX_GROWTH_BYTES = 15e6

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const heapUsed = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Requests that differ in the state: a caller of the library may pass any string. */
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
    label: null,
    ...NO_ADDITIONS
  },
  loans: [
    {
      loanType: "DIRECT STAFFORD UNSUBSIDIZED",
      principalBalance: 1000,
      interestBalance: 0,
      interestRate: 0.05,
      disbursedAmount: 0,
      idrMonthsInRepayment: 0,
      pslfCount: 0,
      madeOn: null
    }
  ],
  includeYearly: false
})

describe("the cache of cited rules", () => {
  it("does not grow with the number of distinct requests", () => {
    const workspace = makeWorkspace()
    const ask = (from: number, to: number) => {
      for (let one = from; one < to; one++) project(currentLaw, questionOf(`state ${one}`), START, workspace)
    }
    ask(0, QUESTIONS)
    const before = heapUsed()
    ask(QUESTIONS, 2 * QUESTIONS)
    expect(heapUsed() - before).toBeLessThan(MAX_GROWTH_BYTES)
  })
})
