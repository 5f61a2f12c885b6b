/**
 * What flags add to a request: dates, growth of prices, extra payments, and changes in later years.
 * The rows of test/cases/additions.ts have the library's figures; the other tests are of the words.
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseDay } from "../../src/cli/calculate/days.ts"
import { startMonthOf } from "../../src/library/index.ts"
import { ANSWERED, outcomeIn, outcomeOf, refusedFrom, requestOf as requestOfRow } from "../cases/additions.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { household } from "../support/requests.ts"

const { file } = filesOf("additions")

/** The household and the loan of test/support/requests.ts. */
const LOAN = ["--balance", "60000", "--rate", "6"]
const INPUTS = ["--income", "60000", ...LOAN]
const RAP = ["--plan", "RAP", ...INPUTS]

const requestOf = async (command: string, ...flags: ReadonlyArray<string>) =>
  JSON.parse((await repay([command, ...flags, "--print-request"])).stdout)

/** The lines of standard error, and the exit code. */
const refusalOf = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await repay(args)
  expect(stdout).toBe("")
  return [code, ...linesOf(stderr).filter((line) => !line.startsWith("Computed locally"))]
}

const START = startMonthOf(new Date())

/** The figures of a projection, or the fields or flags that are refused. */
const outcomeOfCommand = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await repay(["project", ...args])
  return code === 0 ? outcomeIn(JSON.parse(stdout)) : [...new Set(linesOf(stderr).map((line) => line.split(": ")[0]))]
}

it.each([...ANSWERED, ...refusedFrom(START)])("a file and flags have the library's outcome: $name", async (row) => {
  const request = requestOfRow(row)
  const figures = row.refused === undefined ? outcomeOf(row, START) : undefined
  expect(await outcomeOfCommand(file("row.json", request))).toEqual(figures ?? [row.refused])
  if (row.flags === undefined) return
  const own = ["--plan", request.scenario.planType, ...INPUTS, "--yearly"]
  expect(await outcomeOfCommand(...own, ...row.flags)).toEqual(figures ?? [row.flags.at(-2)])
})

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, " ")

describe("a date", () => {
  const ASKS = /^may be before or after a day that decides which plans are open: send the day, such as /

  it("is a day, or a month that means its first day", () => {
    expect(Result.getOrThrow(parseDay("2026-09-04"))).toBe("2026-09-04")
    expect(Result.getOrThrow(parseDay(" 2026-09 "))).toBe("2026-09-01")
    for (const month of ["2014-07", "2007-10", "2011-10", "2026-07", "2010-06", "2006-06", "1998-09"])
      expect(Result.getOrThrow(parseDay(month))).toBe(`${month}-01`)
  })

  it("is asked for where the day in the month decides", () => {
    expect(Result.merge(parseDay("1998-10"))).toMatch(ASKS)
    expect(Result.merge(parseDay("1998-10"))).toMatch(/ 1998-10-07$/)
    expect(Result.merge(parseDay("1958-09"))).toMatch(ASKS)
  })

  it("is refused in another spelling with the one to write", () => {
    for (const text of ["9/4/2026", "2026-13", "2026", "Sep 2026", "2026-9-4", "", "04.09.2026"])
      expect({ text, message: Result.merge(parseDay(text)) }).toEqual({
        text,
        message: "must be a day or a month: send 2026-09-04, or 2026-09 for its first day"
      })
  })

  it("of the first loan goes beside the loans of eligible, and into each arm", async () => {
    const eligible = await requestOf("eligible", ...LOAN, "--type", "direct-subsidized", "--first-borrowed", "2016-08")
    expect(eligible.firstBorrowedOn).toBe("2016-08-01")
    const { arms } = await requestOf("compare", ...RAP, "--plan", "standard", "--first-borrowed", "2016-08")
    expect(arms.map((arm: typeof eligible) => arm.scenario.firstBorrowedOn)).toEqual(["2016-08-01", "2016-08-01"])
  })

  it("that contradicts another is refused with the other's flag", async () => {
    const older = "is after --made, 26 August 2019: send that day, or an earlier day since which the borrower has owed"
    const dates = ["--made", "2019-08-26", "--first-borrowed", "2020-01"]
    for (const command of [
      ["project", ...RAP],
      ["explain", ...RAP],
      ["eligible", ...LOAN, "--type", "direct-subsidized"]
    ])
      expect(await refusalOf(...command, ...dates)).toEqual([2, `--first-borrowed: ${older}`])
  })
})

