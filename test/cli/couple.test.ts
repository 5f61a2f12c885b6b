/** `repay couple`: figures of a couple in Wisconsin, its table, and what is refused. */
import { type Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { CLOCK } from "../support/hurried.ts"
import { filesOf, repay } from "../support/repay.ts"

const { file } = filesOf("couple")

/** Repayment starts in December 2026. */
const NOVEMBER: Clock.Clock = Object.assign(Object.create(CLOCK), {
  currentTimeMillis: Effect.succeed(Date.UTC(2026, 10, 28))
})
const couple = (...args: ReadonlyArray<string>) => repay(["couple", ...args], { clock: NOVEMBER })

const loanOf = (principalBalance: number, interestRate: number, counted = 0) => ({
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance,
  interestBalance: 0,
  interestRate,
  disbursedAmount: principalBalance,
  idrMonthsInRepayment: counted,
  pslfCount: counted
})

/** A resident physician, and a teacher with 44 payments of public service. */
const request = {
  state: "WI",
  dependents: 1,
  first: { adjustedGrossIncome: 210_000, workingTowardsPslf: false, loans: [loanOf(180_000, 0.068)] },
  second: { adjustedGrossIncome: 31_000, workingTowardsPslf: true, loans: [loanOf(45_000, 0.055, 44)] }
}

describe("repay couple", () => {
  it("gives each spouse the plan that costs least on each return, and the income tax of separate ones", async () => {
    const { code, stderr, stdout } = await couple(file("own.json", request))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const { joint, lowest, separate } = JSON.parse(stdout)
    expect(lowest).toBe("joint")
    expect([joint.first, joint.second].map(({ lifetimeCost, planType }) => [planType, lifetimeCost])).toEqual([
      ["STANDARD", 248_573.51],
      ["INCOME BASED", 25_335.87]
    ])
    expect([joint.incomeTax, joint.cost]).toEqual([0, 273_909.38])
    expect(separate.second).toMatchObject({
      planType: "INCOME BASED",
      lifetimeCost: 4_471.33,
      amountForgiven: 56_203.67
    })
    expect([separate.incomeTax, separate.cost]).toEqual([53_140, 306_184.84])
  })

  it("splits the income where the law does", async () => {
    const { stdout } = await couple(file("split.json", { ...request, splitIncome: true }))
    const { knownOmissions, separate } = JSON.parse(stdout)
    expect(separate.second).toMatchObject({ firstPayment: 488.37, lifetimeCost: 37_115.99 })
    expect([separate.incomeTax, separate.cost]).toEqual([0, 285_689.5])
    const ids = knownOmissions.map(({ id }: { readonly id: string }) => id)
    expect(ids).toContain("omission-separate-return-tax")
    expect(ids).not.toContain("omission-community-property")
  })

  it("prints a line for each spouse and the sums", async () => {
    const { stdout } = await couple(file("own.json", request), "--table")
    expect(stdout.split("\n\n")[0]).toBe(`Return            Plan      First payment      Ends  Forgiven  Total with tax
joint, first      standard         $2,071  Nov 2036        $0        $248,574
joint, second     IBR-NEW            $333  Mar 2033   $33,474         $25,336
separate, first   standard         $2,071  Nov 2036        $0        $248,574
separate, second  IBR-NEW             $59  Mar 2033   $56,204          $4,471`)
    expect(stdout.replaceAll("\n", " ")).toContain(
      "Both on a joint return: $273,909. Both on separate returns: $306,185, of it $53,140 more federal income tax. The joint way costs $32,275 less."
    )
  })

  it("says why a return has no answer, and answers the other", async () => {
    const perkins = { ...loanOf(9_000, 0.05), loanType: "FEDERAL PERKINS", pslfCount: 0, idrMonthsInRepayment: 119 }
    const { stdout } = await couple(file("none.json", { ...request, second: { ...request.second, loans: [perkins] } }))
    expect(JSON.parse(stdout).joint.refused).toMatch(
      /^No plan is open to the second spouse\. STANDARD with[^:]*: .* Direct loans\. GRADUATED/
    )
  })

  it.each([
    [{ ...request, state: "OH", splitIncome: true }, /^splitIncome: must be false or left out: .* AZ, CA, ID/],
    [
      { ...request, first: { ...request.first, pauses: [{ kind: "Forbearance", until: "2020-01", from: "2021-01" }] } },
      /^first\.pauses\[0\]\.until: must be after/
    ],
    [
      { ...request, first: { ...request.first, loans: null }, second: { ...request.second, loans: null } },
      /neither owes/
    ]
  ])("refuses what it cannot answer %#", async (body, message) => {
    const { code, stderr, stdout } = await couple(file("bad.json", body))
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(message)
  })
})
