/**
 * Tests of an answer's citations and omissions: exactly the constants used, and the omissions that
 * bear on it. The expected ids are written by hand from the rules.
 */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { inForceOn } from "../../../ledger/entry.ts"
import { omissionById, ruleById, rules } from "../../../ledger/index.ts"
import { projectionRequests } from "../../../property-tests/generators/requests.ts"
import { KeylessLoanRequest } from "../../../schema/calculator.ts"
import { CoupleRequest } from "../../../schema/couple.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { FILING_STATUSES, PLAN_TYPES } from "../../../schema/scenario.ts"
import { calculate } from "../../../src/engine/calculator.ts"
import { coupleOf } from "../../../src/engine/couple.ts"
import { currentLaw, lawOf, RELEASE_DATE } from "../../../src/engine/law/law.ts"
import { type EngineRequest, type Projection, project } from "../../../src/engine/projection.ts"
import { START } from "../../cases/case.ts"
import { household } from "../../support/requests.ts"

const decode = Schema.decodeUnknownSync(ProjectionRequest)

interface Asked {
  readonly [field: string]: unknown
  readonly planType: string
}

type Sent = readonly [
  loanType: string,
  principalBalance: number,
  idrMonthsInRepayment?: number,
  pslfCount?: number,
  interestBalance?: number
]

const answer = (scenario: Asked, ...loans: ReadonlyArray<Sent>): Projection => {
  const book = loans.map(
    ([loanType, principalBalance, idrMonthsInRepayment = 0, pslfCount = 0, interestBalance = 0]) => {
      return { loanType, principalBalance, interestBalance, interestRate: 0.06, idrMonthsInRepayment, pslfCount }
    }
  )
  const asked = { ...household, adjustedGrossIncome: 40_000, state: "TX", ...scenario }
  const outcome = project(currentLaw, decode({ scenario: asked, loans: book }), START)
  if (outcome._tag === "Refusal") throw new Error(outcome.kind)
  return outcome
}

const UNSUBSIDIZED = "DIRECT STAFFORD UNSUBSIDIZED"

/** Groups of rule ids that are cited together. */
const EVERY = "interest-accrual loan-type-families payment-application-order plan-eligibility-matrix"
const DRIVEN = `${EVERY} idr-income-base idr-annual-recalculation idr-forgiveness-count`
const GUIDED = `${DRIVEN} idr-family-size poverty-guideline-2026 poverty-guideline-region-rule`
const CAPPED = `${GUIDED} idr-small-payment-rule ten-year-cap-basis ten-year-cap-floor standard-plan-terms`
const RAP =
  "rap-base-payment-bands rap-minimum-payment rap-payment-cap rap-forgiveness-term rap-interest-waiver rap-principal-match rap-payment-application"
const SUCCEEDED = "idr-sunset-default"
const ASSISTED = `${DRIVEN} ${RAP}`
const SUBSIDIZED = "idr-subsidized-interest-months subsidized-loan-types"
const TABLE = "consolidation-standard-terms consolidation-loan-types"
const BESIDE = "loans-outside-the-plan standard-plan-terms"
const SERVICE = "pslf-terms pslf-qualifying-plans loan-programs"
const FEDERAL_TAX =
  "forgiveness-taxability-federal forgiveness-tax-method federal-income-tax-brackets-2026-single federal-standard-deduction-2026"
const stateTax = (state: string) =>
  `state-tax-on-forgiveness-states state-income-tax-${state}-2026 state-forgiveness-treatment-${state}`

/** Omissions without their prefix. */
const ALWAYS = "auto-pay-interest-reduction daily-interest deferment-forbearance teacher-loan-forgiveness"
const DRIVEN_LEFT_OUT = `${ALWAYS} family-changes`
const OLDER_DRIVEN = `${DRIVEN_LEFT_OUT} loan-dates guideline-indexation`
const TAXED = "insolvency tax-indexation credits-and-phaseouts amt"

