/**
 * The circumstances of a request, such as dependents or prior months. They decide which rules the
 * answer cites and which omissions bear on it. The projection adds those that only its months show:
 * forgiveness, and loans that outlive their plan.
 */
import { type Additions, added, type Circumstances, only } from "../../../ledger/circumstances.ts"
import { consolidationStandardTerms } from "../../../ledger/rules/fixed-plans.ts"
import { leavingIncomeBased } from "../../../ledger/rules/interest.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import { type Era, type HouseholdScenario, isProrated } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import { isNewSince2014 } from "../plans/ending.ts"
import { type FixedPlan, type Plan, TIERED_STANDARD } from "../plans/plan.ts"
import { planForLoan, standard } from "../plans/standard.ts"
import { type Book, type Books, someKind, someLoan } from "../schedule/book.ts"
import type { StartMonth } from "../schedule/calendar.ts"
import { paysMore } from "../schedule/extra.ts"
import type { History } from "../schedule/history.ts"
import { type Holdings, isClosedByAnother } from "../schedule/holdings.ts"
import type { Rests } from "../schedule/pauses.ts"
import type { Asked } from "./citations.ts"

interface Question {
  readonly law: Law
  readonly plan: Plan
  readonly books: Books
  readonly held: Holdings
  readonly scenario: HouseholdScenario
  readonly eras: ReadonlyArray<Era>
  readonly rests: Rests
  readonly start: StartMonth
  /** The plans that were left so far, each for another. */
  readonly left: ReadonlyArray<Plan>
}

const isConsolidation = ({ consolidation }: LoanTraits): boolean => consolidation
const isAnyConsolidation = ({ consolidation, directPlusConsolidation }: LoanTraits): boolean =>
  consolidation || directPlusConsolidation
const isDirect = ({ direct }: LoanTraits): boolean => direct

/** Whether the consolidation table sets the term of a loan, in the plan or outside it. */
const isOnConsolidationTable = ({ books: { inPlan, outsidePlan }, held, plan }: Question): boolean => {
  if (!someKind(inPlan, isConsolidation) && !someKind(outsidePlan, isConsolidation)) return false
  const isOn = (of: FixedPlan) => (traits: LoanTraits) =>
    planForLoan(of, traits, held).termRule(traits) === consolidationStandardTerms
  return someKind(outsidePlan, isOn(standard)) || (plan.kind === "fixed" && someKind(inPlan, isOn(plan)))
}

/** Whether payments on a loan under a fixed plan count for PSLF. */
const countsForPslf = (law: Law, of: FixedPlan, traits: LoanTraits, held: Holdings): boolean => {
  const plan = planForLoan(of, traits, held)
  return traits.direct && plan.countsForPslf(law, plan.term(law, traits, held))
}

/**
 * Whether the borrower works toward PSLF with a Direct loan on terms that never count for it here.
 * On Tiered Standard they never count in law.
 */
const isPslfUncounted = (question: Question): boolean => {
  const { books, held, law, plan } = question
  if (!isEver(question, serves)) return false
  const isUncounted = (of: FixedPlan) => (traits: LoanTraits) =>
    traits.direct && planForLoan(of, traits, held).planType !== TIERED_STANDARD && !countsForPslf(law, of, traits, held)
  if (someKind(books.outsidePlan, isUncounted(standard))) return true
  return plan.kind === "fixed" && someKind(books.inPlan, isUncounted(plan))
}

/**
 * Whether PSLF can forgive a loan, in an income-driven plan or outside the plan. In a fixed plan,
 * PSLF payments only shorten the term.
 */
const pslfReaches = (question: Question): boolean => {
  const { books, held, law, plan } = question
  if (!isEver(question, serves)) return false
  if (plan.kind === "income-driven" && someKind(books.inPlan, isDirect)) return true
  return someKind(books.outsidePlan, (traits) => countsForPslf(law, standard, traits, held))
}

/** The circumstances of loans with a term shortened by months already counted. */
const shortenedTerms = ({ books: { inPlan }, plan }: Question): Circumstances => {
  if (plan.kind !== "fixed") return 0
  let set = 0
  for (let slot = 0; slot < inPlan.size; slot++) {
    if (inPlan.monthsBehind[slot] === 0) continue
    set |= isAnyConsolidation(inPlan.traits[slot]!) ? only.shortened | only.shortenedConsolidation : only.shortened
  }
  return set
}

/** Whether an older loan closes the plan to a loan of a type that the plan takes. */
const isClosedToSomeLoan = ({ books: { outsidePlan }, held, plan }: Question): boolean =>
  held.closer >= 0 &&
  someKind(outsidePlan, (traits) => plan.openTo(traits) !== "closed" && isClosedByAnother(traits, held))

const hasUnpaidInterest = (book: Book): boolean => someLoan(book, (slot) => book.interest[slot]! > 0)

/** The circumstances that follow from the kinds of loans in a book. */
const circumstancesOfKinds = ({ kinds }: Book, where: "inPlan" | "outsidePlan"): Circumstances => {
  let set = 0
  for (let kind = 0; kind < kinds.length; kind++) set |= kinds[kind]![where]
  return set
}

const serves = ({ workingTowardsPslf }: Omit<Era, "from">): boolean => workingTowardsPslf