it("wrong flags are refused together, in percent and dollars", async () => {
  const wrong = ["--made", "2019-02-30", "--first-borrowed", "1950-01", "--price-growth", "11", "--extra", "1000001"]
  expect(await refusalOf("project", ...RAP, ...wrong, "--change", "3:dependents=31")).toEqual([
    2,
    "--price-growth: must be 0 to 10 percent: send 6.54 for 6.54%",
    "--first-borrowed: must be 1958-09-02 or later: there were no federal student loans before",
    "--extra: must be 0 to 1000000: send US dollars, such as 30000 or 1250.5",
    "--change: must be 0 to 30: send a whole number of dependents",
    "--made: must be a date: send year, month and day, such as 2019-08-26"
  ])
  for (const year of ["0", "51", "2029"])
    expect(await refusalOf("project", ...RAP, "--change", `${year}:status=single`)).toEqual([
      2,
      "--change: must be 2 to 50: send a year of repayment, such as 3"
    ])
})

describe("a pause, a lump sum or another plan", () => {
  const EXAMPLES = "send school:..2027-05 if it runs already, or forbearance:2026-12..2027-06"
  const month = (text: string) => `"${text}" must be a month: send year and month, such as 2027-05`
  const loan = (text: string) => `"${text}" must be the number of a loan: send @1 for the first, or @1,3 for two`

  it.each([
    ["--pause", "school", `needs a kind, a colon and months: ${EXAMPLES}`],
    ["--pause", "school:2027-05", `needs a kind, a colon and months: ${EXAMPLES}`],
    ["--pause", "scool:..2027-05", "is not clear: send school, deferment or forbearance"],
    ["--pause", "school:..YYYY-MM@1", month("YYYY-MM")],
    ["--pause", "school:..2027-13", month("2027-13")],
    ["--pause", "school:..2027-05@0", loan("0")],
    ["--pause", "school:..2027-05@101", loan("101")],
    ["--pause", "school:..2027-05@1,", loan("")],
    ["--pause", "school:..2027-05@2,1,2", "has loan 2 twice: send each loan once"],
    ["--lump", "5000", "needs a month, an equals sign and dollars: send 2027-03=5000"],
    ["--lump", "2027-03=5k", "must be US dollars: send 30000, 30,000 or 1250.50"],
    ["--switch", "IBR-NEW", "needs a month, an equals sign and a plan: send 2028-06=IBR-NEW"],
    ["--switch", "6/2028=IBR-NEW", month("6/2028")],
    ["--switch", "2028-06=extnded", "is not clear: send extended"],
    ["--lump", "2027-03=0", "must be 0.01 to 100000000: send US dollars, such as 30000 or 1250.5"]
  ])("is refused with what to write: %s %s", async (flag, text, message) =>
    expect(await refusalOf("project", ...RAP, flag, text)).toEqual([2, `${flag}: ${message}`])
  )

  it.each([
    [
      ["--pause", "forbearance:2027-05..2027-05"],
      "--pause: must be after May 2027, in which the pause begins: send the first month that is due again"
    ],
    [
      ["--pause", "forbearance:2034-01..2034-05", "--pause", "deferment:2034-02..2034-09@1"],
      "--pause: must be May 2034 or later: loan 1 has another pause until then"
    ],
    [["--pause", "school:..2027-05@2"], "--pause: must be @1, because there is one loan"],
    [["--pause", "school:..2027-05@9", ...LOAN], "--pause: must be a loan's number, @1 to @2"],
    [
      ["--extra", "50", "--budget", "600"],
      "--budget: must not be above 0 together with --extra: send either what is paid beyond the payment due, or what is paid in all"
    ]
  ])("that contradicts another is refused with the names of flags: %s", async (flags, line) => {
    for (const command of ["project", "explain"]) expect(await refusalOf(command, ...RAP, ...flags)).toEqual([2, line])
    expect(await refusalOf("compare", ...RAP, "--plan", "standard", ...flags)).toEqual([2, line])
  })
})

