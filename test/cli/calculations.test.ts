/** `repay project`, `explain`, `compare` and `eligible`: their output, streams and exit codes. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ScenarioComparisonResult } from "../../schema/comparison.ts"
import { EligibilityResult } from "../../schema/eligibility.ts"
import { ExplainResult } from "../../schema/explanation.ts"
import { ProjectionResult } from "../../schema/projection.ts"
import { workedNumbers } from "../cases/case.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { comparisonOf, household, NO_INTEREST, projection } from "../support/requests.ts"

const { file, folder } = filesOf("calculations")

const NOT_RECORDED = "Computed locally without a key: nothing is recorded, so this answer has no id to verify.\n"

/** Decodes an answer strictly: a member outside the contract is an error. */
const answerOf = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S, text: string): S["Type"] =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(JSON.parse(text))

describe("repay project", () => {
  it("prints the JSON of the HTTP answer, unrecorded, when piped", async () => {
    const { code, stderr, stdout } = await repay(["project", file("project.json", projection)])
    const answer = answerOf(ProjectionResult, stdout)
    expect(code).toBe(0)
    expect(stderr).toBe(NOT_RECORDED)
    expect(answer.planType).toBe("REPAYMENT ASSISTANCE")
    expect(answer.yearly).toBeUndefined()
    expect(answer.provenance).toMatchObject({ answerId: null, verifyUrl: null, engine: "projection" })
    expect(answer.provenance.citations.length).toBeGreaterThan(0)
  })

  it("computes the figures of worked cases", async () => {
    const cases = workedNumbers.cases.filter(({ id }) => ["1", "12", "53"].includes(id))
    expect(cases.length).toBe(3)
    for (const { expect: expected, request } of cases) {
      const { stdout } = await repay(["project", "-"], { input: JSON.stringify(request) })
      expect(JSON.parse(stdout)).toMatchObject({ year1MonthlyPayment: expected["year1MonthlyPayment"] })
    }
  })

  it("reads standard input for -, and adds the years on request", async () => {
    const { code, stdout } = await repay(["project", "-"], {
      input: JSON.stringify({ ...NO_INTEREST, includeYearly: true })
    })
    const answer = answerOf(ProjectionResult, stdout)
    expect(code).toBe(0)
    expect(answer.yearly?.map(({ cumulativePaid }) => cumulativePaid)).toEqual([
      0, 1200, 2400, 3600, 4800, 6000, 7200, 8400, 9600, 10_800, 12_000
    ])
  })

  it("prints the figures in a sentence and an uncolored table of the years", async () => {
    const { code, stderr, stdout } = await repay(["project", "-", "--table"], { input: JSON.stringify(NO_INTEREST) })
    expect(code).toBe(0)
    expect(stderr).toBe("")
    expect(stdout).toMatch(/\nRules rl1-\w+, not recorded, computed /)
    // The months and the last lines depend on the day.
    const shown = stdout.replace(/[A-Z][a-z]{2} 20\d\d/g, "Mon YYYY").split("\n\nRules ")[0]
    expect(shown).toBe(`No interest, STANDARD: $100 a month at first; paid off in Mon YYYY, after 120
months; $12,000.00 paid in all; nothing forgiven.

Year  Month          Paid   Principal  Interest
   0  Mon YYYY      $0.00  $12,000.00     $0.00
   1  Mon YYYY  $1,200.00  $10,800.00     $0.00
   2  Mon YYYY  $1,200.00   $9,600.00     $0.00
   3  Mon YYYY  $1,200.00   $8,400.00     $0.00
   4  Mon YYYY  $1,200.00   $7,200.00     $0.00
   5  Mon YYYY  $1,200.00   $6,000.00     $0.00
   6  Mon YYYY  $1,200.00   $4,800.00     $0.00
   7  Mon YYYY  $1,200.00   $3,600.00     $0.00
   8  Mon YYYY  $1,200.00   $2,400.00     $0.00
   9  Mon YYYY  $1,200.00   $1,200.00     $0.00
  10  Mon YYYY  $1,200.00       $0.00     $0.00`)
    expect(stdout).not.toContain("\u001B")
  })

  it("refuses a plan that would be an artifact, names it, and exits with 1", async () => {
    const artifact = { ...NO_INTEREST, loans: [{ ...NO_INTEREST.loans[0], idrMonthsInRepayment: 119 }] }
    expect(await repay(["project", file("artifact.json", artifact)])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "scenario.planType: STANDARD with the prior months of your first loan (idrMonthsInRepayment 119, pslfCount 0) leaves the whole balance in one payment\n"
    })
  })
})

