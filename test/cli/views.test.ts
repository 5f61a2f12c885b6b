/**
 * The views of answers: they fit the screen, use color only where it is supported, and neutralize
 * control characters.
 */

import { PassThrough, Readable } from "node:stream"
import { Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { describe, expect, it } from "vitest"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { compare, explain, project } from "../../src/cli/calculate/unrecordedAnswers.ts"
import { CommandIo } from "../../src/cli/io.ts"
import { screen } from "../../src/cli/output.ts"
import { comparisonView } from "../../src/cli/views/comparison.ts"
import { explanationView } from "../../src/cli/views/explanation.ts"
import { listView, SUBSCRIPTIONS } from "../../src/cli/views/lists.ts"
import { projectionView } from "../../src/cli/views/projection.ts"
import { harmless, widthOf, wrap } from "../../src/cli/views/text.ts"
import { Engine } from "../../src/engine/Engine.ts"
import { NO_ADDITIONS } from "../../src/engine/law/household.ts"
import { dateOfMonth, startMonthOf } from "../../src/engine/schedule/calendar.ts"
import { dollars, longMonth, monthAfter, wholeDollars } from "../../src/messages/figures.ts"
import { explanationSummary } from "../../src/messages/summaries.ts"
import type { ListedSubscription } from "../../src/services/accounts/lists.ts"

const identity = (text: string): string => text
const marked = (text: string): string => `<${text}>`
const PLAIN = { bold: identity, dim: identity, accent: identity }

const SCENARIO = {
  planType: "INCOME BASED",
  adjustedGrossIncome: 60_000,
  spouseAdjustedGrossIncome: null,
  spouseFederalLoanBalance: null,
  filingStatus: "Single",
  dependents: 0,
  state: "NC",
  workingTowardsPslf: false,
  annualIncomeGrowth: 0.03,
  label: "A label of a scenario that is quite long, 漢字 included",
  ...NO_ADDITIONS
} as const

const LOAN = {
  loanType: "DIRECT STAFFORD UNSUBSIDIZED",
  principalBalance: 99_999_999,
  interestBalance: 1_234_567.89,
  interestRate: 0.08,
  disbursedAmount: 0,
  idrMonthsInRepayment: 0,
  pslfCount: 0,
  madeOn: null
} as const

const START = startMonthOf(new Date())
const monthAfterStart = (index: number): string => monthAfter(dateOfMonth(START, 0), index)

const run = <A, E>(effect: Effect.Effect<A, E, Engine>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Engine.layer))

const projection = () => run(project({ scenario: SCENARIO, loans: [LOAN], includeYearly: true }))

const comparison = () => {
  const arm = { scenario: SCENARIO, loans: [LOAN] }
  const small = { scenario: { ...SCENARIO, label: null }, loans: [{ ...LOAN, principalBalance: 900 }] }
  return run(compare({ arms: [arm, small, ...Array.from({ length: 8 }, () => arm)], includeYearly: true }))
}

