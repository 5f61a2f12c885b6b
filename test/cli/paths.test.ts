/** `repay paths`: its table, JSON, requests and refusals; `repay compare` without plans. */
import { type Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { CLOCK } from "../support/hurried.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { loan, projection } from "../support/requests.ts"

const { file } = filesOf("paths")

/** Repayment starts in December 2026. */
const NOVEMBER: Clock.Clock = Object.assign(Object.create(CLOCK), {
  currentTimeMillis: Effect.succeed(Date.UTC(2026, 10, 28))
})

const FLAGS = "--income 62000 --balance 90000 --rate 6.6 --months 60".split(" ")
const paths = (...args: ReadonlyArray<string>) => repay(["paths", ...args], { clock: NOVEMBER })

describe("repay paths", () => {
  it("prints the best path of each pair of plans in 80 columns, and what it saves", async () => {
    const { code, stderr, stdout } = await paths(...FLAGS, "--current", "PAYE", "--table")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const [, , table, about] = stdout.replace("Read: ", "Read: \n\n").split("\n\n")
    expect(table).toBe(`Plan  Payment  Change    To         Payment      Ends     Total    Saves
PAYE     $317  Jan 2027  IBR-NEW       $317  Nov 2041   $84,726  $25,803
PAYE     $317  Jan 2027  standard    $1,794  Nov 2031  $106,161   $4,369
PAYE     $317  Jan 2027  RAP           $310  Nov 2051  $109,416   $1,113
PAYE     $317  Jan 2027  graduated   $1,113  Nov 2031  $110,024     $505
PAYE     $317  -         -                -  Nov 2051  $110,529        -`)
    expect(about).toMatch(
      /^Lowest cost of 98 paths tried: PAYE, then IBR-NEW from January 2027, at\n\$84,726\.40, with/
    )
    expect(about!.replaceAll("\n", " ")).toContain(
      "That is $25,802.69 less than the best without a change: PAYE until July 2028 and its successor then. Note: A change in July 2028 costs the same. Note: INCOME BASED is for borrowers who owed nothing on 1 July 2014, or nothing when they next borrowed; for others the best is PAY AS YOU EARN, then STANDARD from January 2027, at $106,160.54. Note: The best of the paths tried is not advice:"
    )
  })

  it("shows every plan alone, and no change that saves nothing", async () => {
    const { stdout } = await paths(...FLAGS, "--table")
    const rows = stdout.split("\n\n")[1]!.split("\n").slice(1)
    expect(rows.length).toBe(8)
    for (const row of rows) expect(row).toMatch(/ {2}- +- +- .* -$/)
    expect(stdout.replaceAll("\n", " ")).toContain("Nothing else that was tried costs less.")
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80)
  })

  it("says where a path saves by paying sooner alone", async () => {
    const { stdout } = await paths(...FLAGS, "--current", "RAP", "--budget", "1064.75", "--table")
    expect(stdout.replaceAll("\n", " ")).toContain(
      "It pays $2,721.37 in December 2029, and $310.00 at first: it saves by paying sooner, which every plan allows."
    )
  })

  it("ranks by the value of today with a discount rate", async () => {
    const { stdout } = await paths(...FLAGS, "--current", "PAYE", "--discount", "3", "--table")
    expect(stdout).toContain("Worth now")
    expect(stdout.replaceAll("\n", " ")).toContain(" tax on what is forgiven, as worth today.")
  })

  it("prints every pair of plans as JSON, with the sources and a warning", async () => {
    const { code, stdout } = await paths(...FLAGS, "--current", "PAYE")
    const answer = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(answer).toMatchObject({
      projected: 98,
      bestWithoutChange: { planType: "PAY AS YOU EARN", planChanges: [], cost: 110_529.09 },
      provenance: { answerId: null, engine: "projection" }
    })
    expect(answer.paths.length).toBe(8)
    expect(answer.paths[0]).toMatchObject({
      planType: "PAY AS YOU EARN",
      planChanges: [{ from: "2027-01", planType: "INCOME BASED" }],
      cost: 84_726.4,
      totalOutOfPocket: 57_090,
      forgivenessTaxesOwed: 27_636.4
    })
    expect(answer.provenance.notes.join()).toContain("not advice: income, family and the law may change")
  })

  it("leaves SAVE in the next month, and compares with the move to STANDARD", async () => {
    const { stdout } = await paths(...FLAGS, "--current", "SAVE", "--first-borrowed", "2015-01-01")
    const { bestWithoutChange, paths: all, provenance } = JSON.parse(stdout)
    expect(all.length).toBeGreaterThan(4)
    for (const { planChanges } of all) expect(planChanges[0].from).toBe("2027-01")
    expect(bestWithoutChange.planChanges).toEqual([{ from: "2027-01", planType: "STANDARD" }])
    expect(provenance.notes.join()).toContain(
      "SAVE has ended, so every path leaves it in January 2027; servicers move those who do not choose to STANDARD"
    )
    expect(provenance.notes.join()).not.toContain("is for borrowers who owed nothing")
  })

  it("names the work that public service asks for", async () => {
    const { stdout } = await paths(...FLAGS, "--pslf", "--current", "IBR-NEW")
    expect(JSON.parse(stdout).provenance.notes).toContain("It needs work for a qualifying employer until Nov 2036")
  })

  it("takes a request of repay project, with the current plan beside it or in it", async () => {
    const printed = await paths(...FLAGS, "--current", "PAYE", "--print-request")
    expect(JSON.parse(printed.stdout).currentPlan).toBe("PAY AS YOU EARN")
    const { stdout } = await paths(...FLAGS, "--current", "PAYE")
    const { currentPlan, ...request } = JSON.parse(printed.stdout)
    for (const args of [
      [file("with.json", { ...request, currentPlan })],
      [file("without.json", request), "--current", "paye"]
    ])
      expect(JSON.parse((await paths(...args)).stdout)).toEqual(JSON.parse(stdout))
  })

  it("replaces the plan and the changes of plan of a file", async () => {
    const planChanges = [{ from: "2027-06", planType: "GRADUATED" }]
    const changed = { ...projection, scenario: { ...projection.scenario, planType: "SAVE", planChanges } }
    const [one, other] = await Promise.all([projection, changed].map((body, at) => paths(file(`${at}.json`, body))))
    expect(one).toEqual(other)
    expect((await paths(file("2.json", changed), "--table")).stdout).not.toContain("June 2027")
  })

  it("refuses a current plan that cannot take the loans, at its flag", async () => {
    const flags = "--income 62000 --balance 9000 --rate 6.6 --current".split(" ")
    const parents = await paths(...flags, "PAYE", "--type", "DIRECT PLUS PARENT")
    expect(parents).toMatchObject({ code: 1, stdout: "" })
    expect(linesOf(parents.stderr)).toEqual([
      "--current: PAY AS YOU EARN cannot take your loan (DIRECT PLUS PARENT): Direct PLUS loans to parents may elect the fixed plans only."
    ])
    const recent = await paths(...flags, "IBR-OLD", "--first-borrowed", "2015-01-01")
    expect(recent.stderr).toContain("you first borrowed since: send --current IBR-NEW\n")
    const body = { ...projection, loans: [{ ...loan, loanType: "DIRECT PLUS PARENT" }], currentPlan: "SAVE" }
    expect((await paths(file("parents.json", body))).stderr).toMatch(/^currentPlan: SAVE cannot take your first loan/)
  })

  it("refuses loans for which no plan has an answer, and an unknown plan", async () => {
    const served = await paths(..."--income 62000 --balance 9000 --rate 6.6 --months 360".split(" "))
    expect([served.code, served.stderr.split(" ")[0]]).toEqual([1, "--balance:"])
    const unknown = await paths(...FLAGS, "--current", "IBR")
    expect([unknown.code, linesOf(unknown.stderr)[0]]).toEqual([
      2,
      'Invalid value for flag --current: "IBR". Expected: one of RAP, IBR-NEW, IBR-OLD, PAYE, ICR, SAVE, REPAYE, standard, graduated, extended'
    ])
  })
})

