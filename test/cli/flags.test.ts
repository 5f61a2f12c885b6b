/** Requests from flags: their values, their printed assumptions, and their refusals. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { LOAN } from "../../src/cli/calculate/loanFlags.ts"
import { parseDollars, parsePercent } from "../../src/cli/calculate/parsers.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file } = filesOf("flags")

const OWED = ["--balance", "30000", "--rate", "6"]
const INPUTS = ["--income", "60000", ...OWED]
const RAP = ["--plan", "RAP", ...INPUTS]

const requestOf = async (command: string, ...flags: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await repay([command, ...flags, "--print-request"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Read: ") })
  return JSON.parse(stdout)
}

const refusalOf = async (command: string, ...flags: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await repay([command, ...flags])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  return linesOf(stderr)
}

const answerOf = async (...args: ReadonlyArray<string>) => {
  const { stdout } = await repay(args)
  const { provenance, ...figures } = JSON.parse(stdout)
  return figures
}

describe("a request from flags", () => {
  it("lists its values and assumptions in the first lines of a table", async () => {
    const { code, stdout } = await repay(["project", ...RAP, "--table"])
    expect(code).toBe(0)
    const [head] = stdout.split("\n\nREPAYMENT ASSISTANCE: ")
    expect(head).toBe(`Read: REPAYMENT ASSISTANCE, income $60,000.00, $30,000.00 owed, at 6%.
Assumed: filing Single (--status), 0 dependents (--dependents), state TX
(--state), no public service (--pslf), DIRECT STAFFORD UNSUBSIDIZED (--type).`)
  })

  it("lists them on standard error next to JSON, which is the answer alone", async () => {
    const { stderr, stdout } = await repay(["project", ...RAP])
    expect(JSON.parse(stdout)).toMatchObject({ planType: "REPAYMENT ASSISTANCE", year1MonthlyPayment: 250 })
    expect(linesOf(stderr).map((line) => line.split(/[:,]/)[0])).toEqual([
      "Computed locally without a key",
      "Read",
      "Assumed"
    ])
  })

  it("assumes nothing that a flag sets", async () => {
    const given = "--status single --dependents 0 --state tx --no-pslf --type direct-unsubsidized".split(" ")
    const { stderr } = await repay(["project", ...RAP, ...given])
    expect(stderr).not.toContain("Assumed")
    expect(await requestOf("project", ...RAP, ...given)).toEqual(await requestOf("project", ...RAP))
  })

  it("gets the same answer as the request that it prints", async () => {
    const flags =
      `--plan IBR-OLD --status hoh --dependents 2 --state nc --pslf --growth 3 --type direct-subsidized --interest 1,234.5
      --months 12 --pslf-payments 10 --yearly --label Mine`.split(/\s+/)
    const request = await requestOf("project", ...flags, ...INPUTS)
    expect(request).toEqual({
      scenario: {
        planType: "INCOME BASED (OLD)",
        adjustedGrossIncome: 60_000,
        filingStatus: "HeadOfHousehold",
        dependents: 2,
        state: "NC",
        workingTowardsPslf: true,
        annualIncomeGrowth: 0.03,
        label: "Mine"
      },
      loans: [
        {
          loanType: "DIRECT STAFFORD SUBSIDIZED",
          principalBalance: 30_000,
          interestRate: 0.06,
          interestBalance: 1234.5,
          idrMonthsInRepayment: 12,
          pslfCount: 10
        }
      ],
      includeYearly: true
    })
    expect(await answerOf("project", ...flags, ...INPUTS)).toEqual(
      await answerOf("project", file("made.json", request))
    )
  })

  it("counts a spouse on a joint return", async () => {
    const joint = [...RAP, "--status", "mfj"]
    const { scenario } = await requestOf("project", ...joint, "--spouse-income", "$40,000", "--spouse-balance", "5000")
    expect(scenario).toMatchObject({ spouseAdjustedGrossIncome: 40_000, spouseFederalLoanBalance: 5000 })
    const { stderr } = await repay(["project", ...joint])
    expect(stderr).toContain("spouse's income $0.00 (--spouse-income)")
  })

  it("compares plans for one household and one loan", async () => {
    const { arms } = await requestOf("compare", ...RAP, "--plan", "standard", "--plan", "graduated")
    expect(arms.map(({ scenario }: { scenario: object }) => scenario)).toMatchObject(
      ["REPAYMENT ASSISTANCE", "STANDARD", "GRADUATED"].map((plan) => ({ planType: plan, label: plan, state: "TX" }))
    )
    const { lowestCostLabel } = await answerOf("compare", ...RAP, "--plan", "standard")
    expect(lowestCostLabel).toBe("STANDARD")
  })

  it("takes several loans by repeated flags, in order", async () => {
    const more = ["--type", "direct-subsidized", "--balance", "5000", "--rate", "4", "--type", "direct-plus-graduate"]
    for (const command of ["project", "explain", "eligible"]) {
      const others = command === "eligible" ? INPUTS.filter((_, index) => index >= INPUTS.indexOf("--balance")) : RAP
      const { loans } = await requestOf(command, ...others, ...more)
      expect(loans).toEqual([
        { loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 30_000, interestRate: 0.06 },
        { loanType: "DIRECT PLUS GRADUATE", principalBalance: 5000, interestRate: 0.04 }
      ])
    }
    const { arms } = await requestOf("compare", ...RAP, "--plan", "standard", ...more)
    expect(arms.map(({ loans }: { loans: ReadonlyArray<object> }) => loans.length)).toEqual([2, 2])
  })

  it.each([
    { more: "--balance 5000", told: ["--rate: is given 1 time for 2 loans: send it for each loan, in order"] },
    { more: "--rate 4", told: ["--balance: is given 1 time for 2 loans: send it for each loan, in order"] },
    {
      more: "--balance 5000 --rate 4 --balance 1 --rate 1 --months 12 --months 13",
      told: ["--months: is given 2 times for 3 loans: send it for each loan, in order"]
    },
    {
      more: "--balance 50,00 --rate 0.4",
      told: [
        "--balance: loan 2: must be US dollars: send 30000, 30,000 or 1250.50",
        "--rate: loan 2: may mean two things: send 40 for 40%, or 0.4% if it is less than one percent"
      ]
    },
    {
      more: "--balance 5000 --rate 4 --pslf-payments 1 --pslf-payments 500",
      told: ["--pslf-payments: loan 2: must be 0 to 120: send a whole number of payments"]
    }
  ])("refuses $more with the loan that it is about", async ({ more, told }) => {
    expect(await refusalOf("project", ...RAP, ...more.split(" "))).toEqual(told)
  })

  it("explains a month of the same loan", async () => {
    const { code, stderr, stdout } = await repay(["explain", ...RAP, "--month", "13"])
    expect(code).toBe(0)
    expect(linesOf(stderr).map((line) => line.split(/[:,]/)[0])).toEqual(["Read", "Assumed"])
    expect(JSON.parse(stdout)).toMatchObject({ planType: "REPAYMENT ASSISTANCE", month: 13, payment: 250 })
    const whole = await requestOf("explain", ...RAP, "--month", "13")
    expect(whole).toEqual({ ...(await requestOf("project", ...RAP)), month: 13 })
  })

  it("lists the plans of a loan", async () => {
    const { loans } = await answerOf("eligible", "--type", "direct-plus-parent", ...OWED)
    expect(loans).toEqual([
      { loanType: "DIRECT PLUS PARENT", balance: 30_000, eligiblePlanTypes: expect.arrayContaining(["STANDARD"]) }
    ])
  })
})

describe("a name", () => {
  it("is accepted for a plan, short or in full, in any case", async () => {
    const plansOf = async (names: ReadonlyArray<string>) => {
      const { arms } = await requestOf("compare", ...INPUTS, ...names.flatMap((name) => ["--plan", name]))
      return arms.map(({ scenario }: { scenario: { planType: string } }) => scenario.planType)
    }
    expect(await plansOf(["rap", "ibr-new", "IBR OLD", "Paye", "icr", "save", "repaye"])).toEqual([
      "REPAYMENT ASSISTANCE",
      "INCOME BASED",
      "INCOME BASED (OLD)",
      "PAY AS YOU EARN",
      "INCOME CONTINGENT",
      "SAVE",
      "REVISED PAY AS YOU EARN"
    ])
    expect(await plansOf(PLAN_TYPES)).toEqual(PLAN_TYPES)
  })

  it("is accepted for every loan type that a shell offers", () => {
    const type = LOAN.find(({ flag }) => flag === "type")!
    const read = type.names!.map((name) => Result.getOrThrow(type.read(name)))
    expect(new Set(read)).toEqual(new Set(LOAN_TYPES))
  })

  it("is accepted for a status or a state, and a misspelled one is refused with the likely name", async () => {
    const words = ["--status", "married filing separately", "--state", "north carolina"]
    const { scenario } = await requestOf("project", ...RAP, ...words)
    expect(scenario).toMatchObject({ filingStatus: "MarriedFilingSeparately", state: "NC" })
    expect(await refusalOf("project", "--plan", "standart", ...INPUTS, "--status", "married")).toEqual([
      "--plan: is not clear: send standard",
      expect.stringMatching(/^--status: is not clear: send "MarriedFilingJointly" .* or "MarriedFilingSeparately" /)
    ])
  })

  it("is refused with both candidates if it is ambiguous", async () => {
    expect(await refusalOf("project", "--plan", "IBR", ...INPUTS)).toEqual([
      expect.stringMatching(/^--plan: is not clear: send IBR-NEW \(10 percent.*\) or IBR-OLD \(15 percent/)
    ])
    expect(await refusalOf("eligible", "--type", "parent-plus", ...OWED)).toEqual([
      expect.stringMatching(/^--type: is not clear: send "DIRECT PLUS PARENT" .* or "FFEL PLUS PARENT" /)
    ])
  })
})

describe("a number", () => {
  it("is a rate in percent, with or without the sign", () => {
    const rates = ["6", "6.54", "6.54%", "0", "0.06%", ".5 %", "1", "100"].map((text) => parsePercent(100)(text))
    expect(rates.map(Result.getOrThrow)).toEqual([0.06, 0.0654, 0.0654, 0, 0.0006, 0.005, 0.01, 1])
    for (const text of ["0.06", ".9", "100.1", "-6", "6,5", "6%%", "six", "", "1e1", "%"])
      expect({ text, isRefused: Result.isFailure(parsePercent(100)(text)) }).toEqual({ text, isRefused: true })
  })

  it("is an amount in dollars and cents", () => {
    const amounts = ["0", "30000", "30,000", "$1,234,567.5", "1250.50", " 7 "].map(parseDollars)
    expect(amounts.map(Result.getOrThrow)).toEqual([0, 30_000, 30_000, 1_234_567.5, 1250.5, 7])
    for (const text of ["30.000", "3,0000", "1,23", "30k", "-1", "", "$", "1e5", "1.234"])
      expect({ text, isRefused: Result.isFailure(parseDollars(text)) }).toEqual({ text, isRefused: true })
  })

  it("is refused with both spellings if it may be a fraction or a percentage", async () => {
    expect(await refusalOf("project", "--plan", "RAP", "--income", "1", "--balance", "1", "--rate", "0.06")).toEqual([
      "--rate: may mean two things: send 6 for 6%, or 0.06% if it is less than one percent"
    ])
  })

  it("is refused if thousands may be cents, or if it is malformed", async () => {
    expect(await refusalOf("project", ..."--plan RAP --income 60k --balance 30.000 --rate 6,5".split(" "))).toEqual([
      "--income: must be US dollars: send 30000, 30,000 or 1250.50",
      "--balance: must be US dollars: send 30000, 30,000 or 1250.50",
      "--rate: must be in percent: send 6.54 or 6.54%"
    ])
  })
})

describe("a refusal of flags", () => {
  it("lists every missing or wrong flag at once", async () => {
    expect(
      await refusalOf("project", "--dependents", "31", "--growth", "51", "--months", "601", "--spouse-income", "1")
    ).toEqual([
      "--plan: is required: send one of RAP, IBR-NEW, IBR-OLD, PAYE, ICR, SAVE, REPAYE, standard, graduated, extended",
      "--income: is required: send US dollars a year, 0 for no income",
      "--growth: must be 0 to 50 percent: send 6.54 for 6.54%",
      "--spouse-income: counts only on a joint return: send --status mfj too, or leave it out",
      "--balance: is required: send US dollars, without unpaid interest",
      "--rate: is required: send percent a year, such as 6.54",
      "--dependents: must be 0 to 30: send a whole number of dependents",
      "--months: must be 0 to 600: send a whole number of months"
    ])
    expect(await refusalOf("eligible", ...OWED)).toEqual([
      expect.stringMatching(/^--type: is required: send direct-unsub/)
    ])
    const arms = async (...plans: ReadonlyArray<string>) =>
      (await requestOf("compare", ...plans.flatMap((plan) => ["--plan", plan]), ...INPUTS)) as unknown
    expect(await arms("RAP,standard", "SAVE")).toEqual(await arms("RAP", "standard", "SAVE"))
    expect(await refusalOf("compare", ...RAP, "--plan", "x")).toEqual([expect.stringMatching(/^--plan: is not clear/)])
    expect(await refusalOf("compare", ...RAP)).toEqual([
      "--plan: must be given at least twice: send --plan RAP --plan standard"
    ])
    expect(await refusalOf("project", ...RAP, "--plan", "SAVE")).toEqual([
      "--plan: can be given only once; to compare several plans, use repay compare"
    ])
  })

  it("names --plan if the plan itself is refused", async () => {
    const { code, stderr } = await repay(["project", "--plan", "standard", ...INPUTS, "--months", "119"])
    expect({ code, last: linesOf(stderr).at(-1) }).toEqual({
      code: 1,
      last: expect.stringMatching(/^--plan: STANDARD with/)
    })
  })

  it("names the flags that are mixed with a file", async () => {
    expect(await refusalOf("project", "request.json", "--income", "1", "--print-request")).toEqual([
      "--income, --print-request: cannot be used with a file; change the file, or use flags alone"
    ])
  })

  it("explains how to begin if nothing is given", async () => {
    expect(await refusalOf("compare")).toEqual([
      "No request: give a file, or flags such as --plan RAP --plan standard --income 60000 --balance 30000 --rate 6",
      "A file to begin with: repay compare --example > request.json",
      "See: repay compare --help"
    ])
  })
})

describe("an example", () => {
  it("is a request that works unchanged", async () => {
    await fewAtOnce(3, ["project", "explain", "compare", "eligible"], async (command) => {
      const example = await repay([command, "--example"])
      expect(example).toMatchObject({ code: 0, stderr: "" })
      const { code, stdout } = await repay([command, file(`${command}.json`, example.stdout)])
      expect({ command, code }).toEqual({ command, code: 0 })
      expect(JSON.parse(stdout)).not.toEqual({})
    })
  })
})