const CASES: ReadonlyArray<readonly [name: string, given: Projection, citations: string, omissions: string]> = [
  [
    "STANDARD, one loan",
    answer({ planType: "STANDARD" }, [UNSUBSIDIZED, 30_000]),
    `${EVERY} standard-plan-terms`,
    `${ALWAYS} loan-dates tiered-standard`
  ],
  [
    "STANDARD shares nothing with a spouse, and its ten-year term counts for public service",
    answer(
      {
        planType: "STANDARD",
        filingStatus: "MFJ",
        spouseAdjustedGrossIncome: 30_000,
        spouseFederalLoanBalance: 20_000,
        workingTowardsPslf: true
      },
      [UNSUBSIDIZED, 30_000, 24]
    ),
    `${EVERY} standard-plan-terms fixed-plan-prior-months`,
    `${ALWAYS} loan-dates tiered-standard`
  ],
  [
    "STANDARD shortened by public-service payments on a Direct loan, without the flag",
    answer({ planType: "STANDARD" }, [UNSUBSIDIZED, 30_000, 0, 60]),
    `${EVERY} standard-plan-terms fixed-plan-prior-months`,
    `${ALWAYS} loan-dates tiered-standard`
  ],
  [
    "STANDARD is not shortened by public-service payments on an FFEL loan",
    answer({ planType: "STANDARD" }, ["FFEL STAFFORD UNSUBSIDIZED", 30_000, 0, 60]),
    `${EVERY} standard-plan-terms`,
    `${ALWAYS} loan-dates tiered-standard`
  ],
  [
    "STANDARD on a consolidation with counted months, a Perkins loan, and unpaid interest",
    answer(
      { planType: "STANDARD" },
      ["DIRECT CONSOLIDATED UNSUBSIDIZED", 30_000, 24],
      ["FEDERAL PERKINS", 3_000, 0, 0, 100]
    ),
    `${EVERY} standard-plan-terms fixed-plan-prior-months ${TABLE}`,
    `${ALWAYS} loan-dates tiered-standard consolidation-term-balance consolidation-age perkins-minimum interest-on-leaving-ibr`
  ],
  [
    "STANDARD over the term of a consolidation, with public service",
    answer({ planType: "STANDARD", workingTowardsPslf: true }, ["DIRECT CONSOLIDATED UNSUBSIDIZED", 30_000]),
    `${EVERY} standard-plan-terms ${TABLE}`,
    `${ALWAYS} loan-dates tiered-standard pslf-other-plans consolidation-term-balance`
  ],
  [
    "GRADUATED, a consolidation outweighed by another loan, public-service payments that shorten nothing",
    answer(
      { planType: "GRADUATED" },
      ["DIRECT CONSOLIDATED UNSUBSIDIZED", 10_000, 0, 30],
      ["FFEL STAFFORD SUBSIDIZED", 30_000]
    ),
    `${EVERY} graduated-plan-terms graduated-schedule ${TABLE}`,
    `${ALWAYS} loan-dates repayment-before-2006 consolidation-term-balance`
  ],
  [
    "EXTENDED on 40,000 of FFEL loans, beside 20,000 of Direct ones that are too few, with public service",
    answer(
      { planType: "EXTENDED", workingTowardsPslf: true },
      [UNSUBSIDIZED, 20_000],
      ["FFEL STAFFORD UNSUBSIDIZED", 40_000]
    ),
    `${EVERY} extended-plan-terms ${BESIDE} ${SERVICE}`,
    `${ALWAYS} loan-dates repayment-before-2006 extended-graduated mixed-book`
  ],
  [
    "EXTENDED with months counted, which may have been in Income-Based Repayment",
    answer({ planType: "EXTENDED", workingTowardsPslf: true }, [UNSUBSIDIZED, 40_000, 12]),
    `${EVERY} extended-plan-terms standard-plan-terms fixed-plan-prior-months`,
    `${ALWAYS} loan-dates repayment-before-2006 extended-graduated leaving-ibr pslf-other-plans`
  ],
  [
    "EXTENDED on a Direct loan, beside FFEL loans that an older one closes it to",
    answer(
      { planType: "EXTENDED" },
      [UNSUBSIDIZED, 31_000],
      ["FFEL STAFFORD UNSUBSIDIZED", 20_000],
      ["FFEL REFINANCED", 10_001]
    ),
    `${EVERY} extended-plan-terms new-borrower-tests ${BESIDE}`,
    `${ALWAYS} loan-dates repayment-before-2006 extended-graduated mixed-book`
  ],
  [
    "INCOME BASED, two loans, one subsidized, taxed in Indiana",
    answer(
      { planType: "INCOME BASED", state: "IN" },
      [UNSUBSIDIZED, 50_000, 12],
      ["DIRECT STAFFORD SUBSIDIZED", 20_000]
    ),
    `${CAPPED} ibr-new-terms new-borrower-tests ${SUBSIDIZED} idr-payment-allocation ${FEDERAL_TAX} ${stateTax("in")} state-exemption-persons`,
    `${OLDER_DRIVEN} one-count-for-all-plans ibr-capitalization cap-at-election subsidy-years ${TAXED} in-county-tax state-rate-phase-downs`
  ],
  [
    "INCOME BASED (OLD), a consolidation of a parent's loans forgiven for service in Mississippi, more by time",
    answer(
      { planType: "INCOME BASED (OLD)", state: "MS", workingTowardsPslf: true },
      ["DIRECT PARENT PLUS CONSOLIDATED", 20_000, 6],
      ["FFEL CONSOLIDATED", 60_000]
    ),
    `${CAPPED} ibr-old-terms idr-payment-allocation ${SERVICE} ${FEDERAL_TAX} ${stateTax("ms")} irc-108-f-1-work-based`,
    `${OLDER_DRIVEN} one-count-for-all-plans ibr-capitalization cap-at-election ${TAXED} state-rate-phase-downs ms-pslf-tax payment-count-weighting hidden-parent-plus ffel-consolidation-subsidy parent-plus-consolidation-window`
  ],
  [
    "PAY AS YOU EARN, public service in Mississippi, paid off under REPAYMENT ASSISTANCE before it",
    answer({ planType: "PAY AS YOU EARN", state: "MS", workingTowardsPslf: true, adjustedGrossIncome: 400_000 }, [
      UNSUBSIDIZED,
      2_000,
      0,
      20
    ]),
    `${CAPPED} paye-terms new-borrower-tests ${SERVICE} ${SUCCEEDED} ${RAP}`,
    `${OLDER_DRIVEN} paye-hardship-test plan-sunset`
  ],
  [
    "PAY AS YOU EARN beside an FFEL loan, paid off before July 2028",
    answer(
      { planType: "PAY AS YOU EARN", adjustedGrossIncome: 400_000 },
      [UNSUBSIDIZED, 500],
      ["FFEL STAFFORD UNSUBSIDIZED", 1_000]
    ),
    `${CAPPED} paye-terms new-borrower-tests ffel-direct-part ${BESIDE}`,
    `${OLDER_DRIVEN} paye-hardship-test mixed-book`
  ],
  [
    "INCOME CONTINGENT takes a consolidation of a PLUS loan, which passes to INCOME BASED (OLD)",
    answer(
      { planType: "INCOME CONTINGENT", filingStatus: "MFJ", annualIncomeGrowth: 0.03, adjustedGrossIncome: 90_000 },
      ["DIRECT PARENT PLUS CONSOLIDATED", 30_000]
    ),
    `${CAPPED} icr-terms icr-factor-lookup icr-minimum-payment icr-income-percentage-factors-2026 ${SUCCEEDED} ibr-old-terms`,
    `${OLDER_DRIVEN} recertification-timing plan-sunset payment-count-weighting icr-recalculation ibr-capitalization`
  ],
  [
    "INCOME CONTINGENT, which a couple's loans share only once they have passed on",
    answer(
      {
        planType: "INCOME CONTINGENT",
        filingStatus: "MFJ",
        adjustedGrossIncome: 90_000,
        spouseFederalLoanBalance: 100
      },
      [UNSUBSIDIZED, 30_000]
    ),
    `${GUIDED} icr-terms icr-factor-lookup icr-minimum-payment icr-income-percentage-factors-2026 ${SUCCEEDED} ${RAP} rap-joint-proration`,
    `${OLDER_DRIVEN} plan-sunset joint-debt-share icr-joint-repayment icr-recalculation`
  ],
  [
    "REVISED PAY AS YOU EARN, a subsidized consolidation, filed separately in California, taxed",
    answer({ planType: "REVISED PAY AS YOU EARN", filingStatus: "MFS", state: "CA" }, [
      "DIRECT CONSOLIDATED SUBSIDIZED",
      90_000
    ]),
    `${GUIDED} repaye-terms repaye-interest-subsidy save-vacatur idr-small-payment-rule graduate-loan-types subsidized-loan-types ${FEDERAL_TAX.replace("single", "mfs")}`,
    `${OLDER_DRIVEN} save-transition repaye-separate-spouse separate-family-size community-property graduate-flag payment-count-weighting hidden-parent-plus ${TAXED} other-state-tax`
  ],
  [
    "SAVE on a loan of an undergraduate and one of a graduate that say so",
    answer(
      { planType: "SAVE", adjustedGrossIncome: 300_000 },
      ["DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)", 10_000],
      ["DIRECT PLUS GRADUATE", 10_000]
    ),
    `${GUIDED} save-terms save-early-forgiveness save-vacatur idr-small-payment-rule graduate-loan-types idr-payment-allocation`,
    `${OLDER_DRIVEN} save-transition`
  ],
  [
    "SAVE on a subsidized loan, which graduates had until 2012",
    answer({ planType: "SAVE", adjustedGrossIncome: 300_000 }, ["DIRECT STAFFORD SUBSIDIZED", 10_000]),
    `${GUIDED} save-terms save-early-forgiveness save-vacatur idr-small-payment-rule graduate-loan-types`,
    `${OLDER_DRIVEN} save-transition graduate-flag`
  ],
  [
    "REPAYMENT ASSISTANCE, two loans, a dependent, a share, and a parent's consolidation too long for public service",
    answer(
      {
        planType: "REPAYMENT ASSISTANCE",
        filingStatus: "MFJ",
        dependents: 1,
        spouseFederalLoanBalance: 5_000,
        adjustedGrossIncome: 200_000
      },
      [UNSUBSIDIZED, 10_000],
      ["DIRECT STAFFORD SUBSIDIZED", 10_000],
      ["DIRECT PARENT PLUS CONSOLIDATED", 20_000]
    ),
    `${ASSISTED} rap-dependent-reduction rap-joint-proration rap-loan-exclusions ${BESIDE} ${TABLE}`,
    `${DRIVEN_LEFT_OUT} joint-debt-share mixed-book consolidation-term-balance`
  ],
  [
    "REPAYMENT ASSISTANCE with public service, which a long term beside it does not count for",
    answer(
      { planType: "REPAYMENT ASSISTANCE", workingTowardsPslf: true, adjustedGrossIncome: 200_000 },
      ["DIRECT STAFFORD SUBSIDIZED", 10_000],
      ["DIRECT PARENT PLUS CONSOLIDATED", 30_000]
    ),
    `${ASSISTED} rap-loan-exclusions ${SERVICE} ${BESIDE} ${TABLE}`,
    `${DRIVEN_LEFT_OUT} mixed-book pslf-other-plans consolidation-term-balance`
  ],
  [
    "INCOME BASED (OLD) on an FFEL loan beside a Direct loan too long for public service: nothing counts",
    answer(
      { planType: "INCOME BASED (OLD)", workingTowardsPslf: true, adjustedGrossIncome: 200_000 },
      ["FFEL STAFFORD UNSUBSIDIZED", 10_000],
      ["DIRECT PARENT PLUS CONSOLIDATED", 30_000]
    ),
    `${CAPPED} ibr-old-terms ${BESIDE} ${TABLE}`,
    `${OLDER_DRIVEN} ibr-capitalization mixed-book pslf-other-plans consolidation-term-balance`
  ],
  [
    "GRADUATED on a DIRECT PLUS CONSOLIDATED with months counted",
    answer({ planType: "GRADUATED" }, ["DIRECT PLUS CONSOLIDATED", 25_000, 12]),
    `${EVERY} graduated-plan-terms graduated-schedule direct-plus-consolidation-terms fixed-plan-prior-months`,
    `${ALWAYS} loan-dates repayment-before-2006 leaving-ibr consolidation-age`
  ],
  [
    "a book without a balance",
    answer({ planType: "STANDARD" }, [UNSUBSIDIZED, 0, 30]),
    "loan-type-families plan-eligibility-matrix standard-plan-terms",
    `${ALWAYS} loan-dates tiered-standard`
  ]
]

