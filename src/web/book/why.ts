/** How a figure of the answer comes about: a sentence, the amounts that add up to it, and the steps behind them. */
import type { Rule } from "../../../ledger/entry.ts"
import { ruleById } from "../../../ledger/index.ts"
import {
  forgivenessTaxabilityFederal,
  forgivenessTaxMethod,
  irc108A1Insolvency,
  irc108F1WorkBased
} from "../../../ledger/rules/forgiveness-tax.ts"
import { idrForgivenessCount } from "../../../ledger/rules/income-based.ts"
import { idrPaymentAllocation, interestAccrual, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import { rapPaymentApplication, rapPrincipalMatch } from "../../../ledger/rules/repayment-assistance.ts"
import { explainTax, monthsOfForgiveness } from "../../engine/explained/forgiveness.ts"
import { type Explanation as Explained, explain, type PaymentPart } from "../../engine/explanation.ts"
import { currentLaw as law } from "../../engine/law/law.ts"
import type { Step, Term } from "../../engine/law/trace.ts"
import { endOf } from "../../engine/plans/ending.ts"
import type { EnginePlan } from "../../engine/plans/plan.ts"
import { planOf } from "../../engine/plans/registry.ts"
import { costCents } from "../../engine/projection.ts"
import type { EngineRequest } from "../../engine/run.ts"
import { dateOfMonth, MONTHS_PER_YEAR, type StartMonth } from "../../engine/schedule/calendar.ts"
import { fromCents, toCents } from "../../engine/schedule/rounding.ts"
import { FEDERAL_BRACKETS } from "../../engine/tax/federal.ts"
import { explanationAnswer } from "../../messages/explanation.ts"
import { dollars, month as monthName, owesNothing } from "../../messages/figures.ts"
import { dialogTexts, endTexts, forgivenTexts, paymentTexts, taxTexts, totalsTexts } from "../whyTexts.ts"
import { type Line, owedToday } from "./answer.ts"
import { sentencesOf } from "./paymentWhy.ts"
import type { ReadBook } from "./reading.ts"

/** The figures of a line that can be explained. `interest` is what is paid beyond today's debt. */
export const FIGURES = ["first", "highest", "paid", "interest", "forgiven", "tax", "cost", "worth", "ends"] as const
export type Figure = (typeof FIGURES)[number]

/** A sentence or more. Those about loans on another plan name it. */
export interface Said {
  readonly planType?: EnginePlan
  readonly text: string
}

/**
 * A row of the sum: a part that is added or taken off, a sum of those above it, a fact that is not
 * added, or a heading. The last row is the figure.
 */
export interface Row {
  readonly role: "part" | "less" | "sum" | "fact" | "heading"
  readonly name: string
  /** Dollars; for the end the index of the last month, null if there is none. */
  readonly value: number | null
  readonly shown: string
  /** How the value follows, shown on request. */
  readonly formula?: string
  readonly rows?: ReadonlyArray<Row>
  /** Ids of the rules behind it. */
  readonly rules: ReadonlyArray<string>
}

export interface Explanation {
  /** Of a payment its month, of other figures the month in which the plan ends. */
  readonly date: string
  /** The first one leads. */
  readonly said: ReadonlyArray<Said>
  readonly rows: ReadonlyArray<Row>
  /** What makes the figure uncertain. */
  readonly notes: ReadonlyArray<string>
  /** The steps of a month's payment; undefined for all other figures. */
  readonly steps: ReturnType<typeof explanationAnswer> | undefined
  /** Labels of the rules that the rows name. */
  readonly labels: Readonly<Record<string, string>>
}

/** What an explanation is made of. */
interface Asked {
  readonly book: ReadBook
  readonly start: StartMonth
  readonly line: Line
  readonly month: number
}
type Made = Omit<Explanation, "date" | "labels" | "steps"> & Partial<Pick<Explanation, "date" | "steps">>

const idsOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> => law.cite([{ rules }])[0]?.ids ?? []

const row = (
  role: Row["role"],
  name: string,
  value: number,
  more: Partial<Pick<Row, "formula" | "rows">> & { readonly rules?: ReadonlyArray<Rule> } = {}
): Row => ({ role, name, value, shown: dollars(value), ...more, rules: idsOf(more.rules ?? []) })

const text = (role: Row["role"], name: string, shown: string, value: number | null = null): Row => ({
  role,
  name,
  value,
  shown,
  rules: []
})

const isShown = ({ value }: Row): boolean => value !== 0

/** Amounts in dollars rounded so that they add up to their rounded sum: differences of rounded running totals. */
const addingUp = (amounts: ReadonlyArray<number>): ReadonlyArray<number> => {
  let sum = 0
  let cents = 0
  return amounts.map((amount) => {
    sum += amount
    const before = cents
    cents = toCents(sum)
    return fromCents(cents - before)
  })
}

const sumOf = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, amount) => sum + amount, 0)
const inCents = (amounts: ReadonlyArray<number>): number => fromCents(toCents(sumOf(amounts)))

