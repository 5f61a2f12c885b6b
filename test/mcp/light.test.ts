/** Sizes that matter to an agent: the list of tools in every conversation, and each answer. */
import { describe, expect, it } from "vitest"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { loan, scenario } from "../support/requests.ts"
import { useToolServer } from "../support/toolServer.ts"

const service = useToolServer({ PUBLIC_URL: "https://api.repayment.example" })

const KB = 1024
const bytesOf = async (key: string, method: string, params: object = {}): Promise<number> => {
  const response = await service().rpc(key, method, params)
  const text = await response.text()
  expect(text).not.toContain('"isError"')
  return Buffer.byteLength(text)
}
const call = (name: string, args: object) => ["tools/call", { name, arguments: args }] as const

const joint = {
  ...scenario,
  filingStatus: "MarriedFilingJointly",
  spouseAdjustedGrossIncome: 40_000,
  spouseFederalLoanBalance: 20_000,
  dependents: 2
}
/** Large enough for every plan, and of two types. */
const loans = [
  { ...loan, principalBalance: 40_000 },
  { ...loan, loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 10_000 }
]

describe("the size for an agent", () => {
  it("of the list of tools is under 21 KB", async () => {
    expect(await bytesOf(await service().mint(), "tools/list")).toBeLessThan(21_000)
  })

  it("of an explained payment is under 8 KB, for a couple with two loans", async () => {
    const args = { scenario: joint, loans }
    expect(await bytesOf(await service().mint(), ...call("explain_payment", args))).toBeLessThan(8 * KB)
  })

  it.each(PLAN_TYPES)("of a projection under %s is under 2.5 KB, for a couple with two loans", async (planType) => {
    const args = { scenario: { ...joint, planType }, loans }
    expect(await bytesOf(await service().mint(), ...call("run_projection", args))).toBeLessThan(2.5 * KB)
  })

  it.each([0, 5])("of five arms is under 8 KB (plans from the %ith)", async (first) => {
    const arms = PLAN_TYPES.slice(first, first + 5).map((planType) => ({
      scenario: { ...joint, planType, label: planType },
      loans
    }))
    expect(await bytesOf(await service().mint(), ...call("compare_scenarios", { arms }))).toBeLessThan(8 * KB)
  })
})