describe("repay explain", () => {
  it("prints the JSON of the HTTP answer for the requested month when piped", async () => {
    const { code, stderr, stdout } = await repay(["explain", file("explain.json", projection), "--month", "13"])
    const answer = answerOf(ExplainResult, stdout)
    expect(code).toBe(0)
    expect(stderr).toBe("")
    expect(answer).toMatchObject({ planType: "REPAYMENT ASSISTANCE", month: 13, payment: 250 })
  })

  it("prints each step with its formula and its rule in a table", async () => {
    const input = JSON.stringify({ ...NO_INTEREST, month: 1 })
    const { code, stdout } = await repay(["explain", "-", "--table"], { input })
    expect(code).toBe(0)
    const shown = stdout.replace(/[A-Z][a-z]{2} 20\d\d/g, "Mon YYYY").split("\n\nstandard-plan-terms: ")[0]
    expect(shown).toBe(`No interest, STANDARD, month 1 (Mon YYYY): $100.00.

STANDARD: 1 loan
term, loan 1                    120 months
    of the plan, or of the table by the consolidation, tier or Direct balance
    shown before [standard-plan-terms]
months left, loan 1             120 months
    term - months behind (0 if none) - months due before a pause that has ended
    [standard-plan-terms]
balance, loan 1                 $12,000.00
    principal + unpaid interest at the start, as a pause ends, or as the plan
    takes over from one that has ended [standard-plan-terms]
rate a month, loan 1                    0%
    interestRate / 12 [interest-accrual]
level payment, loan 1      $100.00 a month
    balance x rate / (1 - (1 + rate)^-months), or balance / months at rate 0,
    with the rate a month and the months left (the term if none are shown)
    [standard-plan-terms]
all level payments         $100.00 a month
    sum over the due loans; of those set before, as raised then
    [standard-plan-terms]
scheduled payment, loan 1  $100.00 a month
    level payment x raise (1 if none) [standard-plan-terms]
interest of the month                $0.00
    principal x interestRate / 12, over the loans; subsidized and Perkins loans
    bear none in school or deferment [interest-accrual]
owed                            $12,000.00
    principal + unpaid interest + interest of the month [interest-accrual]
payment                            $100.00
    each loan's scheduled payment, at most what it owes; the last month of a
    term pays all that is owed [standard-plan-terms, payment-application-order]
to principal                       $100.00
    the rest of the payment [payment-application-order]

Loan  Payment  Interest  Older  Principal  Waived  Matched  Forgiven        Left
   1  $100.00     $0.00  $0.00    $100.00   $0.00    $0.00     $0.00  $11,900.00`)
  })

  it.each(["0", "601", "1.5", "x"])("refuses month %s", async (month) => {
    const ended = await repay(["explain", file("explain.json", projection), "--month", month])
    expect(ended).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining("--month") })
  })
})