const idsIn = (text: string): ReadonlyArray<string> => [...new Set(text.split(" "))].sort()

it.each(CASES)("cites exactly what it used, and discloses what bears on it: %s", (_, given, cited, leftOut) => {
  expect([...given.citations].sort()).toEqual(idsIn(cited))
  expect([...given.omissions].sort()).toEqual(idsIn(leftOut).map((name) => `omission-${name}`))
})

const SEPARATE = { filingStatus: "MFS" }
const WITH_SPOUSE = { filingStatus: "MFJ", spouseFederalLoanBalance: 20_000 }
const GUIDELINE_PLANS = [
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "PAY AS YOU EARN",
  "INCOME CONTINGENT",
  "REVISED PAY AS YOU EARN",
  "SAVE"
]

interface AskedOfLoan extends Asked {
  readonly loanType?: string
}

/** An omission, the requests that it bears on, and the nearest ones that it does not. Each has one loan of 60,000. */
const BEARING: ReadonlyArray<
  readonly [omission: string, told: ReadonlyArray<AskedOfLoan>, untold: ReadonlyArray<AskedOfLoan>]
> = [
  [
    "separate-family-size",
    [
      ...GUIDELINE_PLANS.map((planType) => ({ planType, ...SEPARATE })),
      { planType: "INCOME BASED", changes: [{ fromYear: 3, ...SEPARATE }] },
      { planType: "INCOME BASED", ...SEPARATE, changes: [{ fromYear: 3, filingStatus: "Single" }] },
      { planType: "INCOME BASED", ...SEPARATE, changes: [{ fromYear: 3, familySize: 2 }] }
    ],
    [
      ...["REPAYMENT ASSISTANCE", "STANDARD"].map((planType) => ({ planType, ...SEPARATE })),
      { planType: "INCOME BASED", ...SEPARATE, familySize: 2 },
      { planType: "INCOME BASED", changes: [{ fromYear: 3, ...SEPARATE, familySize: 2 }] },
      ...["Single", "HeadOfHousehold", "MFJ"].map((filingStatus) => ({ planType: "INCOME BASED", filingStatus }))
    ]
  ],
  [
    "joint-debt-share",
    ["INCOME BASED", "PAY AS YOU EARN", "REPAYMENT ASSISTANCE"].map((planType) => ({ planType, ...WITH_SPOUSE })),
    [
      { planType: "INCOME BASED", filingStatus: "MFJ" },
      { planType: "INCOME CONTINGENT", ...WITH_SPOUSE, extraMonthlyPayment: 10_000 }
    ]
  ],
  [
    "icr-joint-repayment",
    [
      { planType: "INCOME CONTINGENT", ...WITH_SPOUSE },
      { planType: "INCOME CONTINGENT", changes: [{ fromYear: 2, ...WITH_SPOUSE }] }
    ],
    [
      { planType: "INCOME CONTINGENT", filingStatus: "MFJ" },
      { planType: "INCOME CONTINGENT", ...WITH_SPOUSE, ...SEPARATE },
      { planType: "PAY AS YOU EARN", ...WITH_SPOUSE }
    ]
  ],
  [
    "rap-extra-payment",
    [
      ...["REPAYMENT ASSISTANCE", "PAY AS YOU EARN", "INCOME CONTINGENT"].map((planType) => ({
        planType,
        extraMonthlyPayment: 50
      })),
      { planType: "REPAYMENT ASSISTANCE", monthlyBudget: 50 },
      { planType: "REPAYMENT ASSISTANCE", lumpSums: [{ on: "2027-03", amount: 50 }] },
      { planType: "REPAYMENT ASSISTANCE", changes: [{ fromYear: 3, monthlyBudget: 50 }] },
      { planType: "REPAYMENT ASSISTANCE", changes: [{ fromYear: 3, extraMonthlyPayment: 50 }] }
    ],
    [
      ...[0, 0.004].map((extraMonthlyPayment) => ({ planType: "REPAYMENT ASSISTANCE", extraMonthlyPayment })),
      { planType: "REPAYMENT ASSISTANCE", monthlyBudget: 0.004 },
      { planType: "REPAYMENT ASSISTANCE", lumpSums: [{ on: "2026-11", amount: 50 }] },
      { planType: "INCOME BASED", extraMonthlyPayment: 50 },
      { planType: "PAY AS YOU EARN", extraMonthlyPayment: 5_000 },
      { planType: "INCOME CONTINGENT", extraMonthlyPayment: 50, loanType: "DIRECT PARENT PLUS CONSOLIDATED" }
    ]
  ],
  [
    "pauses",
    [
      { planType: "STANDARD", pauses: [{ kind: "Forbearance", until: "2027-01" }] },
      { planType: "INCOME BASED", pauses: [{ kind: "InSchool", from: "2026-10", until: "2027-05" }] }
    ],
    [
      { planType: "STANDARD" },
      { planType: "STANDARD", pauses: [] },
      { planType: "STANDARD", pauses: [{ kind: "Forbearance", from: "2026-10", until: "2026-12" }] }
    ]
  ],
  [
    "territory-tax",
    ["PR", "AS", "GU", "VI", "MP"].map((state) => ({ planType: "INCOME BASED", state })),
    [
      { planType: "INCOME BASED", state: "FL" },
      { planType: "STANDARD", state: "PR" }
    ]
  ]
]