const hasDependents = ({ dependents }: Omit<Era, "from">): boolean => dependents > 0

/** Whether something holds in the first year or after a change. */
const isEver = ({ eras, scenario }: Question, holds: (era: Omit<Era, "from">) => boolean): boolean =>
  holds(scenario) || eras.some(holds)

/** Whether a change sends an income. */
const hasChangedIncome = ({ changes }: HouseholdScenario): boolean =>
  changes?.some((change) => change.adjustedGrossIncome !== null || change.spouseAdjustedGrossIncome !== null) === true

/** The circumstances that a request alone decides. */
export const circumstancesOf = (question: Question): Circumstances => {
  const { books, plan, scenario } = question
  const { inPlan, outsidePlan } = books
  let set =
    circumstancesOfKinds(inPlan, "inPlan") | circumstancesOfKinds(outsidePlan, "outsidePlan") | shortenedTerms(question)
  if (isPslfUncounted(question)) set |= only.pslfUncounted
  if (pslfReaches(question)) set |= only.pslfReaches
  if (inPlan.size + outsidePlan.size > 0) set |= only.loans
  if (inPlan.size > 1) set |= only.severalLoans
  if (outsidePlan.size > 0) set |= only.loansOutsidePlan
  if (isClosedToSomeLoan(question)) set |= only.closedByOlderLoan
  if (isEver(question, hasDependents)) set |= only.dependents
  if (scenario.annualIncomeGrowth > 0 || hasChangedIncome(scenario)) set |= only.growth
  if (plan.kind === "income-driven" && isEver(question, isProrated)) set |= only.prorated
  if (someLoan(inPlan, (slot) => inPlan.priorIdrMonths[slot]! > 0)) set |= only.priorMonths
  if (hasUnpaidInterest(inPlan) || hasUnpaidInterest(outsidePlan)) set |= only.unpaidInterest
  if (isOnConsolidationTable(question)) set |= only.consolidationTable
  if (someKind(inPlan, (traits) => plan.openTo(traits) === "after-counted-month")) set |= only.windowOpened
  return set
}

/** Whether a loan of the book is repaid on Tiered Standard. */
const isTieredFor = ({ books: { inPlan, outsidePlan }, held, plan }: Question): boolean => {
  const isTiered = (of: FixedPlan) => (traits: LoanTraits) => planForLoan(of, traits, held).planType === TIERED_STANDARD
  return someKind(outsidePlan, isTiered(standard)) || (plan.kind === "fixed" && someKind(inPlan, isTiered(plan)))
}

/** Additions that follow from the dates of the request. */
const additionsByDates = (question: Question, history: History): Additions => {
  const { law } = question
  const isFirstKnown = history.firstBorrowedOn !== null
  const isTiered = isTieredFor(question)
  const isDirectDated = history.directDates.length > 0 && history.directDates.every(([, madeOn]) => madeOn !== null)
  let set = added.dated
  if (isFirstKnown && history.isAllDated) set |= added.datesKnown
  if (isTiered || isFirstKnown || isDirectDated) set |= added.newnessKnown
  if (history.isNew) set |= added.newLoans
  if (isNewSince2014(law, history)) set |= added.newSince2014
  if (isTiered) set |= added.tiered
  return set
}

/** Whether months of a plan may count in law toward the next one where they do not here. @rule leaving-income-based */
const mayCount = (law: Law, { planType }: Plan): boolean => {
  const plans: ReadonlyArray<string> = law.read(leavingIncomeBased).monthsMayCountElsewhere
  return plans.includes(planType)
}

/** Whether the table decides the family of a separate return. */
const lacksFamily = ({ familySize, filingStatus }: Omit<Era, "from">): boolean =>
  filingStatus === "MarriedFilingSeparately" && familySize === null

/** The optional fields that the request uses, beyond loans, household and plan. */
const additionsOf = (question: Question): Additions => {
  const { eras, held, scenario } = question
  let set = held.history === undefined ? 0 : additionsByDates(question, held.history)
  if ((scenario.annualPriceGrowth ?? 0) > 0) set |= added.pricesGrow
  if (paysMore(scenario, eras, question.start)) set |= added.extra
  if (question.rests !== undefined) set |= added.pauses
  if (!isEver(question, lacksFamily)) set |= added.separateFamily
  if (eras.length > 0) set |= added.changes
  if (question.left.length > 0) set |= added.planChanges
  if (question.left.some((plan) => mayCount(question.law, plan))) set |= added.mayCount
  return set
}

/** One list for each filing status, because every projection needs one. */
const ALONE: Readonly<Record<FilingStatus, ReadonlyArray<FilingStatus>>> = {
  Single: ["Single"],
  MarriedFilingJointly: ["MarriedFilingJointly"],
  MarriedFilingSeparately: ["MarriedFilingSeparately"],
  HeadOfHousehold: ["HeadOfHousehold"]
}

/** The parts of a request, other than plan and circumstances, that decide its basis. */
export const askedBy = (question: Question): Asked => {
  const { eras, scenario } = question
  const { filingStatus } = scenario
  const statuses = eras.every((era) => era.filingStatus === filingStatus)
    ? ALONE[filingStatus]
    : [...new Set([filingStatus, ...eras.map((era) => era.filingStatus)])]
  return { state: scenario.state, filingStatuses: statuses, additions: additionsOf(question) }
}
