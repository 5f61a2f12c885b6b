/**
 * The tax on a forgiven balance F: the increase of federal and, in five states, state income tax of
 * 2026 when F is added to the year's income A. No credits, no other taxes. The federal brackets and
 * deduction rise with prices; the tables of states do not. The caller rounds each jurisdiction to
 * the cent.
 */
import { type Decimal, larger, mul, smaller, ZERO } from "./decimal.ts"
import { incomeBase, personsOnReturn } from "./household.ts"
import { arkansas, type FilingStatus, federalTax, indiana, mississippi, northCarolina, wisconsin } from "./law.ts"
import { type Edges, isBelow } from "./thresholds.ts"
import type { Household } from "./years.ts"

export interface ForgivenessTax {
  readonly federal: Decimal
  readonly state: Decimal
}

const positive = (value: Decimal): Decimal => larger(ZERO, value)

/** Tax by brackets: each rate applies to its slice of taxable income; the last bracket is open. */
function byBrackets(taxable: Decimal, rates: ReadonlyArray<Decimal>, ends: ReadonlyArray<Decimal>): Decimal {
  let tax = ZERO
  let from = ZERO
  for (const [i, rate] of rates.entries()) {
    const end = ends[i]
    const slice = positive((end === undefined ? taxable : smaller(taxable, end)) - from)
    tax += mul(slice, rate)
    from = end ?? from
  }
  return tax
}

/** The federal tax of a return: 26 U.S.C. 1, 63; Rev. Proc. 2025-32. */
export function federalTaxOn({ prices, status }: Household, income: Decimal): Decimal {
  const taxable = positive(income - mul(federalTax.deduction[status], prices))
  const ends = federalTax.ends[status].map((end) => mul(end, prices))
  return byBrackets(taxable, federalTax.rates, ends)
}

/** A.C.A. 26-51-201(a)(4): tax by the last row that starts at or below the net income. */
function arkansasTax(status: FilingStatus, income: Decimal, edges: Edges): Decimal {
  const net = positive(income - arkansas.deduction[status])
  const reached = (from: Decimal) => !isBelow(net, from, "Arkansas row", edges)
  const { from, lastFrom, rate, stepIncome, stepSubtract, subtract } = arkansas.high
  let tax = ZERO
  for (const row of arkansas.lowRows) {
    if (reached(row.from)) tax = mul(net, row.rate) - row.subtract
  }
  for (let step = 0n; from + step * stepIncome <= lastFrom; step++) {
    if (reached(from + step * stepIncome)) tax = mul(net, rate) - (subtract - step * stepSubtract)
  }
  return tax
}

/** IC 6-3-2-1: a flat rate above $1,000 per filer and dependent. */
const indianaTax = (household: Household, income: Decimal): Decimal =>
  mul(indiana.rate, positive(income - indiana.perPerson * BigInt(personsOnReturn(household))))

/** Miss. Code 27-7-5: no tax on the first $10,000 after deduction and exemptions. */
function mississippiTax(household: Household, income: Decimal): Decimal {
  const { deduction, exemption, perDependent, rate, untaxed } = mississippi
  const free = deduction[household.status] + exemption[household.status] + untaxed
  return mul(rate, positive(income - free - perDependent * BigInt(household.dependents)))
}

/** G.S. 105-153.7. */
const northCarolinaTax = (household: Household, income: Decimal): Decimal =>
  mul(northCarolina.rate, positive(income - northCarolina.deduction[household.status]))

/** The deduction, which falls as income rises, to 0 at the least. */
function slidingDeduction(status: FilingStatus, income: Decimal): Decimal {
  const { above, maximum, rate } = wisconsin.deduction[status]
  return positive(maximum - mul(rate, positive(income - above)))
}

/** A head of household never gets a lower deduction than a single person. */
const wisconsinDeduction = (status: FilingStatus, income: Decimal): Decimal =>
  status === "HeadOfHousehold"
    ? larger(slidingDeduction("HeadOfHousehold", income), slidingDeduction("Single", income))
    : slidingDeduction(status, income)

function wisconsinTax(household: Household, income: Decimal): Decimal {
  const exemption = wisconsin.perPerson * BigInt(personsOnReturn(household))
  const taxable = positive(income - wisconsinDeduction(household.status, income) - exemption)
  return byBrackets(taxable, wisconsin.rates, wisconsin.ends[household.status])
}

function stateTax(household: Household, income: Decimal, edges: Edges): Decimal {
  switch (household.state) {
    case "AR":
      return arkansasTax(household.status, income, edges)
    case "IN":
      return indianaTax(household, income)
    case "MS":
      return mississippiTax(household, income)
    case "NC":
      return northCarolinaTax(household, income)
    case "WI":
      return wisconsinTax(household, income)
    default:
      return ZERO
  }
}

/**
 * 26 U.S.C. 61(a)(11): the tax added by forgiving F at the income A of the household in the year. A
 * state tax that falls adds 0.
 */
export function taxOnForgiveness(household: Household, forgiven: Decimal, edges: Edges): ForgivenessTax {
  const income = incomeBase(household)
  return {
    federal: federalTaxOn(household, income + forgiven) - federalTaxOn(household, income),
    state: positive(stateTax(household, income + forgiven, edges) - stateTax(household, income, edges))
  }
}
