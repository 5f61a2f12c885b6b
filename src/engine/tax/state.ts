/** State income tax that forgiven debt adds, in the five states that the request's state selects. Others: none here. */
import type { FilingStatus } from "../../../schema/scenario.ts"
import { isJoint } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { bracketTax } from "./federal.ts"

export interface StateFiler {
  readonly status: FilingStatus
  readonly dependents: number
}

const persons = ({ dependents, status }: StateFiler): number => (isJoint(status) ? 2 : 1) + dependents

/**
 * Arkansas: one schedule for every status, the row by net income.
 * @law A.C.A. 26-51-201(a)(4)   @rule state-income-tax-ar-2026
 */
const arkansas = (law: Law, filer: StateFiler, income: number): number => {
  const { rows, standardDeduction } = law.stateTax.AR
  const net = Math.max(0, income - standardDeduction[filer.status])
  const tested = forThreshold(net)
  let row = rows[0]!
  for (const candidate of rows) if (candidate.from <= tested) row = candidate
  return Math.max(0, row.rate * net - row.subtract)
}

/** Indiana: flat, after an exemption a person. @law IC 6-3-2-1   @rule state-income-tax-in-2026 */
const indiana = (law: Law, filer: StateFiler, income: number): number => {
  const { exemptionPerPerson, rate } = law.stateTax.IN
  return rate * Math.max(0, income - exemptionPerPerson * persons(filer))
}

/** Mississippi: nothing on the first slice, one rate above. @law Miss. Code 27-7-5   @rule state-income-tax-ms-2026 */
const mississippi = (law: Law, filer: StateFiler, income: number): number => {
  const { exemption, exemptionPerDependent, rate, standardDeduction, zeroBracket } = law.stateTax.MS
  const allowances =
    standardDeduction[filer.status] + exemption[filer.status] + exemptionPerDependent * filer.dependents + zeroBracket
  return rate * Math.max(0, income - allowances)
}

/** North Carolina: flat, after a deduction. @law G.S. 105-153.7   @rule state-income-tax-nc-2026 */
const northCarolina = (law: Law, filer: StateFiler, income: number): number => {
  const { rate, standardDeduction } = law.stateTax.NC
  return rate * Math.max(0, income - standardDeduction[filer.status])
}

type WisconsinDeduction = Law["stateTax"]["WI"]["standardDeduction"]["Single"]

const slidingDeduction = ({ max, phaseOutStart, rate }: WisconsinDeduction, income: number): number =>
  Math.max(0, max - rate * Math.max(0, income - phaseOutStart))

/**
 * Wisconsin: brackets after a deduction that shrinks with income and an exemption a person. A head of household never
 * deducts less than a single filer.
 * @law Wis. Stat. 71.05(22), 71.06   @rule state-income-tax-wi-2026
 */
const wisconsin = (law: Law, filer: StateFiler, income: number): number => {
  const { brackets, exemptionPerPerson, standardDeduction } = law.stateTax.WI
  const own = slidingDeduction(standardDeduction[filer.status], income)
  const deduction =
    filer.status === "HeadOfHousehold" ? Math.max(own, slidingDeduction(standardDeduction.Single, income)) : own
  return bracketTax(brackets[filer.status], Math.max(0, income - deduction - exemptionPerPerson * persons(filer)))
}

const TAXES = { AR: arkansas, IN: indiana, MS: mississippi, NC: northCarolina, WI: wisconsin }
export type TaxingState = keyof typeof TAXES

export const isTaxingState = (state: string | null): state is TaxingState => state !== null && state in TAXES

/** What a forgiven amount adds to the state's tax, in dollars, never below 0. */
export const stateTaxOnForgiven = (
  law: Law,
  state: TaxingState,
  filer: StateFiler,
  income: number,
  forgiven: number
): number => {
  const taxOf = TAXES[state]
  return Math.max(0, taxOf(law, filer, income + forgiven) - taxOf(law, filer, income))
}
