/**
 * The tax on time-based forgiveness. The amount forgiven in a projection year is taxed on top of
 * that year's income base, by current tables. PSLF is not taxed.
 */
import {
  forgivenessTaxabilityFederal,
  forgivenessTaxMethod,
  stateTaxOnForgivenessStates
} from "../../../ledger/rules/forgiveness-tax.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { toCents } from "../schedule/rounding.ts"
import type { Tally } from "../schedule/tally.ts"
import { federalTaxOnForgiven } from "./federal.ts"
import { isTaxingState, stateTaxOnForgiven } from "./state.ts"

/**
 * Federal plus state tax of each projection year with time-based forgiveness, in cents, each rounded
 * separately. Years are counted from 0.
 * @law 26 U.S.C. 61(a)(11), 108(f)
 * @rule forgiveness-taxability-federal, forgiveness-tax-method, irc-108-f-1-work-based
 */
export const forEachTaxedYear = (
  law: Law,
  household: Household,
  tally: Tally,
  onYear: (year: number, cents: number) => void,
  trace?: Trace
): void => {
  const { state } = household.scenario
  for (let year = 0; year < tally.years; year++) {
    const forgiven = tally.forgivenTimeBased[year]!
    if (forgiven === 0) continue
    household.enter(year)
    trace?.("taxYear", year + 1, forgivenessTaxMethod)
    trace?.("taxIncome", household.income, forgivenessTaxMethod)
    trace?.("taxForgiven", forgiven, forgivenessTaxabilityFederal)
    let cents = toCents(federalTaxOnForgiven(law, household, forgiven, trace))
    if (isTaxingState(state)) cents += toCents(stateTaxOnForgiven(law, state, household, forgiven, trace))
    else trace?.("stateTax", 0, stateTaxOnForgivenessStates)
    onYear(year, cents)
  }
}