const requestOf = ({ book, line }: Asked): EngineRequest => ({
  scenario: {
    ...book.household,
    planType: line.planType,
    filingStatus: line.filing ?? book.filings[0],
    // The figures of a line are those without an extra payment.
    extraMonthlyPayment: 0
  },
  loans: book.loans,
  includeYearly: false
})

const explained = (asked: Asked, month: number): Explained => {
  const outcome = explain(law, requestOf(asked), asked.start, month)
  if (outcome._tag === "Refusal") throw new RangeError("a line without a projection")
  return outcome
}

const lastOf = ({ line }: Asked): number => line.months.length - 1

/** A part of a payment: the sentence that derives it, and all others. Another plan is named, with the reason for it. */
const saidOf = ({ line, start }: Asked, part: PaymentPart): ReadonlyArray<Said> => {
  const [derived = "", ...others] = sentencesOf(law, part)
  const rest = (...sentences: ReadonlyArray<string>): ReadonlyArray<Said> =>
    sentences.length === 0 ? [] : [{ text: sentences.join(" ") }]
  const { group, planType } = part
  if (group === "beside") return [{ planType, text: derived }, ...rest(paymentTexts.beside, ...others)]
  if (group !== "successor") return [{ text: derived }, ...rest(...others)]
  const plan = planOf(line.planType)
  const end = plan.kind === "income-driven" ? endOf(law, plan, start) : 0
  return [{ planType, text: derived }, ...rest(paymentTexts.since(dateOfMonth(start, end)), ...others)]
}

/** The parts of a payment; several are named, each with its plan. */
const saidOfAll = (
  asked: Asked,
  parts: ReadonlyArray<PaymentPart>,
  date: string,
  amount: number
): ReadonlyArray<Said> => {
  if (parts.length === 0) return [{ text: paymentTexts.over(date) }]
  const [only] = parts
  if (parts.length === 1) return saidOf(asked, only!)
  const named = parts.flatMap((part) => {
    const [derived, ...rest] = saidOf(asked, part)
    return [{ planType: part.planType, text: derived!.text }, ...rest]
  })
  return [{ text: paymentTexts.several(amount, date, parts.length) }, ...named]
}

const loanSum = (
  parts: ReadonlyArray<PaymentPart>,
  amount: "toInterest" | "toPrincipal" | "toUnpaidInterest"
): number => sumOf(parts.flatMap(({ loans }) => loans.map((loan) => loan[amount])))

/** Where a payment goes. */
const applicationRules = (parts: ReadonlyArray<PaymentPart>): ReadonlyArray<Rule> => [
  ...new Set(
    parts.map(({ planType }) => {
      if (planOf(planType).kind === "fixed") return paymentApplicationOrder
      return planType === "REPAYMENT ASSISTANCE" ? rapPaymentApplication : idrPaymentAllocation
    })
  )
]

const payment = (asked: Asked, name: string): Made => {
  const whole = explained(asked, asked.month)
  const parts = whole.parts.filter(({ loans }) => loans.length > 0)
  const amount = inCents(parts.map((part) => part.payment))
  const rules = applicationRules(parts)
  const [interest, unpaid, principal] = addingUp([
    loanSum(parts, "toInterest"),
    loanSum(parts, "toUnpaidInterest"),
    loanSum(parts, "toPrincipal")
  ])
  return {
    date: whole.date,
    said: saidOfAll(asked, parts, whole.date, amount),
    rows: [
      ...[
        row("part", paymentTexts.toInterest, interest!, { rules: [interestAccrual] }),
        row("part", paymentTexts.toUnpaidInterest, unpaid!, { rules }),
        row("part", paymentTexts.toPrincipal, principal!, { rules })
      ].filter(isShown),
      row("sum", name, amount)
    ],
    notes: [],
    steps: explanationAnswer(law, whole)
  }
}

