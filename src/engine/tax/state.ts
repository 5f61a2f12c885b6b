/** State income tax on forgiven debt, in the five modeled states; 0 in all others. */
import type { ValueOf } from "../../../ledger/entry.ts"
import { stateExemptionPersons } from "../../../ledger/rules/forgiveness-tax.ts"
import { stateForgivenessTreatmentAr, stateIncomeTaxAr } from "../../../ledger/rules/state-tax-ar.ts"
import { stateForgivenessTreatmentIn, stateIncomeTaxIn } from "../../../ledger/rules/state-tax-in.ts"
import { stateForgivenessTreatmentMs, stateIncomeTaxMs } from "../../../ledger/rules/state-tax-ms.ts"
import { stateForgivenessTreatmentNc, stateIncomeTaxNc } from "../../../ledger/rules/state-tax-nc.ts"
import { stateForgivenessTreatmentWi, stateIncomeTaxWi } from "../../../ledger/rules/state-tax-wi.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { bracketTax } from "./federal.ts"

interface StateFiler {
  readonly status: FilingStatus
  readonly dependents: number
}

/** Number of personal exemptions. @rule state-exemption-persons */
const persons = (law: Law, { dependents, status }: StateFiler): number => {
  const counted = law.read(stateExemptionPersons)
  return counted[status] + counted.eachDependent * dependents
}

/** A row of the Arkansas table: from this net income on, tax = rate x net income - subtract. */
interface ArkansasRow {
  readonly from: number
  readonly rate: number
  readonly subtract: number
}

/**
 * Arkansas: one schedule for every filing status, by net income.
 * @law A.C.A. 26-51-201(a)(4)   @rule state-income-tax-ar-*
 */
const arkansas = (law: Law, filer: StateFiler, income: number): number => {
  const { rows, standardDeduction } = law.read(stateIncomeTaxAr)
  const net = Math.max(0, income - standardDeduction[filer.status])
  const tested = forThreshold(net)
  const table: ReadonlyArray<ArkansasRow> = rows
  const row = table.findLast(({ from }) => from <= tested)!
  return Math.max(0, row.rate * net - row.subtract)
}

/**
 * Indiana: a flat rate after an exemption per person.
 * @law IC 6-3-2-1   @rule state-income-tax-in-*
 */
const indiana = (law: Law, filer: StateFiler, income: number): number => {
  const { exemptionPerPerson, rate } = law.read(stateIncomeTaxIn)
  return rate * Math.max(0, income - exemptionPerPerson * persons(law, filer))
}

/**
 * Mississippi: no tax on the first slice, one rate above it.
 * @law Miss. Code 27-7-5   @rule state-income-tax-ms-*
 */
const mississippi = (law: Law, filer: StateFiler, income: number): number => {
  const { exemption, exemptionPerDependent, rate, standardDeduction, zeroBracket } = law.read(stateIncomeTaxMs)
  const allowances =
    standardDeduction[filer.status] + exemption[filer.status] + exemptionPerDependent * filer.dependents + zeroBracket
  return rate * Math.max(0, income - allowances)
}

/**
 * North Carolina: a flat rate after a deduction.
 * @law G.S. 105-153.7   @rule state-income-tax-nc-*
 */
const northCarolina = (law: Law, filer: StateFiler, income: number): number => {
  const { rate, standardDeduction } = law.read(stateIncomeTaxNc)
  return rate * Math.max(0, income - standardDeduction[filer.status])
}

type WisconsinDeduction = ValueOf<typeof stateIncomeTaxWi>["standardDeduction"][FilingStatus]

const slidingDeduction = ({ max, phaseOutStart, rate }: WisconsinDeduction, income: number): number =>
  Math.max(0, max - rate * Math.max(0, income - phaseOutStart))

/**
 * Wisconsin: brackets after an exemption per person and a deduction that shrinks with income. A
 * head of household never deducts less than a single filer.
 * @law Wis. Stat. 71.05(22), 71.06   @rule state-income-tax-wi-*
 */
const wisconsin = (law: Law, filer: StateFiler, income: number): number => {
  const { brackets, exemptionPerPerson, standardDeduction } = law.read(stateIncomeTaxWi)
  const own = slidingDeduction(standardDeduction[filer.status], income)
  const deduction =
    filer.status === "HeadOfHousehold" ? Math.max(own, slidingDeduction(standardDeduction.Single, income)) : own
  return bracketTax(brackets[filer.status], Math.max(0, income - deduction - exemptionPerPerson * persons(law, filer)))
}

/** The modeled states: tax function, its rules, and whether there is an exemption per person. */
export const STATE_TAXES = {
  AR: { taxOf: arkansas, schedule: stateIncomeTaxAr, treatment: stateForgivenessTreatmentAr, countsPersons: false },
  IN: { taxOf: indiana, schedule: stateIncomeTaxIn, treatment: stateForgivenessTreatmentIn, countsPersons: true },
  MS: { taxOf: mississippi, schedule: stateIncomeTaxMs, treatment: stateForgivenessTreatmentMs, countsPersons: false },
  NC: {
    taxOf: northCarolina,
    schedule: stateIncomeTaxNc,
    treatment: stateForgivenessTreatmentNc,
    countsPersons: false
  },
  WI: { taxOf: wisconsin, schedule: stateIncomeTaxWi, treatment: stateForgivenessTreatmentWi, countsPersons: true }
}
type TaxingState = keyof typeof STATE_TAXES

export const isTaxingState = (state: string | null): state is TaxingState => state !== null && state in STATE_TAXES

/**
 * State tax added by a forgiven amount, in dollars, never below 0.
 * @rule state-tax-on-forgiveness-states, state-forgiveness-treatment-*
 */
export const stateTaxOnForgiven = (
  law: Law,
  state: TaxingState,
  { dependents, filingStatus, income }: Pick<Household, "dependents" | "filingStatus" | "income">,
  forgiven: number,
  trace?: Trace
): number => {
  const { schedule, taxOf, treatment } = STATE_TAXES[state]
  const filer = { status: filingStatus, dependents }
  const taxWith = taxOf(law, filer, income + forgiven)
  const taxWithout = taxOf(law, filer, income)
  const added = Math.max(0, taxWith - taxWithout)
  trace?.("stateTaxWith", taxWith, schedule)
  trace?.("stateTaxWithout", taxWithout, schedule)
  trace?.("stateTax", added, treatment)
  return added
}
