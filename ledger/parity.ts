/**
 * Which entries are locked by parity cases. An entry is locked when the test suite holds at least one case whose
 * expected figure comes from outside this code (an example printed by the authority, a published calculator output, or
 * a number worked by hand from the law) and that case fails when the engine departs from this rule. Where the engine
 * reads the entry's value, changing the value is such a departure; a rule told in words is carried out by code, and it is
 * that code which the case holds. A long table is locked when cases reach into it; not every cell has a case of its own.
 *
 * Not locked: entries that no figure depends on (limits, fees, rates, dates), tables of tax year 2025, which price no
 * projection, and the eligibility matrix, which is rule logic without figures.
 */
const householdAndInterest = [
  "poverty-guideline-2025",
  "poverty-guideline-2026",
  "poverty-guideline-region-rule",
  "idr-income-base",
  "idr-family-size",
  "idr-joint-proration",
  "idr-annual-recalculation",
  "interest-accrual",
  "payment-application-order"
]

const incomeDrivenPlans = [
  "idr-small-payment-rule",
  "idr-subsidized-interest-months",
  "idr-forgiveness-count",
  "subsidized-loan-types",
  "graduate-loan-types",
  "ten-year-cap-basis",
  "ibr-new-terms",
  "ibr-old-terms",
  "paye-terms",
  "icr-terms",
  "icr-factor-lookup",
  "icr-income-percentage-factors-2025",
  "icr-income-percentage-factors-2026",
  "icr-minimum-payment",
  "repaye-terms",
  "repaye-interest-subsidy",
  "save-terms",
  "save-early-forgiveness",
  "rap-base-payment-bands",
  "rap-dependent-reduction",
  "rap-minimum-payment",
  "rap-forgiveness-term",
  "rap-interest-waiver",
  "rap-principal-match",
  "rap-payment-cap",
  "rap-joint-proration",
  "rap-payment-application"
]

const fixedPlansAndPublicService = [
  "standard-plan-terms",
  "fixed-plan-prior-months",
  "consolidation-standard-terms",
  "consolidation-loan-types",
  "extended-plan-terms",
  "graduated-plan-terms",
  "graduated-schedule",
  "tiered-standard-plan-terms",
  "pslf-terms",
  "pslf-qualifying-plans",
  "loan-programs"
]

const taxOnForgiveness = [
  "federal-income-tax-brackets-2026-single",
  "federal-income-tax-brackets-2026-mfj",
  "federal-income-tax-brackets-2026-mfs",
  "federal-income-tax-brackets-2026-hoh",
  "federal-standard-deduction-2026",
  "forgiveness-taxability-federal",
  "forgiveness-tax-method",
  "state-tax-on-forgiveness-states",
  "state-exemption-persons",
  "state-income-tax-ar-2026",
  "state-income-tax-in-2026",
  "state-income-tax-ms-2026",
  "state-income-tax-nc-2026",
  "state-income-tax-wi-2026",
  "state-forgiveness-treatment-ar",
  "state-forgiveness-treatment-in",
  "state-forgiveness-treatment-ms",
  "state-forgiveness-treatment-nc",
  "state-forgiveness-treatment-wi"
]

export const parityLocked: ReadonlySet<string> = new Set([
  ...householdAndInterest,
  ...incomeDrivenPlans,
  ...fixedPlansAndPublicService,
  ...taxOnForgiveness
])
