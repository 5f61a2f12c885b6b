/** The sentence that says which answers an omission (a rule not applied) affects. */
import type { Addition, Circumstance } from "../../../ledger/circumstances.ts"
import type { OmissionEntry } from "../../../ledger/entry.ts"
import { memberName } from "./members.ts"

const CIRCUMSTANCES: Readonly<Record<Circumstance, string>> = {
  taxed: "tax on forgiveness is part of the answer",
  pslfForgiven: "something is forgiven for public service",
  passedOver: "a loan is still open when its plan ends, and passes to another plan",
  passedToFirst: "a loan passes to the first plan that takes the place of one that ends",
  passedToSecond: "a loan passes to the second plan that takes the place of one that ends",
  pslfUncounted: "a public servant's payments on a Direct loan are assumed never to count",
  pslfReaches: "the borrower works toward public-service forgiveness, and it can reach a loan",
  loans: "a loan has a balance",
  severalLoans: "several loans are repaid under the plan",
  loansOutsidePlan: "a loan is repaid outside the plan",
  closedByOlderLoan: "an older loan closes the plan to some of the loans",
  parentPlusOutsidePlan: "a Parent PLUS loan, or a consolidation of one, is repaid outside the plan",
  dependents: "the borrower has dependents",
  growth: "income grows",
  prorated: "the spouse on a joint return has federal loans",
  priorMonths: "months already count toward income-driven forgiveness of a loan under the plan",
  shortened: "months already counted shorten the term of a loan under the plan",
  shortenedConsolidation: "months already counted shorten the term of a consolidation loan under the plan",
  unpaidInterest: "a loan comes with unpaid interest",
  ffelOutsidePlan: "a student's FFEL loan is repaid outside the plan",
  perkins: "a Perkins loan is among the loans",
  subsidizedLoan: "a subsidized loan is repaid under the plan",
  consolidation: "a consolidation loan is repaid under the plan",
  consolidationTable: "the term of a consolidation loan follows the table for consolidations",
  unnamedConsolidation: "a consolidation loan whose type names no PLUS loan is repaid under the plan",
  ffelConsolidation: "an FFEL consolidation loan is repaid under the plan",
  directPlusConsolidation: "a DIRECT PLUS CONSOLIDATED is among the loans",
  windowOpened: "only a month that already counts opens the plan to a loan",
  mayBeGraduate: "a loan under the plan may have paid for graduate study, although its type does not say so"
}

const ADDITIONS: Readonly<Record<Addition, string>> = {
  dated: "a date was sent",
  datesKnown: "the dates show since when the borrower has owed, and when each Direct and FFEL loan was made",
  newnessKnown: "it is known whether the borrower has a loan made since 1 July 2026",
  newLoans: "the borrower has a loan made since 1 July 2026",
  newSince2014: "dates show a new borrower of 2014",
  tiered: "a loan is repaid on Tiered Standard",
  pricesGrow: "prices grow",
  changes: "something changes in a later year",
  extra: "more is paid than is due",
  pauses: "a loan is paused",
  separateFamily: "familySize is sent for every year with a separate return",
  planChanges: "the plan changes",
  mayCount: "EXTENDED, GRADUATED or REPAYMENT ASSISTANCE is left for another plan"
}

const NEVER = "On no answer: it is published for information."
const ALWAYS = "On every answer."

/** The conditions joined by "and", because all of them must hold. */
export const bearingText = ({ bearsOn }: Pick<OmissionEntry, "bearsOn">): string => {
  const { added, filingStatuses, notAdded, plans, states, statesExcept, when } = bearsOn
  if (plans?.length === 0) return NEVER
  const conditions = [
    plans && `under ${plans.join(", ")}`,
    filingStatuses && `where the filing status is ${filingStatuses.map(memberName).join(" or ")}`,
    states && `where the state is ${states.join(", ")}`,
    statesExcept && `where the state is none of ${statesExcept.join(", ")}`,
    ...(when ?? []).map((circumstance) => `when ${CIRCUMSTANCES[circumstance]}`),
    ...(added ?? []).map((addition) => `when ${ADDITIONS[addition]}`),
    ...(notAdded ?? []).map((addition) => `unless ${ADDITIONS[addition]}`)
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? ALWAYS : `On answers ${conditions.join(", and ")}.`
}