describe("repay compare", () => {
  it("prints the JSON of the HTTP answer when piped", async () => {
    const request = comparisonOf("STANDARD", "EXTENDED", "REPAYMENT ASSISTANCE")
    const { code, stdout } = await repay(["compare", "-"], { input: JSON.stringify(request) })
    const answer = answerOf(ScenarioComparisonResult, stdout)
    expect(code).toBe(0)
    expect(answer.projections.map(({ label }) => label)).toEqual(["standard", "extended", "repayment assistance"])
    expect(answer.provenance.answerId).toBeNull()
    expect(answer.projections.every(({ provenance }) => provenance.verifyUrl === null)).toBe(true)
  })

  it("prints one line for each arm and names the cheapest", async () => {
    const cheap = { scenario: { ...NO_INTEREST.scenario, label: "Cheap" }, loans: NO_INTEREST.loans }
    const dear = {
      scenario: { ...NO_INTEREST.scenario, label: "Dear" },
      loans: [{ ...NO_INTEREST.loans[0], principalBalance: 24_000 }]
    }
    const { code, stdout } = await repay(["compare", "-", "--table"], {
      input: JSON.stringify({ arms: [dear, cheap] })
    })
    expect(code).toBe(0)
    const shown = stdout.replace(/[A-Z][a-z]{2} 20\d\d/g, "Mon YYYY").split("\nRules ")[0]
    expect(shown).toBe(`Scenario  Plan      First payment      Ends  Total with tax
Dear      STANDARD           $200  Mon YYYY         $24,000
Cheap     STANDARD           $100  Mon YYYY         $12,000

Lowest total with tax: Cheap, STANDARD.`)
  })

  it("names every refused arm, and exits with 1", async () => {
    const request = comparisonOf("STANDARD", "SAVE", "PAY AS YOU EARN")
    const parentPlus = [{ loanType: "DIRECT PARENT PLUS", principalBalance: 9000, interestRate: 0.08 }]
    const arms = request.arms.map((arm) => ({ ...arm, loans: parentPlus }))
    const { code, stderr, stdout } = await repay(["compare", "-"], { input: JSON.stringify({ arms }) })
    expect(code).toBe(1)
    expect(stdout).toBe("")
    const instead = "send one of STANDARD; GRADUATED, which all of these loans can elect"
    expect(linesOf(stderr).map((line) => line.split(" cannot take ")[0])).toEqual([
      "arms[1].scenario.planType: SAVE",
      `arms[1].scenario.planType: ${instead}`,
      "arms[2].scenario.planType: PAY AS YOU EARN",
      `arms[2].scenario.planType: ${instead}`
    ])
  })
})

describe("repay eligible", () => {
  it("prints the JSON of the HTTP answer when piped", async () => {
    const { code, stderr, stdout } = await repay(["eligible", "-"], {
      input: JSON.stringify({ loans: projection.loans })
    })
    const answer = answerOf(EligibilityResult, stdout)
    expect(code).toBe(0)
    expect(stderr).toBe("")
    expect(answer.loans[0]?.eligiblePlanTypes).toContain("REPAYMENT ASSISTANCE")
    expect(answer.provenance).toMatchObject({ engine: "eligibility", parityVerified: false, answerId: null })
  })

  it("lists each loan with its plans in a table", async () => {
    const loans = [{ loanType: "DIRECT PARENT PLUS", principalBalance: 9000.5, interestRate: 0.08 }]
    const { stdout } = await repay(["eligible", "-", "--table"], { input: JSON.stringify({ loans }) })
    expect(stdout).toMatch(/^1\. DIRECT PARENT PLUS, \$9,000\.50: STANDARD; GRADUATED/)
    expect(stdout.split("\n\n")[0]).not.toContain("REPAYMENT ASSISTANCE")
  })
})