/** Months of equal payments, or of a projection year; its payments add up to a difference of rounded totals. */
interface Stretch {
  readonly from: number
  readonly until: number
  readonly least: number
  readonly most: number
  readonly paid: number
}

/** The years of a line, in which years of one payment are a single stretch. */
const stretchesOf = ({ figures, months }: Line): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  for (const { paymentsThisYear, year } of (figures.yearly ?? []).slice(1)) {
    const from = (year - 1) * MONTHS_PER_YEAR
    const until = Math.min(year * MONTHS_PER_YEAR, months.length)
    const cents = months.slice(from, until).map(toCents)
    const [least, most] = [fromCents(Math.min(...cents)), fromCents(Math.max(...cents))]
    const before = stretches.at(-1)
    if (before !== undefined && least === most && before.least === least && before.most === least)
      stretches[stretches.length - 1] = { ...before, until, paid: fromCents(toCents(before.paid + paymentsThisYear)) }
    else stretches.push({ from, until, least, most, paid: paymentsThisYear })
  }
  return stretches
}

const unfinished = ({ line }: Asked): ReadonlyArray<string> =>
  line.figures.monthsToFinish === null ? [totalsTexts.unfinished] : []

const paid = (asked: Asked, name: string): Made => {
  const { line, start } = asked
  const { totalOutOfPocket } = line.figures
  const dates = [dateOfMonth(start, 0), dateOfMonth(start, lastOf(asked))] as const
  return {
    said: [
      { text: totalsTexts.paid(line.months.length, ...dates, totalOutOfPocket) },
      { text: totalsTexts.beyondDebt(line.beyondDebt) }
    ],
    rows: [
      ...stretchesOf(line).map(({ from, least, most, paid: amount, until }) => {
        const [first, last] = [dateOfMonth(start, from), dateOfMonth(start, until - 1)]
        return row("part", totalsTexts.stretch(first, last, until - from, least, most), amount)
      }),
      row("sum", name, totalOutOfPocket)
    ],
    notes: unfinished(asked)
  }
}

const interest = (asked: Asked, name: string): Made => {
  const { line } = asked
  const { totalOutOfPocket } = line.figures
  const [principal, unpaid] = owedToday(line.figures)
  const { beyondDebt: beyond } = line
  return {
    said: [
      { text: totalsTexts.interest(beyond, totalOutOfPocket, fromCents(toCents(principal) + toCents(unpaid))) },
      { text: totalsTexts.interestNote }
    ],
    rows: [
      row("part", totalsTexts.rowPaid, totalOutOfPocket),
      row("less", totalsTexts.rowPrincipal, principal),
      ...[row("less", totalsTexts.rowInterest, unpaid)].filter(isShown),
      row("sum", name, beyond, { rules: [interestAccrual] })
    ],
    notes: unfinished(asked)
  }
}

/** What is left of the loans that are forgiven at the end of a month, and the steps that set it. */
interface ForgivenMonth {
  readonly date: string
  readonly principal: number
  readonly interest: number
  readonly rules: ReadonlyArray<Rule>
  readonly steps: ReadonlyArray<Step>
}

const forgivenIn = (asked: Asked, month: number): ForgivenMonth => {
  const { parts } = explained(asked, month)
  const all = parts.flatMap(({ loans }) => loans)
  const ended = all.filter(({ forgiven }) => forgiven > 0)
  const principal = ended.reduce((sum, { forgiven, loan }) => {
    const of = all.filter((one) => one.loan === loan)
    const lowered = sumOf(of.map(({ principalMatched, toPrincipal }) => toPrincipal + principalMatched))
    return sum + Math.min(forgiven, Math.max(...of.map((one) => one.principal)) - lowered)
  }, 0)
  const types = new Set(ended.map(({ forgivenessType }) => forgivenessType))
  return {
    date: dateOfMonth(asked.start, month),
    principal,
    interest: sumOf(ended.map(({ forgiven }) => forgiven)) - principal,
    rules: [...(types.has("TimeBased") ? [idrForgivenessCount] : []), ...(types.has("Pslf") ? [pslfTerms] : [])],
    steps: parts.flatMap(({ steps }) => steps)
  }
}

