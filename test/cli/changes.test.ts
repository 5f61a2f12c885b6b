/** `--change`: how it is read, and what a refusal says to send. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseChanges } from "../../src/cli/calculate/changes.ts"
import { halves } from "../../src/cli/calculate/entries.ts"
import { linesOf, repay } from "../support/repay.ts"

const RAP = ["--plan", "RAP", "--income", "60000", "--balance", "30000", "--rate", "6"]

const requestOf = async (...flags: ReadonlyArray<string>) =>
  JSON.parse((await repay(["project", ...RAP, ...flags, "--print-request"])).stdout)

const refusalOf = async (...flags: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await repay(["project", ...RAP, ...flags])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  return linesOf(stderr)
}

describe("a dated entry", () => {
  it("is divided at the first mark", () => {
    expect(halves("school:..2027-05", ":")).toEqual(["school", "..2027-05"])
    expect(halves(" 2027-03 = 5,000 ", "=")).toEqual(["2027-03", "5,000"])
    expect(halves("2027-03", "=")).toEqual(["2027-03"])
    expect(halves("..2027-05", "..")).toEqual(["", "2027-05"])
  })
})

describe("a change", () => {
  const read = (...texts: ReadonlyArray<string>) => Result.getOrThrow(parseChanges(texts.join("\n")))

  it.each<readonly [text: string, members: object]>([
    ["3:income=80000,status=mfj", { adjustedGrossIncome: 80_000, filingStatus: "MarriedFilingJointly" }],
    [" 3 : Income = $80,000, dependents=2 ", { adjustedGrossIncome: 80_000, dependents: 2 }],
    ["3:income=1,250.50,pslf=no", { adjustedGrossIncome: 1250.5, workingTowardsPslf: false }],
    ["3:pslf=Yes,income=0", { workingTowardsPslf: true, adjustedGrossIncome: 0 }],
    [
      "3:spouse-income=40000,spouse-balance=5000",
      { spouseAdjustedGrossIncome: 40_000, spouseFederalLoanBalance: 5000 }
    ],
    ["3:status=head of household", { filingStatus: "HeadOfHousehold" }],
    ["3:family=5,extra=1,050,budget=0", { familySize: 5, extraMonthlyPayment: 1050, monthlyBudget: 0 }]
  ])("%j is read", (text, members) => {
    expect(read(text)).toEqual([{ fromYear: 3, ...members }])
  })

  it("may be one of several, in any order", () => {
    expect(read("5:status=single", "2:dependents=1")).toEqual([
      { fromYear: 2, dependents: 1 },
      { fromYear: 5, filingStatus: "Single" }
    ])
  })

  const YEAR = "begins with a year of repayment and a colon: send 3:income=80000,status=mfj"
  const ALL =
    "send one or more of income=80000, spouse-income=40000, spouse-balance=20000, dependents=2, pslf=yes, status=mfj, family=4, extra=50, budget=600"

  it.each([
    ["", YEAR],
    ["income=80000", YEAR],
    ["year three: income 80000", YEAR],
    ["year 3: incme 80000", YEAR],
    ["3:", `year 3: changes nothing: ${ALL}`],
    ["3", `year 3: changes nothing: ${ALL}`],
    ["3:incme=80000", `year 3: "incme" is not known: ${ALL}`],
    ["3:80000", `year 3: "80000" is not known: ${ALL}`],
    ["3:income", "year 3: income needs a value: send income=80000"],
    ["3:dependents=", "year 3: dependents needs a value: send dependents=2"],
    ["3:income=80k", 'year 3: "income=80k" must be US dollars: send 30000, 30,000 or 1250.50'],
    ["3:dependents=-1", 'year 3: "dependents=-1" must be a whole number: send 0, 1 or 12'],
    ["3:pslf=maybe", 'year 3: "pslf=maybe" must be yes or no'],
    ["3:status=x", 'year 3: "status=x" is not clear: send single, mfj, mfs or hoh'],
    ["3:income=1,income=2", "year 3: sets income twice: set it once"],
    ["1:income=1", "year 1 is described by the other flags, such as --income: changes begin with year 2"],
    ["3:income=1\n3:status=single", "has year 3 twice: put both into one, such as 3:income=80000,status=mfj"]
  ])("%j is refused with what to write", (text, message) => {
    expect(Result.merge(parseChanges(text))).toBe(message)
  })

  it.each([
    ["year 3: income 80000, married", "3:income=80000,status=mfj"],
    ["Year 3: Income $80,000, Married separately", "3:income=80,000,status=mfs"],
    ["year 3: spouse income 40000, spouse loans 5000, married", "3:spouse-income=40000,spouse-balance=5000,status=mfj"],
    ["year 3: 1 dependent, public service, head of household", "3:dependents=1,pslf=yes,status=hoh"],
    ["3: no dependents, no public service, single", "3:dependents=0,pslf=no,status=single"]
  ])("%j is refused with the spelling of now", (text, now) => {
    expect(Result.merge(parseChanges(text))).toBe(`has another spelling now: send --change ${now}`)
    expect(Result.isSuccess(parseChanges(now))).toBe(true)
  })

  it("in the old words is rewritten with all others", () => {
    expect(Result.merge(parseChanges("3:pslf=yes\nyear 5: single, 1 dependent"))).toBe(
      "has another spelling now: send --change 3:pslf=yes --change 5:status=single,dependents=1"
    )
  })

  it("of several words is refused with one", async () => {
    const oneWord = "A change is one word: --change 3:income=80000,status=mfj"
    expect((await refusalOf("--change", "3:income=80000,", "status=mfj", "dependents=2"))[1]).toBe(oneWord)
    expect(await refusalOf("--change", "3:income=80000,", "status=mfj")).toEqual([
      "--plan, --income, --change, --balance, --rate: cannot be used with a file; change the file, or use flags alone",
      oneWord
    ])
  })

  it("is refused beyond the bounds of its member", async () => {
    for (const year of ["0", "51", "2029"])
      expect(await refusalOf("--change", `${year}:status=single`)).toEqual([
        "--change: must be 2 to 50: send a year of repayment, such as 3"
      ])
    expect(await refusalOf("--change", "3:dependents=31")).toEqual([
      "--change: must be 0 to 30: send a whole number of dependents"
    ])
  })

  it("may marry, and a spouse's income that is not sent is assumed to be 0", async () => {
    const { scenario } = await requestOf("--change", "3:status=mfj")
    expect(scenario).toMatchObject({ filingStatus: "Single", spouseAdjustedGrossIncome: 0 })
    const { stderr } = await repay(["project", ...RAP, "--change", "3:status=mfj"])
    expect(stderr).toContain("spouse's income $0.00 (--spouse-income)")
    const sent = await requestOf("--change", "3:status=mfj,spouse-income=40000")
    expect(sent.scenario).not.toHaveProperty("spouseAdjustedGrossIncome")
    const before = await requestOf("--spouse-income", "40000", "--change", "3:status=mfj")
    expect(before.scenario.spouseAdjustedGrossIncome).toBe(40_000)
  })

  it("of a spouse is refused where no joint return is filed from then on", async () => {
    const change = ["--status", "mfj", "--change", "3:status=single", "--change", "4:spouse-balance=1"]
    expect(await refusalOf(...change)).toEqual([
      "--change: year 4: a spouse's income and loans count only on a joint return: add status=mfj, or leave them out"
    ])
  })
})
