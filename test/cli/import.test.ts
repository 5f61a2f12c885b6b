/**
 * `repay import`: a studentaid.gov file becomes a request for the other commands. Any other file is
 * refused in one sentence.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("import")

const sample = (name: string, ending = "txt"): string => resolve("test/myAidData/samples", `${name}.${ending}`)
const DIRECT = sample("01-direct-loans")
const OLD = sample("03-layout-of-2018")
const NEW = sample("04-parent-plus-keys-of-2026")
const loansOf = (name: string) => JSON.parse(readFileSync(sample(name, "json"), "utf8"))

const HOUSEHOLD = ["--income", "60000", "--state", "NC"]

describe("repay import", () => {
  it("prints the loans, and lists on standard error what was read and what to check", async () => {
    const { code, stderr, stdout } = await repay(["import", OLD])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toStrictEqual({ loans: loansOf("03-layout-of-2018"), firstBorrowedOn: "2003-09-04" })
    expect(linesOf(stderr).map((line) => line.split(/[:,]/).slice(0, 2).join(":"))).toEqual([
      "Read: 5 loans",
      "The file does not count the months toward income-driven forgiveness: so 0 is used. Ask your loan servicer for the number and add it to each loan",
      "Loan 2: The rate is variable",
      "Loan 3: The unpaid interest is missing",
      "Loan 4: In default",
      "Loan 5: The file does not say whether this consolidation repaid a parent PLUS loan; its kind was kept. If it did",
      "Loan 2: Now in deferment",
      "Loan 5: Now in forbearance"
    ])
  })

  it("makes a request for eligible", async () => {
    const { stdout: request } = await repay(["import", DIRECT])
    const { code, stdout } = await repay(["eligible", "-"], { input: request })
    expect({ code, loans: JSON.parse(stdout).loans.length }).toEqual({ code: 0, loans: 4 })
  })

  it("makes a request for project from one plan and a household, and prints its assumptions", async () => {
    const { code, stderr, stdout } = await repay(["import", DIRECT, "--plan", "RAP", ...HOUSEHOLD, "--yearly"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toStrictEqual({
      scenario: {
        planType: "REPAYMENT ASSISTANCE",
        adjustedGrossIncome: 60_000,
        filingStatus: "Single",
        dependents: 0,
        state: "NC",
        workingTowardsPslf: false,
        firstBorrowedOn: "2017-08-22"
      },
      loans: loansOf("01-direct-loans"),
      includeYearly: true
    })
    expect(stderr).toContain("Read: REPAYMENT ASSISTANCE, income $60,000.00, state NC, with its years.\nAssumed: ")
    const answer = await repay(["project", "-"], { input: stdout })
    expect([answer.code, JSON.parse(answer.stdout).planType]).toEqual([0, "REPAYMENT ASSISTANCE"])
  })

  it("makes a request for compare from several plans", async () => {
    const { stdout } = await repay(["import", DIRECT, "--plan", "RAP", "--plan", "standard", ...HOUSEHOLD])
    const answer = await repay(["compare", "-"], { input: stdout })
    expect(answer.code).toBe(0)
    expect(JSON.parse(answer.stdout).projections.map(({ label }: { label: string }) => label)).toEqual([
      "REPAYMENT ASSISTANCE",
      "STANDARD"
    ])
  })

  it("prints an incomplete request, names the missing fields, and exits with 2", async () => {
    const { code, stderr, stdout } = await repay(["import", NEW, "--plan", "RAP", ...HOUSEHOLD])
    expect({ code, loans: JSON.parse(stdout).loans }).toStrictEqual({
      code: 2,
      loans: loansOf("04-parent-plus-keys-of-2026")
    })
    expect(linesOf(stderr).slice(-2)).toEqual([
      "The request is not complete yet. Fill in:",
      "loans[5].loanType (loan 6 of the file): is required: send one of the loan type strings, such as DIRECT STAFFORD UNSUBSIDIZED"
    ])
  })

  it("draws a table after its notes", async () => {
    const { code, stderr, stdout } = await repay(["import", OLD, "--table"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("\n\nLoan  Type                         Principal   Interest   Rate  Made\n")
    expect(stdout).toContain("\n   5  FFEL CONSOLIDATED           $22,460.00  $1,005.00  4.25%  2006-07-19\n")
    expect((await repay(["import", NEW, "--table"])).stdout).toContain("\n   6  ?       ")
    expect(Math.max(...linesOf(stdout).map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it("says since when the borrower has owed, and that a flag says otherwise", async () => {
    const { stderr } = await repay(["import", DIRECT])
    expect(stderr).toContain("You have owed Direct or FFEL loans without a break since 22 August 2017, by the dates")
    const given = await repay(["import", DIRECT, "--plan", "RAP", ...HOUSEHOLD, "--first-borrowed", "2015-09"])
    expect(JSON.parse(given.stdout).scenario.firstBorrowedOn).toBe("2015-09-01")
    expect((await repay(["import", NEW])).stderr).toContain("The file does not show since when you have owed")
    const sent = await repay(["import", NEW, "--plan", "RAP", ...HOUSEHOLD, "--first-borrowed", "2011-08"])
    expect(sent.stderr).not.toContain("The file does not show since when")
  })

  it("closes the older plans because of a new loan of the file", async () => {
    const text = readFileSync(DIRECT, "utf8")
      .replaceAll("08/25/2020", "08/25/2026")
      .replaceAll("01/09/2021", "10/09/2026")
    const { stdout: request } = await repay(["import", file("new.txt", text), "--plan", "IBR-NEW", ...HOUSEHOLD])
    const { code, stderr } = await repay(["project", "-"], { input: request })
    expect(code).toBe(1)
    expect(stderr).toContain("You have a loan made on or after 1 July 2026 (your first loan).")
  })

  it("names dates that cannot be right, and exits with 2", async () => {
    const plus = "DIRECT PLUS CONSOLIDATED"
    const text = readFileSync(DIRECT, "utf8").replaceAll("DIRECT PLUS GRADUATE", plus).replaceAll("Code:D3", "Code:D7")
    const { code, stderr, stdout } = await repay(["import", file("plus.txt", text)])
    expect({ code, made: JSON.parse(stdout).loans[0].madeOn }).toEqual({ code: 2, made: "2020-08-25" })
    expect(linesOf(stderr).slice(-2)).toEqual([
      "The request has dates that cannot be right. Change them, or take them out:",
      expect.stringMatching(/^loans\[0\]\.madeOn \(loan 1 of the file\): must be before 1 July 2006: /)
    ])
    const early = ["--plan", "RAP", ...HOUSEHOLD, "--first-borrowed", "2020-01"]
    expect(linesOf((await repay(["import", DIRECT, ...early])).stderr).at(-1)).toMatch(
      /^firstBorrowedOn: is after the madeOn of loan 3 of the file, 24 August 2019: /
    )
  })

  it("pauses loans until the end that the file shows, and says which flag to add for the others", async () => {
    const begins = `05/16/${new Date().getUTCFullYear() + 1}`
    const until = `${begins.slice(-4)}-05`
    const [, first, ...others] = readFileSync(DIRECT, "utf8")
      .replace(/(?<=^File Request Date:)\d{4}/m, String(new Date().getUTCFullYear()))
      .split(/(?=^Loan Type Code)/m)
      .map((text, at, all) => (at === 0 ? text : at === 1 ? `${all[0]}${text}` : text))
    const paused = first!
      .replace("Current Loan Status:RP", "Current Loan Status:ID")
      .replace("Loan Repayment Begin Date:", `Loan Repayment Begin Date:${begins}`)
    const text = [paused, others[0]!.replace("Current Loan Status:RP", "Current Loan Status:FB"), ...others.slice(1)]
    const path = file("paused.txt", text.join(""))
    const household = ["--plan", "standard", ...HOUSEHOLD]
    const { code, stderr, stdout } = await repay(["import", path, ...household])
    expect({ code, pauses: JSON.parse(stdout).scenario.pauses }).toEqual({
      code: 0,
      pauses: [{ kind: "InSchool", until, loans: [0] }]
    })
    const forbearance = "--pause forbearance:..YYYY-MM@2"
    expect(stderr).toContain(`\nLoan 1: Now in school or grace, and repayment begins in May ${begins.slice(-4)}`)
    expect(stderr).toMatch(new RegExp(`^Loan 2: Now in forbearance, but .* Add ${forbearance},`, "m"))
    const loansAlone = await repay(["import", path])
    expect(loansAlone.stderr).toContain(`Add --pause school:..${until}@1.\n`)
    const given = await repay(["import", path, ...household, "--pause", `school:..${until}@1,2`])
    expect(JSON.parse(given.stdout).scenario.pauses).toEqual([{ kind: "InSchool", until, loans: [0, 1] }])
    expect(given.stderr).not.toContain("--pause")
    const answer = await repay(["project", "-", "--table"], { input: given.stdout })
    expect(answer.stdout).toContain("in school or grace until May")
  })

  it("refuses a pause of a loan that the file does not have", async () => {
    const { code, stderr } = await repay([
      "import",
      DIRECT,
      "--plan",
      "RAP",
      ...HOUSEHOLD,
      "--pause",
      "school:..2034-05@5"
    ])
    expect({ code, last: linesOf(stderr).at(-1) }).toEqual({
      code: 2,
      last: "--pause: must be a loan's number, @1 to @4"
    })
  })

  it("prints nothing that identifies the borrower", async () => {
    for (const path of [DIRECT, OLD, NEW]) {
      const outputs = await Promise.all([repay(["import", path]), repay(["import", path, "--table"])])
      const text = outputs.map(({ stderr, stdout }) => stdout + stderr).join("\n")
      expect(text).not.toMatch(
        /maribel|okonkwo|yolanda|strake|harlan|bexley|invented|nowhere|person\.|\*{5}|example|555/i
      )
    }
  })
})

describe("a mistake", () => {
  it("in a flag is reported before the file is opened", async () => {
    const flags = "--plan RAP --plan IBR --label x".split(" ")
    const { code, stderr, stdout } = await repay(["import", join(folder, "none.txt"), ...flags])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(linesOf(stderr).map((line) => line.split(":")[0])).toEqual(["--label", "--plan", "--income"])
  })

  it("in the number of plans is reported", async () => {
    const plans = Array.from({ length: 11 }, () => ["--plan", "RAP"]).flat()
    const { stderr } = await repay(["import", DIRECT, ...plans, "--income", "1"])
    expect(stderr).toBe("--plan: must be given 1 to 10 times\n")
  })

  it("in the file is reported in one sentence, with exit code 2 and no standard output", async () => {
    mkdirSync(join(folder, "a-folder"))
    const files: ReadonlyArray<readonly [path: string, sentence: RegExp]> = [
      [join(folder, "a-folder"), /is a directory; use a file$/],
      [join(folder, "missing.txt"), /there is no such file$/],
      ["-", /import reads a file, not standard input; name the file$/],
      [
        file("aid.pdf", "%PDF-1.7\n..."),
        /: This file is a PDF; loans are read from the text file alone\. Log in at studentaid\.gov/
      ],
      [file("aid.zip", "PK\u0003\u0004..."), /: This file is an archive or an office document; /],
      [file("aid.html", "<!doctype html><html></html>"), /: This file is a saved web page; /],
      [file("empty.txt", ""), /: This file is empty\. /],
      [file("letter.txt", "Dear borrower"), /: This file is not My Aid Data, or has no loans in it\. /],
      [file("large.txt", "x".repeat(5_000_000)), /: This file is far larger than any My Aid Data file\. /]
    ]
    await fewAtOnce(3, files, async ([path, sentence]) => {
      const { code, stderr, stdout } = await repay(["import", path])
      expect({ path, code, stdout, lines: linesOf(stderr).length }).toEqual({ path, code: 2, stdout: "", lines: 1 })
      expect(linesOf(stderr)[0]).toMatch(sentence)
    })
  })
})