const forgivenMonths = (asked: Asked): ReadonlyArray<ForgivenMonth> => {
  const { line, start } = asked
  if (line.figures.amountForgiven === 0) return []
  const months = monthsOfForgiveness(law, requestOf(asked), start, line.months.length)
  if ("_tag" in months) throw new RangeError("a line without a projection")
  return months.map((month) => forgivenIn(asked, month))
}

const valuesOf = (steps: ReadonlyArray<Step>, term: Term): ReadonlyArray<number> =>
  steps.filter((step) => step.term === term).map(({ value }) => value)
const mostOf = (steps: ReadonlyArray<Step>, term: Term): number => Math.max(0, ...valuesOf(steps, term))

/** After how many payments a loan is forgiven, of either kind. */
const whenForgiven = (found: ReadonlyArray<ForgivenMonth>): ReadonlyArray<string> => {
  const steps = found.flatMap((one) => one.steps)
  const has = (term: Term) => steps.some((step) => step.term === term)
  return [
    ...(has("forgivenTimeBased")
      ? [forgivenTexts.timeBased(mostOf(steps, "forgivenessMonths"), valuesOf(steps, "countedMonths"))]
      : []),
    ...(has("forgivenPslf")
      ? [forgivenTexts.pslf(mostOf(steps, "servicePayments"), valuesOf(steps, "countedPayments"))]
      : [])
  ]
}

const forgiven = (asked: Asked, name: string): Made => {
  const { amountForgiven } = asked.line.figures
  const found = forgivenMonths(asked)
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined)
    return { said: [{ text: forgivenTexts.none }], rows: [row("sum", name, amountForgiven)], notes: unfinished(asked) }
  const amounts = addingUp(found.flatMap((one) => [one.principal, one.interest]))
  const total = inCents(found.flatMap((one) => [one.principal, one.interest]))
  return {
    date: last.date,
    said: [
      {
        text:
          found.length === 1
            ? forgivenTexts.lead(amountForgiven, first.date)
            : forgivenTexts.leadSeveral(amountForgiven, first.date, last.date)
      },
      ...whenForgiven(found).map((one) => ({ text: one }))
    ],
    rows: [
      ...found
        .flatMap(({ date, rules }, index) => [
          row("part", forgivenTexts.principal(date), amounts[2 * index]!, { rules, formula: forgivenTexts.formula }),
          row("part", forgivenTexts.interest(date), amounts[2 * index + 1]!, { rules: [...rules, interestAccrual] })
        ])
        .filter(isShown),
      row("sum", name, total)
    ],
    notes: unfinished(asked)
  }
}

