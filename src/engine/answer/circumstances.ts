/**
 * The circumstances of a request, such as dependents or prior months. They decide which rules the
 * answer cites and which omissions bear on it. The projection adds those that only its months show:
 * forgiveness, and loans that outlive their plan.
 */
import { type Circumstances, only } from "../../../ledger/circumstances.ts"
import { consolidationStandardTerms } from "../../../ledger/rules/fixed-plans.ts"
import { type HouseholdScenario, isProrated } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Plan } from "../plans/plan.ts"
import { standard } from "../plans/standard.ts"
import { type Book, type Books, someKind, someLoan } from "../schedule/book.ts"
import { type Holdings, isClosedByAnother } from "../schedule/holdings.ts"

interface Question {
  readonly law: Law
  readonly plan: Plan
  readonly books: Books
  readonly held: Holdings
  readonly scenario: HouseholdScenario
}

const isConsolidation = ({ consolidation }: LoanTraits): boolean => consolidation
const isAnyConsolidation = ({ consolidation, directPlusConsolidation }: LoanTraits): boolean =>
  consolidation || directPlusConsolidation
const isDirect = ({ direct }: LoanTraits): boolean => direct

/** Whether the consolidation table sets the term of a loan, in the plan or outside it. */
const isOnConsolidationTable = ({ books: { inPlan, outsidePlan }, plan }: Question): boolean => {
  if (someKind(outsidePlan, isConsolidation)) return true
  return plan.kind === "fixed" && someKind(inPlan, (traits) => plan.termRule(traits) === consolidationStandardTerms)
}

/** Whether payments on a loan outside the plan count for PSLF. */
const countsOutsidePlan = (law: Law, traits: LoanTraits, held: Holdings): boolean =>
  traits.direct && standard.countsForPslf(law, standard.term(law, traits, held))

/** Whether the borrower works toward PSLF with a Direct loan on terms that never count for it. */
const isPslfUncounted = ({ books, held, law, plan, scenario }: Question): boolean => {
  if (!scenario.workingTowardsPslf) return false
  if (someKind(books.outsidePlan, (traits) => traits.direct && !countsOutsidePlan(law, traits, held))) return true
  if (plan.kind !== "fixed") return false
  return someKind(books.inPlan, (traits) => traits.direct && !plan.countsForPslf(law, plan.term(law, traits, held)))
}

/**
 * Whether PSLF can forgive a loan: one in an income-driven plan, or one outside the plan. In a
 * fixed plan, PSLF payments only shorten the term.
 */
const pslfReaches = ({ books, held, law, plan, scenario }: Question): boolean => {
  if (!scenario.workingTowardsPslf) return false
  if (plan.kind === "income-driven" && someKind(books.inPlan, isDirect)) return true
  return someKind(books.outsidePlan, (traits) => countsOutsidePlan(law, traits, held))
}

/** The circumstances of loans with a term shortened by months already counted. */
const shortenedTerms = ({ books: { inPlan }, held, law, plan }: Question): Circumstances => {
  if (plan.kind !== "fixed") return 0
  let set = 0
  for (let slot = 0; slot < inPlan.size; slot++) {
    const traits = inPlan.traits[slot]!
    if (plan.monthsBehind(law, inPlan, slot, plan.term(law, traits, held)) === 0) continue
    set |= isAnyConsolidation(traits) ? only.shortened | only.shortenedConsolidation : only.shortened
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
  if (scenario.dependents > 0) set |= only.dependents
  if (scenario.annualIncomeGrowth > 0) set |= only.growth
  if (plan.kind === "income-driven" && isProrated(scenario)) set |= only.prorated
  if (someLoan(inPlan, (slot) => inPlan.priorIdrMonths[slot]! > 0)) set |= only.priorMonths
  if (hasUnpaidInterest(inPlan) || hasUnpaidInterest(outsidePlan)) set |= only.unpaidInterest
  if (isOnConsolidationTable(question)) set |= only.consolidationTable
  if (someKind(inPlan, (traits) => plan.openTo(traits) === "after-counted-month")) set |= only.windowOpened
  return set
}
