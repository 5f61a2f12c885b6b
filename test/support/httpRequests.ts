/** Valid request bodies that the contract tests start from, and what every answer has in common. */
import { expect } from "vitest"

export const loan = {
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: 60_000,
  interestRate: 0.06
}

export const scenario = {
  planType: "REPAYMENT ASSISTANCE",
  adjustedGrossIncome: 60_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false
}

/** 20 U.S.C. 1087e(q): 5 % of 60,000 dollars over twelve months is 250.00. */
export const projection = { scenario, loans: [loan] }
export const FIRST_PAYMENT = 250

export const comparison = {
  arms: ["REPAYMENT ASSISTANCE", "INCOME BASED", "STANDARD"].map((planType) => ({
    scenario: { ...scenario, planType, label: planType },
    loans: [loan]
  }))
}

export const calculator = { balance: 60_000, ratePct: 6, borrowerAgi: 60_000 }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly upgradeUrl?: string
  readonly email?: string
}

const MAX_PROBLEM_BYTES = 32 * 1024

/** The answer is a problem document of this status and slug. */
export const expectProblem = async (response: Response, status: number, slug: string): Promise<Problem> => {
  const text = await response.text()
  expect([response.status, text]).toEqual([status, expect.stringContaining(`/problems/${slug}"`)])
  expect(response.headers.get("content-type")).toBe("application/problem+json")
  expect(text.length).toBeLessThan(MAX_PROBLEM_BYTES)
  const problem = JSON.parse(text) as Problem
  expect(problem).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) })
  expect(problem.instance).toBe(`urn:uuid:${response.headers.get("x-request-id")}`)
  return problem
}

export const expectUuid = (text: unknown): void => expect(text).toMatch(UUID)