describe("repay compare without --plan", () => {
  const compare = (...args: ReadonlyArray<string>) => repay(["compare", ...args], { clock: NOVEMBER })
  const BOOK = "--income 62000 --dependents 1 --balance 19000 --rate 4.5 --balance 32000 --rate 5.5".split(" ")

  it("compares every plan that can be chosen, in 80 columns, and says why the others cannot", async () => {
    const { code, stdout } = await compare(...BOOK, "--table")
    expect(code).toBe(0)
    const rows = stdout.split("\n\n")[1]!.split("\n")
    expect(rows.map((row) => row.split(" ")[0])).toEqual(
      "Plan standard extended graduated IBR-NEW IBR-OLD ICR PAYE RAP".split(" ")
    )
    expect(rows.at(-1)).toMatch(/^RAP +\$260 /)
    expect(stdout).toContain("Not available: SAVE cannot be elected since 10 March 2026.")
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80)
  })

  it("names a loan by its place where a plan refuses it", async () => {
    const { stdout } = await compare(..."--income 60000 --balance 20000 --rate 6 --table".split(" "))
    expect(stdout.replaceAll("\n", " ")).toContain(
      "EXTENDED cannot take your loan (DIRECT STAFFORD UNSUBSIDIZED): it needs"
    )
  })

  it("prints the answer of POST /v1/calculators/plans as JSON", async () => {
    const answer = JSON.parse((await compare(...BOOK)).stdout)
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(["plans", "excludedPlans", "lowestLifetimeCostPlan"]))
    expect(answer.plans.at(-1)).toMatchObject({ planType: "REPAYMENT ASSISTANCE", firstPayment: 260 })
  })

  it("refuses a change of plan, which needs the plan before it", async () => {
    const { code, stderr } = await compare(...BOOK, "--switch", "2028-06=IBR-NEW")
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--switch: needs at least two plans: send --plan RAP --plan standard too")
    ])
  })
})