describe.each(BEARING)("omission-%s", (name, told, untold) => {
  const omissionsOf = ({ loanType = UNSUBSIDIZED, ...asked }: AskedOfLoan) =>
    answer(asked, [loanType, 60_000]).omissions

  it.each(told)("is told for %j", (asked) => expect(omissionsOf(asked)).toContain(`omission-${name}`))
  it.each(untold)("is not told for %j", (asked) => expect(omissionsOf(asked)).not.toContain(`omission-${name}`))
})

describe("the rules of pauses and of payments beyond what is due", () => {
  const citedFor = (asked: Partial<Asked>) =>
    answer({ planType: "STANDARD", ...asked }, [UNSUBSIDIZED, 30_000]).citations.filter((id) =>
      ["pause-interest", "extra-payment-order"].includes(id)
    )
  const pausedUntil = (until: string) => [{ kind: "Deferment", until }]

  it("are cited only where they apply", () => {
    expect(citedFor({ pauses: pausedUntil("2027-01") })).toEqual(["pause-interest"])
    expect(citedFor({ pauses: pausedUntil("2026-12") })).toEqual([])
    for (const asked of [
      { extraMonthlyPayment: 0.005 },
      { monthlyBudget: 500 },
      { lumpSums: [{ on: "2026-12", amount: 1 }] },
      { changes: [{ fromYear: 2, monthlyBudget: 500 }] }
    ])
      expect(citedFor(asked), JSON.stringify(asked)).toEqual(["extra-payment-order"])
    expect(citedFor({ lumpSums: [{ on: "2026-11", amount: 1 }], monthlyBudget: 0.004 })).toEqual([])
  })
})