/** The steps of the tax, year by year. */
const taxYears = (asked: Asked): ReadonlyArray<ReadonlyArray<Step>> => {
  const steps = explainTax(law, requestOf(asked), asked.start)
  if ("_tag" in steps) throw new RangeError("a line without a projection")
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

interface TaxYear {
  readonly rows: ReadonlyArray<Row>
  readonly cents: number
  readonly income: number
  readonly forgiven: number
  /** Index of the last month of the year. */
  readonly until: number
}

const taxYear = ({ book, line, start }: Asked, steps: ReadonlyArray<Step>): TaxYear => {
  const of = (term: Term) => mostOf(steps, term)
  const year = of("taxYear")
  const [from, until] = [(year - 1) * MONTHS_PER_YEAR, Math.min(year * MONTHS_PER_YEAR, line.months.length) - 1]
  const [income, amount, deduction] = [of("taxIncome"), of("taxForgiven"), of("standardDeduction")]
  const federal = fromCents(toCents(of("federalTax")))
  const taxWith = fromCents(toCents(of("federalTaxWith")))
  const state = fromCents(toCents(of("stateTax")))
  const isTaxed = valuesOf(steps, "stateTaxWith").length > 0
  const span = taxTexts.year(dateOfMonth(start, from), dateOfMonth(start, until))
  const rows = [
    text("heading", span, ""),
    row("fact", taxTexts.income, fromCents(toCents(income)), { rules: rulesOf(steps, "taxIncome") }),
    row("fact", taxTexts.forgiven, fromCents(toCents(amount)), { rules: rulesOf(steps, "taxForgiven") }),
    row("part", taxTexts.federalWith(income + amount), taxWith, {
      formula: taxTexts.taxable(income + amount, deduction, of("taxableWith")),
      rows: bracketRows(steps, "taxableWith", "federalTaxWith"),
      rules: rulesOf(steps, "standardDeduction", "federalTaxWith")
    }),
    row("less", taxTexts.federalWithout(income), fromCents(toCents(taxWith) - toCents(federal)), {
      formula: taxTexts.taxable(income, deduction, of("taxableWithout")),
      rows: bracketRows(steps, "taxableWithout", "federalTaxWithout"),
      rules: rulesOf(steps, "standardDeduction", "federalTaxWithout")
    }),
    row("fact", taxTexts.federal, federal, { rules: rulesOf(steps, "federalTax") }),
    row("part", isTaxed ? taxTexts.state(book.household.state ?? "") : taxTexts.noState, state, {
      ...(isTaxed ? { formula: taxTexts.stateFormula(of("stateTaxWith"), of("stateTaxWithout")) } : {}),
      rules: rulesOf(steps, "stateTaxWith", "stateTax")
    })
  ]
  return { rows, cents: toCents(federal) + toCents(state), income, forgiven: amount, until }
}

/** What to put aside each month so that the tax of every year is there by its end, in whole dollars. */
const putAside = (years: ReadonlyArray<TaxYear>): number => {
  let cents = 0
  return Math.max(
    ...years.map((year) => {
      cents += year.cents
      return Math.ceil(fromCents(cents) / (year.until + 1))
    })
  )
}

const withoutTax = (asked: Asked, name: string): Made => {
  const isForgiven = asked.line.figures.amountForgiven > 0
  const rules = isForgiven ? [irc108F1WorkBased] : [forgivenessTaxabilityFederal]
  return {
    said: [{ text: isForgiven ? taxTexts.pslf : taxTexts.none }],
    rows: [row("sum", name, 0, { rules })],
    notes: unfinished(asked)
  }
}

const tax = (asked: Asked, name: string): Made => {
  const { line, start } = asked
  const steps = taxYears(asked)
  if (steps.length === 0) return withoutTax(asked, name)
  const years = steps.map((one) => taxYear(asked, one))
  const [only] = years
  const last = years.at(-1)!
  const total = fromCents(sumOf(years.map(({ cents }) => cents)))
  const status = line.filing ?? asked.book.filings[0]
  const { taxYear: tables } = law.read(FEDERAL_BRACKETS[status])
  const amount = fromCents(toCents(sumOf(years.map((year) => year.forgiven))))
  const date = dateOfMonth(start, last.until)
  return {
    date,
    said: [
      { text: taxTexts.lead(amount, total) },
      {
        text:
          years.length === 1
            ? `${taxTexts.asIncome(only!.income, only!.forgiven)} ${taxTexts.once}`
            : taxTexts.severalYears(years.length)
      },
      ...(total > 0 ? [{ text: taxTexts.putAside(putAside(years), date) }] : [])
    ],
    rows: [
      ...years.flatMap(({ rows }) => rows),
      row("sum", name, total, { rules: [forgivenessTaxMethod, irc108A1Insolvency] })
    ],
    notes: [taxTexts.tables(Number(tables)), ...unfinished(asked)]
  }
}

const cost = (asked: Asked, name: string): Made => {
  const { figures } = asked.line
  const { forgivenessTaxesOwed, totalOutOfPocket } = figures
  const all = fromCents(costCents(figures))
  return {
    said: [{ text: totalsTexts.cost(totalOutOfPocket, forgivenessTaxesOwed, all) }],
    rows: [
      row("part", totalsTexts.rowPaid, totalOutOfPocket),
      ...[row("part", totalsTexts.rowTax, forgivenessTaxesOwed, { rules: [forgivenessTaxMethod] })].filter(isShown),
      row("sum", name, all)
    ],
    notes: unfinished(asked)
  }
}

const TEN_YEARS = 10

const worth = (asked: Asked, name: string): Made => {
  const { book, line, start } = asked
  const { discount } = book
  const { figures, months } = line
  const worthOf = (amount: number, month: number) => amount * (1 + discount) ** (-month / MONTHS_PER_YEAR)
  const years = Array.from({ length: Math.ceil(months.length / MONTHS_PER_YEAR) }, (_, year) => {
    const from = year * MONTHS_PER_YEAR
    const until = Math.min(from + MONTHS_PER_YEAR, months.length)
    const ofYear = months.slice(from, until)
    const dates = [dateOfMonth(start, from), dateOfMonth(start, until - 1)] as const
    return {
      name: totalsTexts.worthYear(...dates, fromCents(toCents(sumOf(ofYear)))),
      worth: sumOf(ofYear.map((one, index) => worthOf(one, from + index)))
    }
  })
  const due = months.length - 1
  const taxed = {
    name: totalsTexts.worthTax(dateOfMonth(start, due), figures.forgivenessTaxesOwed),
    worth: worthOf(figures.forgivenessTaxesOwed, due)
  }
  const all = figures.forgivenessTaxesOwed > 0 ? [...years, taxed] : years
  const shown = addingUp(all.map((one) => one.worth))
  return {
    said: [
      { text: totalsTexts.worth(line.cost, line.presentValue, discount) },
      { text: totalsTexts.worthMeans(discount, 1000 * (1 + discount) ** -TEN_YEARS) }
    ],
    rows: [
      ...all.map((one, index) => row("part", one.name, shown[index]!)),
      row("sum", name, inCents(all.map((one) => one.worth)), { formula: totalsTexts.worthFormula(discount) })
    ],
    notes: unfinished(asked)
  }
}

/** What ends the plan: its term, the payments themselves, or forgiveness. */
const endSentences = (asked: Asked): ReadonlyArray<string> => {
  const { line, start } = asked
  const { forgivenessType, monthsToFinish } = line.figures
  if (owesNothing(line.figures)) return [endTexts.nothing]
  if (monthsToFinish === null) return [endTexts.never]
  const date = dateOfMonth(start, monthsToFinish)
  const count = monthsToFinish + 1
  if (forgivenessType !== "None") {
    const found = forgivenMonths(asked)
    const last = found.at(-1)?.date ?? date
    return [
      last === date ? endTexts.forgiven(count, date) : endTexts.forgivenBefore(date, last),
      ...whenForgiven(found)
    ]
  }
  if (planOf(line.planType).kind !== "fixed") return [endTexts.repaid(count, date), endTexts.beforeForgiveness]
  // Payments that are raised to a minimum end before the term.
  const term = Math.max(...explained(asked, 0).parts.map(({ steps }) => mostOf(steps, "monthsLeft")))
  return [term === count ? endTexts.term(count, date) : endTexts.repaid(count, date)]
}

const endRules = ({ line }: Asked): ReadonlyArray<Rule> => {
  const plan = planOf(line.planType)
  if (plan.kind === "fixed") return plan.terms
  const isRap = line.planType === "REPAYMENT ASSISTANCE"
  return [
    line.figures.forgivenessType === "Pslf" ? pslfTerms : idrForgivenessCount,
    ...(isRap ? [rapPrincipalMatch] : [])
  ]
}

const ends = (asked: Asked, name: string): Made => {
  const { line, start } = asked
  const { monthsToFinish } = line.figures
  const first = monthName(dateOfMonth(start, 0))
  const last = monthsToFinish === null ? endTexts.notWithin : monthName(dateOfMonth(start, monthsToFinish))
  return {
    said: endSentences(asked).map((one) => ({ text: one })),
    rows: [
      text("fact", endTexts.first, first),
      text("fact", endTexts.count, String(line.months.length)),
      { ...text("sum", name, last, monthsToFinish), rules: idsOf(endRules(asked)) }
    ],
    notes: []
  }
}

const MAKERS: Readonly<Record<Figure, (asked: Asked, name: string) => Made>> = {
  first: payment,
  highest: payment,
  paid,
  interest,
  forgiven,
  tax,
  cost,
  worth,
  ends
}

const idsIn = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.flatMap(({ rules }) => rules)

/** The figure's name in its last row: other months than its own may be asked for. */
const nameOf = ({ line, month, start }: Asked, figure: Figure): string => {
  const isOther = (figure === "first" && month !== 0) || (figure === "highest" && month !== line.highestMonth)
  return isOther ? dialogTexts.payment(dateOfMonth(start, month)) : dialogTexts.figures[figure]
}

export const explanationOf = (asked: Asked, figure: Figure): Explanation => {
  const made = MAKERS[figure](asked, nameOf(asked, figure))
  const ids = new Set(idsIn(made.rows))
  return {
    date: dateOfMonth(asked.start, lastOf(asked)),
    steps: undefined,
    ...made,
    labels: Object.fromEntries([...ids].map((id) => [id, ruleById(id).label]))
  }
}