describe("an unusable request", () => {
  const check = async (args: ReadonlyArray<string>, input: string, lines: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await repay(args, { input })
    expect({ code, stdout, lines: linesOf(stderr) }).toEqual({ code: 2, stdout: "", lines })
  }

  it("is refused with all its field errors at once", () => {
    const { adjustedGrossIncome: _, ...others } = household
    const request = {
      scenario: { ...others, planType: "STANDARD", dependents: 1.5 },
      loans: [{ ...NO_INTEREST.loans[0], interestRate: 6.8, color: "red" }]
    }
    return check(["project", "-"], JSON.stringify(request), [
      "scenario.adjustedGrossIncome: is required: send annual US dollars, 0 for no income",
      "scenario.dependents: must be a whole number from 0 to 30: send a whole number of dependents",
      "loans[0].color: is not a known property; remove it",
      "loans[0].interestRate: must be 0 to 1: send a fraction, such as 0.0654 for 6.54%; 6.8 looks like a percentage; send 0.068"
    ])
  })

  const list = file("list.json", "[]")
  const twice = file("twice.json", '{"loans": [], "loans": []}')
  const NOT_JSON = "is not valid JSON: unexpected character at line"

  it.each([
    [
      "with line and column when it is not JSON",
      ["project", "-"],
      '{\n  "scenario": {,',
      `body: ${NOT_JSON} 2, column 16`
    ],
    ["under the name of its file", ["project", "README.md"], "", `README.md: ${NOT_JSON} 1, column 1`],
    ["when it is a list", ["project", list], "", `${list}: must be a JSON object with scenario and loans`],
    ["when a name is repeated", ["eligible", twice], "", "loans: is sent more than once; send it once"],
    [
      "when a plan stands for the file",
      ["project", "RAP"],
      "",
      "RAP: there is no such file; to name a plan, use --plan RAP"
    ],
    ["when it is empty", ["compare", "-"], "", "body: is required: send a JSON object"],
    ["when its file is missing", ["project", `${folder}/none.json`], "", `${folder}/none.json: there is no such file`],
    ["when its file is a folder", ["project", folder], "", `${folder}: is a directory; use a file`],
    [
      "when it is too large",
      ["project", "-"],
      `"${"x".repeat(1024 * 1024)}"`,
      "standard input: is larger than 1048576 bytes"
    ]
  ])("is refused %s", (_, args, input, line) => check(args, input, [line]))

  it("is refused when it is not UTF-8", async () => {
    const path = join(folder, "latin1.json")
    writeFileSync(path, Buffer.from([0x22, 0xe9, 0x22]))
    await check(["project", path], "", [`${path}: is not valid UTF-8`])
  })
})

it("an answer computed locally fails repay verify because it was not recorded", async () => {
  const { stdout: answer } = await repay(["project", "-"], { input: JSON.stringify(NO_INTEREST) })
  expect(await repay(["verify", "-"], { input: answer })).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "-: was not recorded: its provenance.answerId is null; the service records only answers to calls with a key\n"
  })
})

describe("the table", () => {
  it("shows that a book without a balance owes nothing", async () => {
    const request = { ...NO_INTEREST, loans: [{ ...NO_INTEREST.loans[0], principalBalance: 0 }] }
    const { stdout } = await repay(["project", "-", "--table"], { input: JSON.stringify(request) })
    expect(stdout).toMatch(/^No interest, STANDARD: nothing is owed\.\n/)
  })

  it("names loans that the plan cannot repay, the end of a plan, and the cheapest plan that can be elected", async () => {
    const [direct] = NO_INTEREST.loans
    const loans = [direct, { ...direct, loanType: "DIRECT PLUS PARENT" }]
    const scenario = { ...household, planType: "REPAYMENT ASSISTANCE" }
    const { stdout } = await repay(["project", "-", "--table"], { input: JSON.stringify({ scenario, loans }) })
    expect(stdout.replace(/\s+/g, " ")).toContain("Note: loans[1] (DIRECT PLUS PARENT) cannot be repaid under")
    const ending = { scenario: { ...household, planType: "PAY AS YOU EARN" }, loans: [direct] }
    const ends = await repay(["project", "-", "--table"], { input: JSON.stringify(ending) })
    expect(ends.stdout).toMatch(/\nNote: INCOME CONTINGENT and PAY AS YOU EARN end in Jul 2028\./)
    const arms = ["SAVE", "STANDARD"].map((planType) => ({
      scenario: { ...household, adjustedGrossIncome: 0, planType },
      loans: [{ ...direct, interestRate: 0.06, idrMonthsInRepayment: 60 }]
    }))
    const compared = await repay(["compare", "-", "--table"], { input: JSON.stringify({ arms }) })
    expect(compared.stdout).toMatch(/\nLowest total with tax: SAVE\.\nLowest that can be elected: STANDARD\.\n/)
    expect(compared.stdout).not.toContain("Note:")
  })
})
