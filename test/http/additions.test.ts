/** The optional fields over HTTP: the rows of test/cases/additions.ts, and the words. */
import { expect, it } from "vitest"
import { startMonthOf } from "../../src/library/index.ts"
import { ANSWERED, firstDayOf, outcomeIn, outcomeOf, refusedFrom, requestOf } from "../cases/additions.ts"
import { expectProblem } from "../support/answers.ts"
import { calculator, household, loan } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })
const send = async (path: string, json: unknown) => service().call("POST", path, { json, key: await service().mint() })
const errorsOf = async (path: string, json: unknown, slug = "validation") =>
  (await expectProblem(await send(path, json), 400, slug)).errors

/** The service's clock is this machine's. */
const START = startMonthOf(new Date())
const firstDay = firstDayOf(START)
const written = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(firstDay))
const TOO_LATE = `must be before ${written}, the first month of repayment`
const OLDER =
  "is after the madeOn of loans[0], 1 September 2019: send that day, or an earlier day since which the borrower has owed"
const NO_CHANGE = "must change something: send at least one member other than fromYear that is not null"
const OLD = { madeOn: "2019-09-01" }

it.each([...ANSWERED, ...refusedFrom(START)])("POST /v1/projection has the library's outcome: $name", async (row) =>
  expect(outcomeIn(await (await send("/v1/projection", requestOf(row))).json())).toEqual(outcomeOf(row, START))
)

const asked = (more: object, ...loans: ReadonlyArray<object>) => ({
  scenario: { planType: "INCOME BASED", ...household, ...more },
  loans: loans.map((own) => ({ ...loan, ...own }))
})

it("a projection is refused with all its problems, field by field", async () => {
  const wrong = { annualPriceGrowth: 3, extraMonthlyPayment: -1, changes: [{ fromYear: 4, income: 3 }] }
  expect(await errorsOf("/v1/projection", asked(wrong, { madeOn: "2026-02-30" }))).toEqual({
    "scenario.annualPriceGrowth": [
      "must be 0 to 0.1: send a fraction, such as 0.0654 for 6.54%; 3 looks like a percentage; send 0.03"
    ],
    "scenario.extraMonthlyPayment": ["must be 0 to 1000000: send US dollars, such as 30000 or 1250.5"],
    "scenario.changes[0].income": ["is not a known property; remove it, or send it as adjustedGrossIncome"],
    "loans[0].madeOn": ["must be a date: send year, month and day, such as 2019-08-26"]
  })
  const tooMany = Array.from({ length: 21 }, (_, index) => ({ fromYear: index + 2, dependents: 1 }))
  expect(await errorsOf("/v1/projection", asked({ changes: tooMany }, {}))).toEqual({
    "scenario.changes": ["must hold at most 20 changes"]
  })
  const twice = [4, 4, 5].map((fromYear) => ({ fromYear, dependents: fromYear === 5 ? null : 1 }))
  const consolidation = { loanType: "DIRECT PLUS CONSOLIDATED", madeOn: "2006-07-01" }
  expect(await errorsOf("/v1/projection", asked({ changes: twice }, { madeOn: firstDay }, consolidation))).toEqual({
    "scenario.changes[1].fromYear": [
      "must be later than 4, the year of the previous change: send the changes in order, one for each year"
    ],
    "scenario.changes[2]": [NO_CHANGE],
    "loans[0].madeOn": [TOO_LATE],
    "loans[1].madeOn": [
      "must be before 1 July 2006: no DIRECT PLUS CONSOLIDATED loan was made since. For a newer consolidation of Parent PLUS loans, send DIRECT PARENT PLUS CONSOLIDATED"
    ]
  })
})

it("a comparison names the arms", async () => {
  const arms = [asked({}, {}), asked({ firstBorrowedOn: "2019-09-02" }, OLD), asked({ changes: [{ fromYear: 3 }] }, {})]
  expect(await errorsOf("/v1/comparison", { arms })).toEqual({
    "arms[1].scenario.firstBorrowedOn": [OLDER],
    "arms[2].scenario.changes[0]": [NO_CHANGE]
  })
})

it("eligibility and the calculator refuse the same dates, and the calculator a new borrower without a new loan", async () => {
  const lookup = { firstBorrowedOn: "2019-09-02", loans: [{ ...loan, ...OLD }] }
  expect(await errorsOf("/v1/plan-eligibility", lookup)).toEqual({ firstBorrowedOn: [OLDER] })
  const refused = (more: object) => errorsOf("/v1/calculators/loan", { ...calculator, ...more })
  expect(await refused({ firstBorrowedOn: firstDay })).toEqual({ firstBorrowedOn: [TOO_LATE] })
  expect(await refused({ firstBorrowedOn: "2026-07-01", borrowedOnOrAfterJul12026: false })).toEqual({
    borrowedOnOrAfterJul12026: [
      "must be true or left out: with firstBorrowedOn 1 July 2026 every loan is made on or after 1 July 2026"
    ]
  })
})

it("a plan that dates close is refused with the loan that closes it, and the plans to send", async () =>
  expect(await errorsOf("/v1/projection", asked({}, { madeOn: "2026-07-01" }), "ineligible-plan")).toEqual({
    "scenario.planType": [
      "You have a loan made on or after 1 July 2026 (loans[0]). All your Direct loans can now be repaid only under REPAYMENT ASSISTANCE or Tiered Standard (send STANDARD).",
      "send one of STANDARD; REPAYMENT ASSISTANCE, which all of these loans can elect"
    ]
  }))

const notesOf = async (path: string, request: unknown): Promise<ReadonlyArray<string> | undefined> =>
  (await (await send(path, request)).json()).provenance.notes
const NEW = { madeOn: "2026-08-24" }
const NEW_LOAN =
  "loans[1] was made on or after 1 July 2026: Direct loans can be repaid only under REPAYMENT ASSISTANCE or STANDARD, which is Tiered Standard for them"
const SINCE = "1 September 2019, the earliest madeOn of loans, is used as firstBorrowedOn"

it("notes say what dates were read as, and eligibility assumes nothing that they show", async () => {
  const both = asked({ planType: "STANDARD" }, OLD, NEW)
  const { loans } = both
  expect(await notesOf("/v1/projection", both)).toEqual([SINCE, NEW_LOAN])
  expect(await notesOf("/v1/plan-eligibility", { loans })).toEqual([SINCE, NEW_LOAN])
  expect(await notesOf("/v1/plan-eligibility", { loans: loans.slice(0, 1) })).toEqual([SINCE])
  const consolidation = { ...loan, loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED", madeOn: "2014-06-30" }
  expect(await notesOf("/v1/plan-eligibility", { loans: [consolidation] })).toEqual([
    "The borrower is assumed to be new on 1 October 2007 for PAY AS YOU EARN"
  ])
})

it("a change to a joint return without the spouse's income is named by its path", async () => {
  const married = { changes: [{ fromYear: 3, filingStatus: "MarriedFilingJointly" }] }
  expect(await notesOf("/v1/projection", asked(married, {}))).toEqual([
    "scenario.changes[0].spouseAdjustedGrossIncome was not sent and counts as 0; send the spouse's annual income, or 0 if there is none"
  ])
})

it("an explanation lists the rules by which dates decide", async () => {
  const dated = { ...asked({ planType: "STANDARD" }, NEW), month: 1 }
  const { rules } = await (await send("/v1/explain", dated)).json()
  expect(rules.map(({ id }: { readonly id: string }) => id)).toEqual(
    expect.arrayContaining(["loan-types-ended", "new-borrower-tests", "new-loan-plans-2026-07"])
  )
})
