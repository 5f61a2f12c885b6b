/** POST /v1/calculators/plans: refusals, the cost of a search for the best path, and no record. */
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { plans } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const PATH = "/v1/calculators/plans"
const service = useService({})
const post = (json: unknown, at = service) => at().call("POST", PATH, { json })
const errorsOf = async (json: unknown) => (await expectProblem(await post(json), 400, "validation")).errors!

const [loan] = plans.loans
const books = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...loan, principalBalance: 9000 + index }))

describe("a whole book under every plan", () => {
  it("is answered without a key, and recorded nowhere", async () => {
    const response = await post(plans)
    expect(response.status).toBe(200)
    expect((await response.json()).plans.at(-1)).toMatchObject({
      label: "Repayment Assistance Plan",
      firstPayment: 260
    })
    expect(await service().query("SELECT 1 FROM recorded_answer")).toEqual([])
  })

  it("says of each field of a projection that it does not take why, and what to send", async () => {
    const errors = await errorsOf({
      ...plans,
      planType: "RAP",
      scenario: { ...plans.scenario, planType: "RAP", label: "mine", planChanges: [] }
    })
    expect(Object.keys(errors)).toEqual(["planType", "scenario.planType", "scenario.label", "scenario.planChanges"])
    expect(errors["planType"]).toEqual([
      expect.stringContaining("Send the plan that the borrower is in as currentPlan")
    ])
  })

  it("looks for the best path of ten loans, and of no more", async () => {
    const ten = await (
      await post({ ...plans, loans: books(10), bestPath: true, currentPlan: "INCOME CONTINGENT" })
    ).json()
    expect(ten.bestPath.saves).toBeGreaterThan(0)
    expect(ten.bestPath.planChanges[0].firstPayment).toBeGreaterThan(0)
    expect(await errorsOf({ ...plans, loans: books(11), bestPath: true })).toEqual({
      bestPath: ["must be false or left out for more than 10 loans"]
    })
  })

  it("has a best path for a borrower in SAVE, who must leave it", async () => {
    const { bestPath } = await (await post({ ...plans, bestPath: true, currentPlan: "SAVE" })).json()
    expect(bestPath).toMatchObject({ planType: "SAVE", planChanges: [{ from: expect.any(String) }] })
    expect(bestPath.notes.join()).toContain("SAVE has ended, so every path leaves it")
  })

  it("says where a borrower in INCOME BASED may go, and omits what is about an unknown plan", async () => {
    const omitted = async (more: object) => {
      const loans = [{ ...loan, idrMonthsInRepayment: 60 }]
      const { assumptions, knownOmissions } = await (await post({ ...plans, loans, ...more })).json()
      return [assumptions.join(), knownOmissions.map(({ id }: { readonly id: string }) => id)]
    }
    const [told, ids] = await omitted({ currentPlan: "INCOME BASED" })
    expect(told).toContain("from INCOME BASED a borrower can only go to STANDARD or REPAYMENT ASSISTANCE.")
    expect(ids).not.toContain("omission-leaving-ibr")
    const [unsaid, all] = await omitted({})
    expect(unsaid).not.toContain("can only go to")
    expect(all).toContain("omission-leaving-ibr")
  })

  it("refuses a current plan that cannot take the loans, at its own field", async () => {
    const perkins = [{ loanType: "FEDERAL PERKINS", principalBalance: 5000, interestRate: 0.05 }]
    const asked = { ...plans, loans: perkins, bestPath: true, currentPlan: "PAY AS YOU EARN" }
    const { errors } = await expectProblem(await post(asked), 400, "ineligible-plan")
    expect(Object.keys(errors!)).toEqual(["currentPlan"])
  })

  it("says that one loan may not be all, and that the first debt decides between two plans", async () => {
    const { assumptions } = await (await post({ ...plans, loans: [loan] })).json()
    expect(assumptions).toEqual(
      expect.arrayContaining([
        "Only one loan was sent: if the borrower has others, send all of them in one request.",
        expect.stringMatching(
          /^firstBorrowedOn was not sent: ask. INCOME BASED is for borrowers who owed nothing on 1 July 2014, or nothing/
        )
      ])
    )
    const dated = { ...plans, scenario: { ...plans.scenario, firstBorrowedOn: "2012-08-20" } }
    const told: ReadonlyArray<string> = (await (await post(dated)).json()).assumptions
    expect(told.filter((one) => /firstBorrowedOn|one loan/.test(one))).toEqual([])
  })
})

describe("a search for the best path", () => {
  const limited = useService({ RATE_LIMIT_KEYLESS: "12/h" })
  const busy = useService({})
  const search = { ...plans, bestPath: true }

  it("counts as ten calls", async () => {
    expect((await post(search, limited)).status).toBe(200)
    expect((await post(plans, limited)).status).toBe(200)
    expect((await post(search, limited)).status).toBe(429)
    expect((await post(plans, limited)).status).toBe(429)
  })

  it("is refused while sixteen others run", async () => {
    const dear = { ...search, loans: books(10), scenario: { ...plans.scenario, discountRate: 0.03 } }
    const statuses = await Promise.all(Array.from({ length: 24 }, async () => (await post(dear, busy)).status))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16)
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await post(search, busy)).status).toBe(200)
  })
})
