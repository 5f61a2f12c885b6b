/** Explains the tax on forgiveness, year by year and bracket by bracket. */
import type { Rule } from "../../../../ledger/entry.ts"
import {
  forgivenessTaxabilityFederal,
  forgivenessTaxMethod,
  irc108A1Insolvency,
  irc108F1WorkBased
} from "../../../../ledger/rules/forgiveness-tax.ts"
import {
  currentLaw,
  dateOfMonth,
  explainTax,
  FEDERAL_BRACKETS,
  MONTHS_PER_YEAR,
  type Step,
  type Term
} from "../../../engine/index.ts"
import { taxTexts } from "../../whyTexts.ts"
import { notRefused } from "../asking.ts"
import { putAside } from "../putAside.ts"
import { type Asked, filingOf, mostOf, requestOf, unfinished, valuesOf } from "./asked.ts"
import type { Made, Row } from "./explanation.ts"
import { addingUp, row, sentences, toTheCent } from "./rows.ts"

/** The steps of the tax, year by year. */
const stepsByYear = (asked: Asked): ReadonlyArray<ReadonlyArray<Step>> => {
  const steps = notRefused(explainTax(currentLaw, requestOf(asked), asked.start))
  const begins = steps.flatMap(({ term }, index) => (term === "taxYear" ? [index] : []))
  return begins.map((from, index) => steps.slice(from, begins[index + 1]))
}

/** The brackets of one of the two taxes of a year: those between its taxable income and its tax. */
const bracketRows = (steps: ReadonlyArray<Step>, from: Term, to: Term): ReadonlyArray<Row> => {
  const within = steps.slice(
    steps.findIndex(({ term }) => term === from),
    steps.findIndex(({ term }) => term === to)
  )
  const slices = valuesOf(within, "bracketSlice")
  const taxes = addingUp(valuesOf(within, "bracketTax"))
  return valuesOf(within, "bracketRate").map((rate, index) =>
    row("part", taxTexts.bracket(rate, slices[index]!), taxes[index]!)
  )
}

const rulesOf = (steps: ReadonlyArray<Step>, ...terms: ReadonlyArray<Term>): ReadonlyArray<Rule> => [
  ...new Set(steps.filter(({ term }) => terms.includes(term)).flatMap(({ rules }) => rules))
]

/** If a state's tax is not modeled, the text does not say that there is none. */
const stateTaxName = ({ book: { household }, line }: Asked, isTaxed: boolean): string => {
  const state = household.state ?? ""
  return isTaxed ? taxTexts.state(state) : taxTexts.notAdded[line.uncountedTax](state)
}

interface TaxYear {
  readonly rows: ReadonlyArray<Row>
  readonly tax: number
  readonly income: number
  readonly forgiven: number
  /** Index of the last month of the year. */
  readonly until: number
}

const taxYear = (asked: Asked, steps: ReadonlyArray<Step>): TaxYear => {
  const { line, start } = asked
  const of = (term: Term) => mostOf(steps, term)
  const year = of("taxYear")
  const [from, until] = [(year - 1) * MONTHS_PER_YEAR, Math.min(year * MONTHS_PER_YEAR, line.months.length) - 1]
  const [income, forgiven, deduction] = [of("taxIncome"), of("taxForgiven"), of("standardDeduction")]
  const [federal, taxWith] = [toTheCent(of("federalTax")), toTheCent(of("federalTaxWith"))]
  const state = toTheCent(of("stateTax"))
  const isTaxed = valuesOf(steps, "stateTaxWith").length > 0
  const rows = [
    row("heading", taxTexts.year(dateOfMonth(start, from), dateOfMonth(start, until)), null),
    row("fact", taxTexts.income, toTheCent(income), { rules: rulesOf(steps, "taxIncome") }),
    row("fact", taxTexts.forgiven, toTheCent(forgiven), { rules: rulesOf(steps, "taxForgiven") }),
    row("part", taxTexts.federalWith(income + forgiven), taxWith, {
      formula: taxTexts.taxable(income + forgiven, deduction, of("taxableWith")),
      rows: bracketRows(steps, "taxableWith", "federalTaxWith"),
      rules: rulesOf(steps, "standardDeduction", "federalTaxWith")
    }),
    row("less", taxTexts.federalWithout(income), toTheCent(taxWith, -federal), {
      formula: taxTexts.taxable(income, deduction, of("taxableWithout")),
      rows: bracketRows(steps, "taxableWithout", "federalTaxWithout"),
      rules: rulesOf(steps, "standardDeduction", "federalTaxWithout")
    }),
    row("fact", taxTexts.federal, federal, { rules: rulesOf(steps, "federalTax") }),
    row("part", stateTaxName(asked, isTaxed), state, {
      ...(isTaxed ? { formula: taxTexts.stateFormula(of("stateTaxWith"), of("stateTaxWithout")) } : {}),
      rules: rulesOf(steps, "stateTaxWith", "stateTax")
    })
  ]
  return { rows, tax: toTheCent(federal, state), income, forgiven, until }
}

const withoutTax = ({ line }: Asked, name: string): Made => {
  const isForgiven = line.figures.amountForgiven > 0
  const rules = isForgiven ? [irc108F1WorkBased] : [forgivenessTaxabilityFederal]
  return {
    said: sentences(isForgiven ? taxTexts.pslf : taxTexts.none),
    rows: [row("sum", name, 0, { rules })]
  }
}

export const tax = (asked: Asked, name: string): Made => {
  const { start } = asked
  const years = stepsByYear(asked).map((steps) => taxYear(asked, steps))
  const [first, last] = [years[0], years.at(-1)]
  if (first === undefined || last === undefined) return withoutTax(asked, name)
  const total = toTheCent(...years.map((year) => year.tax))
  const { taxYear: tables } = currentLaw.read(FEDERAL_BRACKETS[filingOf(asked)])
  const date = dateOfMonth(start, last.until)
  const why =
    first === last
      ? `${taxTexts.asIncome(first.income, first.forgiven)} ${taxTexts.once}`
      : taxTexts.severalYears(years.length)
  return {
    date,
    said: sentences(
      taxTexts.lead(toTheCent(...years.map(({ forgiven }) => forgiven)), total),
      why,
      ...(total > 0 ? [taxTexts.putAside(putAside(years), date)] : [])
    ),
    rows: [
      ...years.flatMap(({ rows }) => rows),
      row("sum", name, total, { rules: [forgivenessTaxMethod, irc108A1Insolvency] })
    ],
    notes: [taxTexts.tables(Number(tables)), ...unfinished(asked)]
  }
}