describe("a view", () => {
  const WIDTHS = [60, 72, 80, 100, 120]

  const expectToFit = (view: ReturnType<typeof projectionView>, what = "") => {
    for (const columns of WIDTHS) {
      const wide = view({ columns, style: PLAIN })
        .split("\n")
        .filter((line) => widthOf(line) > columns)
      expect({ what, columns, wide }).toEqual({ what, columns, wide: [] })
    }
  }

  it("of a projection, or of a comparison of ten arms, fits the screen, also with the largest amounts", async () => {
    expectToFit(projectionView(await projection()))
    expectToFit(comparisonView(await comparison()))
  })

  it("of an explanation fits the screen under every plan, also with the largest amounts", async () => {
    const types = ["DIRECT STAFFORD UNSUBSIDIZED", "DIRECT CONSOLIDATED SUBSIDIZED", "DIRECT PLUS PARENT"] as const
    const loans = types.map((loanType) => ({ ...LOAN, loanType, idrMonthsInRepayment: 1 }))
    const married = {
      filingStatus: "MarriedFilingJointly",
      spouseFederalLoanBalance: 99_999_999,
      dependents: 30
    } as const
    for (const planType of PLAN_TYPES) {
      for (const month of [1, 25]) {
        const scenario = { ...SCENARIO, ...married, planType, label: null }
        expectToFit(explanationView(await run(explain({ scenario, loans, includeYearly: false, month }))), planType)
      }
    }
  })

  describe("of a life that bends", () => {
    const bent = {
      ...SCENARIO,
      label: null,
      discountRate: 0.03,
      pauses: [
        { kind: "Deferment", from: null, until: monthAfterStart(5), loans: [0] },
        { kind: "Forbearance", from: monthAfterStart(22), until: monthAfterStart(26), loans: null }
      ],
      lumpSums: [{ on: monthAfterStart(3), amount: 500 }]
    } as const
    const small = { ...LOAN, principalBalance: 30_000, interestBalance: 0 }
    const loans = [small, { ...small, interestRate: 0.085 }]
    const wide = { columns: 200, style: PLAIN }
    const shown = (index: number) => longMonth(monthAfterStart(index))
    const explained = async (month: number) =>
      explanationView(await run(explain({ scenario: bent, loans, includeYearly: false, month })))(wide)

    it("shows pauses and lump sums in their years, and the value of today", async () => {
      const request = { scenario: bent, loans, includeYearly: true }
      const answer = await run(project(request))
      const view = projectionView(answer, bent)(wide)
      expect(view).toContain(`; worth ${dollars(answer.presentValue!)} today`)
      const underYear = (number: number) => view.split(new RegExp(`^ +${number}  .*\n`, "m"))[1]!.split("\n")[0]
      expect(underYear(1)).toBe(`      in deferment until ${shown(5)} (loan 1), $500.00 once in ${shown(3)}`)
      expect(underYear(2)).toBe(`      in forbearance from ${shown(22)} until ${shown(26)}`)
      expect(underYear(3)).toBe(`      in forbearance from ${shown(22)} until ${shown(26)}`)
      expect(underYear(4)).toMatch(/^ +5 {2}/)
      const arms = [request, { ...request, scenario: { ...bent, planType: "STANDARD" } as const }]
      const compared = comparisonView(await run(compare({ arms, includeYearly: false })))(wide)
      expect(compared).toContain("Worth today")
      expect(compared).toContain(wholeDollars(answer.presentValue!))
    })

    it("says until when loans are paused, what was paid once, and which interest joined the principal", async () => {
      expect(await explained(4)).toContain(`\n\nINCOME BASED, paused until ${shown(5)}: 1 loan\n`)
      expect(await explained(4)).toContain("\n\nLump sum, on 1 loan\n")
      expect(await explained(6)).toMatch(/\ninterest joined to principal, loan 1 +\$1,000\.00\n/)
      expect(await explained(24)).toContain("\n\nINCOME BASED: 0 loans\nNothing is due in this month.\n")
    })
  })

  describe("of changes of plan", () => {
    const loans = [{ ...LOAN, interestBalance: 0 }]
    const from = monthAfterStart(16)
    const planChanges = [{ from, planType: "REPAYMENT ASSISTANCE" }] as const
    const scenario = { ...SCENARIO, adjustedGrossIncome: 30_000, label: null, planChanges }
    const wide = { columns: 200, style: PLAIN }

    it("shows them in their years", async () => {
      const view = projectionView(await run(project({ scenario, loans, includeYearly: true })), scenario)(wide)
      expect(view).toMatch(new RegExp(`^ +2 .*\\n      from ${longMonth(from)}: REPAYMENT ASSISTANCE\\n +3 `, "m"))
    })

    it("says which interest joined the principal where Income-Based was left", async () => {
      const explained = async (month: number) => await run(explain({ scenario, loans, includeYearly: false, month }))
      const answer = await explained(17)
      const said =
        /^You left Income-Based for REPAYMENT ASSISTANCE: \$[\d,]+\.\d\d of unpaid interest joined the principal\.$/m
      for (const text of [
        explanationView(answer)(wide),
        explanationSummary({ ...answer, knownOmissions: [], rules: [] })
      ])
        expect(text).toMatch(said)
      expect(explanationView(await explained(16))(wide)).not.toContain("You left")
    })
  })

  it("marks a closed plan, and lists the omissions of an explained payment", async () => {
    const closed = { scenario: { ...SCENARIO, planType: "SAVE" } as const, loans: [LOAN], includeYearly: false }
    const screen = { columns: 200, style: PLAIN }
    expect(projectionView(await run(project(closed)))(screen)).toMatch(/, SAVE: .* It can no longer be elected\.\n/s)
    const shown = explanationView(await run(explain({ ...closed, month: 1 })))(screen)
    expect(shown).toContain("Note: SAVE cannot be elected since 10 March 2026; these figures show what it would be.")
    expect(shown).toMatch(/Not modeled, although it affects this answer: .*End of SAVE and REPAYE/s)
  })

  it("has the same text with and without colors", async () => {
    const answer = await comparison()
    const plain = comparisonView(answer)({ columns: 80, style: PLAIN })
    const styled = comparisonView(answer)({ columns: 80, style: { bold: marked, dim: marked, accent: marked } })
    expect(styled).not.toBe(plain)
    expect(styled.replace(/[<>]/g, "")).toBe(plain)
  })

  it("replaces control characters in a label", async () => {
    const label = "\u001B[2Jgone\u202Eback"
    const scenario = { ...SCENARIO, label }
    const answer = await run(project({ scenario, loans: [LOAN], includeYearly: false }))
    expect(projectionView(answer)({ columns: 80, style: PLAIN })).toMatch(
      /^<U\+001B>\[2Jgone<U\+202E>back, INCOME BASED: /
    )
    expect(harmless("plain text, 漢字")).toBe("plain text, 漢字")
    const invisible = ["\u061C", "\u200B", "\u200C", "\u200D", "\u2028", "\u2029", "\uFEFF", "\u00AD", "\u2060"]
    expect(invisible.map(harmless)).toEqual(invisible.map(() => "?"))
  })
})

describe("the screen", () => {
  const screenOf = (terminal: { readonly isTTY?: boolean; readonly columns?: number }, canColor = true) => {
    const stdout = Object.assign(new PassThrough(), terminal)
    const streams = { stdin: Readable.from([]), stdout, stderr: stdout, env: {}, cwd: "." }
    const { columns, style } = Effect.runSync(
      screen.pipe(
        Effect.provideService(CommandIo, streams),
        Effect.provideService(TerminalCapabilities.TerminalCapabilities, {
          canColor,
          canAnimate: false,
          canPrompt: false
        })
      )
    )
    return { columns, isColored: style.bold("text") !== "text" }
  }

  it("is as wide as the terminal, from 60 to 120 columns, or 80 without a terminal", () => {
    const widths = [20, 60, 61, 120, 200].map((columns) => screenOf({ columns }).columns)
    expect([screenOf({}).columns, ...widths]).toEqual([80, 60, 60, 61, 120, 120])
  })

  it("has colors only on a terminal that supports them", () => {
    const colored = [true, false].flatMap((isTTY) => [true, false].map((can) => screenOf({ isTTY }, can).isColored))
    expect(colored).toEqual([true, false, false, false])
  })
})

describe("the list of subscriptions", () => {
  const subscription = (changes: Partial<ListedSubscription>): ListedSubscription => ({
    id: "5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11",
    email: "ada.lovelace@example.org",
    state: "paid",
    why: [],
    externalId: "sub_1",
    paidAt: new Date("2026-11-01T00:00:00Z"),
    endsAt: null,
    heldAt: null,
    keyPrefix: "slr_live_Ab12Cd",
    keyUsed: true,
    ...changes
  })
  const linesAt = (columns: number, changes: Partial<ListedSubscription>) =>
    listView(SUBSCRIPTIONS, [subscription(changes)], "")({ columns, style: PLAIN }).split("\n")

  it("keeps the address of a used key at 80 columns", () => {
    expect(linesAt(80, {})[1]).toMatch(/^5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11 {2}ada\.lovelace\S+ +paid /)
    const held = { state: "held", why: ["dispute"] } as const
    expect(linesAt(80, held)[1]).toContain("ada.lovelace")
  })

  it("shows the dates of a hold and of an end", () => {
    const changes = { heldAt: new Date("2026-11-05T00:00:00Z"), endsAt: new Date("2026-11-07T00:00:00Z") }
    const wide = linesAt(200, changes)[1]
    for (const text of ["2026-11-05", "2026-11-07"]) expect(wide).toContain(text)
  })
})

describe("wrapped text", () => {
  it("keeps every word", () => {
    const text = "one two three four five six seven"
    expect(wrap(text, 12).join(" ")).toBe(text)
    expect(wrap(text, 12).every((line) => line.length <= 12)).toBe(true)
    expect(wrap("incomprehensibilities at 9", 9)).toEqual(["incomprehensibilities", "at 9"])
  })
})
