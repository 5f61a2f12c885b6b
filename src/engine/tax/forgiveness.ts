/**
 * The tax on time-based forgiveness. What is forgiven in a projection year is taxed on top of that
 * year's income base, by current tables. PSLF is not taxed.
 */
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { toCents } from "../schedule/rounding.ts"
import type { Tally } from "../schedule/tally.ts"
import { federalTaxOnForgiven } from "./federal.ts"
import { isTaxingState, stateTaxOnForgiven } from "./state.ts"

/**
 * Federal plus state tax, in cents, each rounded separately.
 * @law 26 U.S.C. 61(a)(11), 108(f)
 * @rule forgiveness-taxability-federal, forgiveness-tax-method, irc-108-f-1-work-based
 */
export const forgivenessTaxCents = (law: Law, household: Household, tally: Tally): number => {
  const { state } = household
  let cents = 0
  for (let year = 0; year < tally.forgivenTimeBased.length; year++) {
    const forgiven = tally.forgivenTimeBased[year]!
    if (forgiven === 0) continue
    household.enter(year)
    cents += toCents(federalTaxOnForgiven(law, household, forgiven))
    if (isTaxingState(state)) cents += toCents(stateTaxOnForgiven(law, state, household, forgiven))
  }
  return cents
}
