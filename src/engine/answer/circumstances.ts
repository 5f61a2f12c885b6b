/**
 * What an answer's books and forgiveness say of themselves, so that the ledger can tell which omissions bear on it. Read
 * after the months have run: counts, traits and totals stay as sent, but only loans on fixed terms keep their balances.
 */
import type { Facts } from "../../../ledger/omissions.ts"
import { type EnginePlan, type HouseholdScenario, isJoint } from "../law/household.ts"
import type { Law, LoanTraits } from "../law/law.ts"
import { PLANS } from "../plans/registry.ts"
import { standardTerm } from "../plans/standard.ts"
import type { Book, Books } from "../schedule/book.ts"
import { forThreshold } from "../schedule/rounding.ts"

/** Which kinds of forgiveness an answer holds, to the cent. */
export interface Forgiven {
  readonly timeBased: boolean
  readonly pslf: boolean
}

/** Whether the plan never forgives. */
export const isFixed = (plan: EnginePlan): boolean => PLANS[plan].forgivenessMonths === undefined

/** Whether a kind of loan of the book has a trait. */
export const some = ({ kinds }: Book, holds: (traits: LoanTraits) => boolean): boolean => {
  for (let kind = 0; kind < kinds.length; kind++) if (holds(kinds[kind]!)) return true
  return false
}

/** Whether a loan of the book does. */
export const someLoan = (book: Book, holds: (slot: number) => boolean): boolean => {
  for (let slot = 0; slot < book.size; slot++) if (holds(slot)) return true
  return false
}

export const totalDebtOf = ({ beside, own }: Books): number => own.total + beside.total

/** Whether a joint payment is shared with a spouse who has federal loans. */
export const isProrated = ({ filingStatus, planType, spouseFederalLoanBalance }: HouseholdScenario): boolean =>
  !isFixed(planType) && isJoint(filingStatus) && (spouseFederalLoanBalance ?? 0) > 0

const isConsolidation = ({ consolidation }: LoanTraits): boolean => consolidation

const NO_BOOKS: ReadonlyArray<Book> = []

/** The books whose consolidation loans have a term by the consolidation table. */
export const onConsolidationTable = (planType: EnginePlan, { beside, own }: Books): ReadonlyArray<Book> => {
  if (!some(own, isConsolidation) && !some(beside, isConsolidation)) return NO_BOOKS
  return (planType === "STANDARD" || planType === "GRADUATED" ? [own, beside] : [beside]).filter((book) =>
    some(book, isConsolidation)
  )
}

/** Whether payments on a Direct loan of this term under STANDARD count for public service. */
export const countsOnStandard = (law: Law, traits: LoanTraits, totalDebt: number): boolean =>
  traits.direct && standardTerm(law, traits, totalDebt) === law.standardMonths

/** A Direct loan of a public servant on terms whose payments are taken as never counting. */
const isPslfUncounted = (law: Law, scenario: HouseholdScenario, books: Books): boolean => {
  if (!scenario.workingTowardsPslf) return false
  const totalDebt = totalDebtOf(books)
  const misses = (traits: LoanTraits) => traits.direct && !countsOnStandard(law, traits, totalDebt)
  if (some(books.beside, misses)) return true
  if (!isFixed(scenario.planType)) return false
  return some(books.own, scenario.planType === "STANDARD" ? misses : ({ direct }) => direct)
}

const balanceIn = (book: Book, slot: number): number => book.principal[slot]! + book.interest[slot]!

const isOutweighed = (planType: EnginePlan, books: Books): boolean => {
  const totalDebt = totalDebtOf(books)
  return onConsolidationTable(planType, books).some((book) =>
    someLoan(book, (slot) => {
      const balance = balanceIn(book, slot)
      return isConsolidation(book.traits[slot]!) && forThreshold(totalDebt - balance) > forThreshold(balance)
    })
  )
}

const debtOf = ({ beside, own }: Books, program: "direct" | "ffel"): number => {
  let debt = 0
  for (const book of [own, beside]) {
    for (let slot = 0; slot < book.size; slot++) if (book.traits[slot]![program]) debt += balanceIn(book, slot)
  }
  return debt
}

/** @rule extended-plan-terms */
const isSmallProgram = (law: Law, planType: EnginePlan, books: Books): boolean =>
  planType === "EXTENDED" &&
  (["direct", "ffel"] as const).some(
    (program) =>
      some(books.own, (traits) => traits[program]) && forThreshold(debtOf(books, program)) <= law.extendedBalanceOver
  )

const isPlusConsolidation = ({ plusConsolidation }: LoanTraits): boolean => plusConsolidation

export const factsOf = (law: Law, scenario: HouseholdScenario, books: Books, forgiven: Forgiven): Facts => {
  const { beside, own } = books
  const { planType } = scenario
  return {
    planType,
    state: scenario.state,
    filingStatus: scenario.filingStatus,
    taxed: forgiven.timeBased,
    pslfForgiven: forgiven.pslf,
    pslfUncounted: isPslfUncounted(law, scenario, books),
    mixed: beside.size > 0,
    growth: scenario.annualIncomeGrowth > 0,
    prorated: isProrated(scenario),
    priorMonths: someLoan(own, (slot) => own.priorIdrMonths[slot]! > 0),
    consolidation: some(own, isConsolidation),
    unnamedConsolidation: some(own, ({ unnamedConsolidation }) => unnamedConsolidation),
    ffelConsolidation: some(own, ({ consolidation, ffel }) => consolidation && ffel),
    plusConsolidation: some(own, isPlusConsolidation) || some(beside, isPlusConsolidation),
    outweighedConsolidation: isOutweighed(planType, books),
    windowOpened: some(own, ({ codes }) => codes[planType] === "C1"),
    smallProgram: isSmallProgram(law, planType, books),
    mayBeGraduate: some(own, ({ mayBeGraduate }) => mayBeGraduate)
  }
}