describe("the ids of any answer", () => {
  it("are in the ledger and appear once", () => {
    const check = fc.property(projectionRequests({ highestRate: 0.3, maxLoans: 6 }), (wire) => {
      const outcome = project(currentLaw, decode(wire), START)
      fc.pre(outcome._tag === "Projection")
      const { citations, omissions } = outcome as Projection
      for (const id of citations) expect(ruleById(id).id).toBe(id)
      for (const id of omissions) expect(omissionById(id).id).toBe(id)
      expect(new Set(citations).size).toBe(citations.length)
      expect(new Set(omissions).size).toBe(omissions.length)
    })
    fc.assert(check, { numRuns: 400, seed: 20261121 })
  })
})

const PAUSE = { kind: "Forbearance", from: null, until: "2027-03", loans: null } as const

/** Rules that decide disclosures or the plans shown, but no figure. */
const READ_NOT_CITED = ["parent-plus-loan-types", "undergraduate-loan-types"]

describe("all plans, filing statuses and taxing states together", () => {
  const law = lawOf({ asOf: RELEASE_DATE })
  const cited = new Set<string>()
  const ask = (request: EngineRequest): void => {
    const outcome = project(law, request, START)
    if (outcome._tag === "Projection") for (const id of outcome.citations) cited.add(id)
  }
  const loansOf = (types: ReadonlyArray<string>) =>
    types.map((loanType) => ({ loanType, principalBalance: 30_000, interestRate: 0.06, idrMonthsInRepayment: 6 }))
  const BOOKS = [
    loansOf([UNSUBSIDIZED, "DIRECT STAFFORD SUBSIDIZED", "DIRECT CONSOLIDATED UNSUBSIDIZED"]),
    loansOf([UNSUBSIDIZED, "DIRECT PLUS PARENT"]),
    loansOf([UNSUBSIDIZED, "FFEL STAFFORD UNSUBSIDIZED"]),
    loansOf(["DIRECT PLUS CONSOLIDATED"])
  ]
  for (const planType of PLAN_TYPES) {
    for (const filingStatus of FILING_STATUSES) {
      for (const state of ["AR", "IN", "MS", "NC", "WI"]) {
        for (const workingTowardsPslf of [true, false]) {
          const scenario = { planType, filingStatus, state, workingTowardsPslf, dependents: 1 }
          const couple = { adjustedGrossIncome: 40_000, spouseFederalLoanBalance: 9_000 }
          for (const loans of BOOKS) ask(decode({ scenario: { ...scenario, ...couple }, loans }))
        }
      }
    }
  }
  const { loans, scenario } = decode({
    scenario: { ...household, planType: "STANDARD" },
    loans: loansOf([UNSUBSIDIZED])
  })
  ask({ scenario: { ...scenario, planType: "TIERED STANDARD" }, loans, includeYearly: false })
  const dated = loansOf([UNSUBSIDIZED]).map((loan) => ({ ...loan, madeOn: "2026-08-01" }))
  const added = { ...scenario, planType: "REPAYMENT ASSISTANCE", extraMonthlyPayment: 1, pauses: [PAUSE] } as const
  const planChanges = [{ from: "2030-01", planType: "STANDARD" }]
  ask(decode({ scenario: { ...added, planChanges }, loans: dated }))
  const spouse = { adjustedGrossIncome: 40_000, workingTowardsPslf: false, loans: loansOf([UNSUBSIDIZED]) }
  const couple = { state: "WI", dependents: 0, splitIncome: true, first: spouse, second: spouse }
  for (const id of coupleOf(law, Schema.decodeUnknownSync(CoupleRequest)(couple), START)!.citations) cited.add(id)
  const newLoan = { balance: 1, ratePct: 1, borrowerAgi: 1, borrowedOnOrAfterJul12026: true }
  calculate(law, Schema.decodeUnknownSync(KeylessLoanRequest)(newLoan), START)

  const inForce = (informative: boolean) =>
    rules.filter((rule) => rule.informative === informative).map((rule) => inForceOn(rule, RELEASE_DATE)?.id)

  it("use every entry in force that is not informative", () => {
    expect(inForce(false).filter((id) => !law.used.has(id!))).toEqual([])
  })

  it("use no informative entry, and none replaced by a newer one", () => {
    expect([...law.used].filter((id) => !inForce(false).includes(id))).toEqual([])
  })

  it("cite every entry that they use for figures", () => {
    expect([...law.used].filter((id) => !cited.has(id)).sort()).toEqual(READ_NOT_CITED)
  })
})