describe("what was added", () => {
  const FLAGS = "--made 2019-08 --first-borrowed 2016-08-24 --price-growth 2 --extra 100 --growth 3 --change".split(" ")
  const ADDED =
    "first borrowed on 24 August 2016, prices growing by 2% a year, $100.00 extra a month, from year 3 income $80,000.00 and spouse's income $40,000.00 and filing MarriedFilingJointly, from year 5 no public service"
  const CHANGES = ["3:income=80000,status=mfj,spouse-income=40000", "--change", "5:pslf=no"]

  it("is in words: the family, the budget, lump sums, pauses, other plans and the discount", async () => {
    const flags = ["--family", "4", "--budget", "600", "--lump", "2027-03=5000", "--pause", "school:..2027-05@1"]
    const plans = ["--switch", "2029-01=IBR-NEW", "--switch", "2028-06=standard"]
    const more = ["--pause", "forbearance:2027-06..2028-01", "--discount", "3", "--change", "3:extra=50,budget=0"]
    const { stdout } = await repay(["project", ...RAP, ...flags, ...plans, ...more, "--table"])
    expect(unwrapped(stdout.split("\n\n")[0]!)).toContain(
      "a family of 4, $600.00 a month in all, $5,000.00 once in March 2027, in school or grace until May 2027 (loan 1), in forbearance from June 2027 until January 2028, from June 2028: STANDARD, from January 2029: INCOME BASED, from year 3 $50.00 extra a month and no budget, discounted by 3% a year"
    )
  })

  it("is in the first lines of the table of flags", async () => {
    for (const command of ["project", "explain"]) {
      const { stdout } = await repay([command, ...RAP, ...FLAGS, ...CHANGES, "--table"])
      const head = unwrapped(stdout.split("\n\n")[0]!)
      expect(head).toContain(ADDED)
      expect(head).toContain("made on 1 August 2019")
    }
  })

  it("is told before the table of a file", async () => {
    const request = await requestOf("project", ...RAP, ...FLAGS, ...CHANGES)
    const path = file("added.json", request)
    for (const command of ["project", "explain"]) {
      const { stdout } = await repay([command, path, "--table"])
      expect(unwrapped(stdout.split("\n\n")[0]!)).toBe(`With: ${ADDED}, days on which loans were made (1 of 1).`)
    }
    expect((await repay(["project", path])).stderr).not.toContain("With: ")
    const arm = { scenario: { ...household, planType: "STANDARD" }, loans: request.loans }
    const arms = [arm, { ...arm, scenario: { ...arm.scenario, extraMonthlyPayment: 50 } }]
    const { stdout } = await repay(["compare", file("arms.json", { arms }), "--table"])
    expect(linesOf(stdout.split("\n\n")[0]!)).toEqual([
      "With, in scenario 1: days on which loans were made (1 of 1).",
      "With, in scenario 2: $50.00 extra a month, days on which loans were made (1 of",
      "1)."
    ])
    const alike = await repay(["compare", file("alike.json", { arms: [arm, arm] }), "--table"])
    expect(alike.stdout).toMatch(/^With: days on which loans were made \(1 of 1\)\.\n\n/)
  })

  it("is the plan of each scenario that is compared", async () => {
    const { arms } = await requestOf("compare", ...RAP, "--plan", "standard", "--switch", "2028-03=graduated")
    const planChanges = [{ from: "2028-03", planType: "GRADUATED" }]
    expect(arms.map((arm: { scenario: object }) => arm.scenario)).toMatchObject([{ planChanges }, { planChanges }])
  })

  it("is a part of an explained payment", async () => {
    const { stdout } = await repay(["explain", ...RAP, "--extra", "100", "--table"])
    expect(stdout).toMatch(/^REPAYMENT ASSISTANCE, month 1 \([^)]+\): \$350\.00\.$/m)
    expect(stdout).toContain("\n\nExtra payment, on 1 loan\n")
  })
})

describe("a refusal because of a new loan", () => {
  it("names plans as flags do", async () => {
    expect(await refusalOf("project", ...RAP.with(1, "IBR-NEW"), "--made", "2026-09-04")).toEqual([
      1,
      "--plan: You have a loan made on or after 1 July 2026 (your loan). All your Direct loans can now be repaid only under RAP or Tiered Standard (send --plan standard).",
      "--plan: send --plan standard or --plan RAP, which all of these loans can elect"
    ])
  })

  it("names a loan of a file by its place", async () => {
    const request = requestOfRow({ name: "", planType: "INCOME BASED", loans: [{}, { madeOn: "2026-09-04" }] })
    expect(await refusalOf("project", file("new.json", request))).toEqual([
      1,
      "scenario.planType: You have a loan made on or after 1 July 2026 (your second loan). All your Direct loans can now be repaid only under REPAYMENT ASSISTANCE or Tiered Standard (send STANDARD).",
      "scenario.planType: send one of STANDARD; REPAYMENT ASSISTANCE, which all of these loans can elect"
    ])
  })
})
