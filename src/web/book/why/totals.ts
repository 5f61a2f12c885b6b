/** Explains the totals of a plan: amount paid, the part beyond today's debt, cost with tax, present value. */
import { forgivenessTaxMethod } from "../../../../ledger/rules/forgiveness-tax.ts"
import { interestAccrual } from "../../../../ledger/rules/interest.ts"
import { dateOfMonth, MONTHS_PER_YEAR } from "../../../engine/index.ts"
import { totalsTexts } from "../../whyTexts.ts"
import { type Line, owedToday } from "../line.ts"
import { type Asked, lastOf } from "./asked.ts"
import type { Made } from "./explanation.ts"
import { addingUp, isNotZero, row, sentences, sumOf, toTheCent } from "./rows.ts"

/** Months of equal payments, or a projection year. `paid` is a difference of rounded totals. */
interface Stretch {
  readonly from: number
  readonly until: number
  readonly least: number
  readonly most: number
  readonly paid: number
}

/** The years of a line, from its first payment on. Successive years with one payment form a single stretch. */
const stretchesOf = ({ figures, months, paused }: Line): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  for (const { paymentsThisYear, year } of (figures.yearly ?? []).slice(1)) {
    const from = Math.max(paused, (year - 1) * MONTHS_PER_YEAR)
    const until = Math.min(year * MONTHS_PER_YEAR, months.length)
    if (until <= from) continue
    const payments = months.slice(from, until).map((paid) => toTheCent(paid))
    const [least, most] = [Math.min(...payments), Math.max(...payments)]
    const before = stretches.at(-1)
    if (before !== undefined && least === most && before.least === least && before.most === least)
      stretches[stretches.length - 1] = { ...before, until, paid: toTheCent(before.paid, paymentsThisYear) }
    else stretches.push({ from, until, least, most, paid: paymentsThisYear })
  }
  return stretches
}

export const paid = (asked: Asked, name: string): Made => {
  const { line, start } = asked
  const { totalOutOfPocket } = line.figures
  const dates = [dateOfMonth(start, line.paused), dateOfMonth(start, lastOf(asked))] as const
  return {
    said: sentences(
      totalsTexts.paid(line.months.length - line.paused, ...dates, totalOutOfPocket),
      totalsTexts.beyondDebt(line.beyondDebt)
    ),
    rows: [
      ...stretchesOf(line).map(({ from, least, most, paid: amount, until }) => {
        const [first, last] = [dateOfMonth(start, from), dateOfMonth(start, until - 1)]
        return row("part", totalsTexts.stretch(first, last, until - from, least, most), amount)
      }),
      row("sum", name, totalOutOfPocket)
    ]
  }
}

export const interest = ({ line: { beyondDebt, figures } }: Asked, name: string): Made => {
  const { totalOutOfPocket } = figures
  const [principal, unpaid] = owedToday(figures)
  return {
    said: sentences(
      totalsTexts.interest(beyondDebt, totalOutOfPocket, toTheCent(principal, unpaid)),
      totalsTexts.interestNote
    ),
    rows: [
      row("part", totalsTexts.rowPaid, totalOutOfPocket),
      row("less", totalsTexts.rowPrincipal, principal),
      ...[row("less", totalsTexts.rowInterest, unpaid)].filter(isNotZero),
      row("sum", name, beyondDebt, { rules: [interestAccrual] })
    ]
  }
}

export const cost = ({ line }: Asked, name: string): Made => {
  const { forgivenessTaxesOwed, totalOutOfPocket } = line.figures
  return {
    said: sentences(totalsTexts.cost(totalOutOfPocket, forgivenessTaxesOwed, line.cost)),
    rows: [
      row("part", totalsTexts.rowPaid, totalOutOfPocket),
      ...[row("part", totalsTexts.rowTax, forgivenessTaxesOwed, { rules: [forgivenessTaxMethod] })].filter(isNotZero),
      row("sum", name, line.cost)
    ]
  }
}

const TEN_YEARS = 10

export const worth = (asked: Asked, name: string): Made => {
  const { book, line, start } = asked
  const { discount } = book
  const { figures, months } = line
  const worthOf = (amount: number, month: number) => amount * (1 + discount) ** (-month / MONTHS_PER_YEAR)
  const years = Array.from({ length: Math.ceil(months.length / MONTHS_PER_YEAR) }, (_, year) => {
    const from = year * MONTHS_PER_YEAR
    const until = Math.min(from + MONTHS_PER_YEAR, months.length)
    const ofYear = months.slice(from, until)
    return {
      name: totalsTexts.worthYear(dateOfMonth(start, from), dateOfMonth(start, until - 1), toTheCent(...ofYear)),
      worth: sumOf(ofYear.map((one, index) => worthOf(one, from + index)))
    }
  })
  const due = lastOf(asked)
  const taxed = {
    name: totalsTexts.worthTax(dateOfMonth(start, due), figures.forgivenessTaxesOwed),
    worth: worthOf(figures.forgivenessTaxesOwed, due)
  }
  const all = figures.forgivenessTaxesOwed > 0 ? [...years, taxed] : years
  const amounts = all.map((one) => one.worth)
  const shown = addingUp(amounts)
  return {
    said: sentences(
      totalsTexts.worth(line.cost, line.presentValue, discount),
      totalsTexts.worthMeans(discount, 1000 * (1 + discount) ** -TEN_YEARS)
    ),
    rows: [
      ...all.map((one, index) => row("part", one.name, shown[index]!)),
      row("sum", name, toTheCent(...amounts), { formula: totalsTexts.worthFormula(discount) })
    ]
  }
}
