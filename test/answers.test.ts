/** The short answers of docs/answers: their figures are the engine's, and each is short. */
import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { couple, type Projection, type ProjectionRequest, project } from "../src/library/index.ts"
import { wholeDollars } from "../src/messages/figures.ts"
import { loan, projection } from "./support/requests.ts"

const MOST_WORDS = 120
const FROM = { start: { year: 2026, month: 12 } }

const textOf = (name: string): string => readFileSync(`docs/answers/${name}.md`, "utf8")

/** The cells of the table, without its head. */
const tableOf = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...textOf(name).matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, row]) => row!.split(" | "))

type Scenario = ProjectionRequest["scenario"]

const ask = (scenario: Partial<Scenario>, loans: Partial<ProjectionRequest["loans"][number]> = {}): Projection => {
  const book = { ...loan, principalBalance: 30_000, interestRate: 0.055, disbursedAmount: 30_000, ...loans }
  const household = {
    ...projection.scenario,
    adjustedGrossIncome: 46_000,
    dependents: 0,
    filingStatus: "Single",
    state: "NC"
  }
  const answer = project({ scenario: { ...household, ...scenario }, loans: [book] } as ProjectionRequest, FROM)
  if (answer._tag === "Refusal") throw new Error(JSON.stringify(answer.loans))
  return answer
}
const first = (...asked: Parameters<typeof ask>): string => wholeDollars(ask(...asked).firstMonthPayment)
const total = (...asked: Parameters<typeof ask>): string => wholeDollars(ask(...asked).totalOutOfPocket)

const STANDARD = { planType: "STANDARD" } as const
const RAP = { planType: "REPAYMENT ASSISTANCE" } as const
const IBR = { planType: "INCOME BASED" } as const
const PARENT = { loanType: "DIRECT PLUS PARENT", principalBalance: 40_000, interestRate: 0.08 } as const
const FIVE_YEARS = { idrMonthsInRepayment: 60 }

const figures = (name: string): ReadonlyArray<string> => tableOf(name).flatMap((row) => row.slice(1))

describe("the figures of", () => {
  it("leaving school, and of a letter about SAVE", () => {
    const wanted = [first(STANDARD), first(RAP)]
    expect(figures("leaving-school")).toEqual(wanted)
    expect(figures("save")).toEqual(wanted)
  })

  it("PAYE and July 2028", () => {
    const costOf = ({ totalOutOfPocket }: Projection) => wholeDollars(totalOutOfPocket)
    const paid = [ask({ planType: "PAY AS YOU EARN" }, FIVE_YEARS), ask(IBR, FIVE_YEARS)].map(costOf)
    expect(figures("paye-and-icr")).toEqual(paid)
  })

  it("public service", () => {
    const service = { workingTowardsPslf: true }
    const rap = ask({ ...RAP, ...service })
    expect([rap.forgivenessType, rap.monthsToFinish]).toEqual(["Pslf", 119])
    expect(figures("public-service")).toEqual([
      wholeDollars(rap.totalOutOfPocket),
      wholeDollars(rap.amountForgiven),
      total({ ...STANDARD, ...service }),
      "nothing"
    ])
  })

  it("Parent PLUS", () => {
    const [standard, extended] = [STANDARD, { planType: "EXTENDED" } as const]
    expect(figures("parent-plus")).toEqual(
      [standard, extended].flatMap((plan) => [first(plan, PARENT), total(plan, PARENT)])
    )
  })

  it("couples", () => {
    const owed = { ...loan, principalBalance: 40_000, interestRate: 0.06, disbursedAmount: 40_000 }
    const none = { adjustedGrossIncome: 60_000, workingTowardsPslf: false }
    const second = { adjustedGrossIncome: 25_000, workingTowardsPslf: false, loans: [owed] }
    const answer = couple({ state: "OH", dependents: 0, first: none, second } as Parameters<typeof couple>[0], FROM)!
    const costs = [answer.joint, answer.separate].map((one) => (one._tag === "CoupleReturn" ? one.cost : 0))
    expect(figures("couples")).toEqual(costs.map(wholeDollars))
  })

  it("a lost job, and of a pause", () => {
    const without = { adjustedGrossIncome: 0 }
    expect(figures("lost-my-job")).toEqual([
      first({ ...IBR, ...without }),
      first({ ...RAP, ...without }),
      first(STANDARD)
    ])
    const pauses = [{ kind: "Forbearance", until: "2027-12" }] as const
    expect(figures("paused")).toEqual([first({ ...STANDARD, pauses })])
    expect(textOf("paused")).toContain(`adds ${wholeDollars(30_000 * 0.055)}. Standard is ${first(STANDARD)} a month`)
  })
})

it.each(globSync("docs/answers/*.md"))(`%s has at most ${MOST_WORDS} words`, (file) => {
  const words = readFileSync(file, "utf8")
    .replaceAll(/\]\([^)]*\)/g, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\d]/u.test(word))
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS)
})
