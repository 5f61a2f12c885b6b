/** A month's payment in sentences, which derive each part from income, or from balance, rate and term. */
import { graduatedSchedule, standardPlanTerms } from "../../../../ledger/rules/fixed-plans.ts"
import { rapDependentReduction } from "../../../../ledger/rules/repayment-assistance.ts"
import { type Law, MONTHS_PER_YEAR, type PaymentPart, type Step, type Term } from "../../../engine/index.ts"
import { byIncomeTexts, overTermTexts, paymentTexts } from "../../whyTexts.ts"

/** Half a cent: amounts that differ by less read the same. */
const SAME_BELOW = 0.005

const isLess = (amount: number, than: number): boolean => amount < than - SAME_BELOW

/** The values of a part's steps, for all loans together and for each loan. */
class Values {
  private readonly steps: ReadonlyArray<Step>
  constructor(steps: ReadonlyArray<Step>) {
    this.steps = steps
  }
  /** The last value, because a later step may repeat an earlier one. */
  find(term: Term): number | undefined {
    return this.steps.findLast((step) => step.term === term && step.loan === null)?.value
  }
  of(term: Term): number {
    return this.find(term) ?? 0
  }
  ofLoans(term: Term): ReadonlyArray<number> {
    return this.steps.filter((step) => step.term === term && step.loan !== null).map(({ value }) => value)
  }
  sum(term: Term): number {
    return this.ofLoans(term).reduce((sum, value) => sum + value, 0)
  }
}

/** RAP: a percentage of the whole income, less an amount for each dependent. */
const repaymentAssistance = (law: Law, values: Values): ReadonlyArray<string> => {
  const [income, annual] = [values.of("income"), values.of("annualPayment")]
  const [rate, reduction] = [values.find("bandRate"), values.find("dependentReduction")]
  const reduced = values.of("reducedPayment")
  const share = values.find("share")
  const base = rate === undefined ? byIncomeTexts.flat(income, annual) : byIncomeTexts.band(income, rate, annual)
  const { perDependentMonthly } = law.read(rapDependentReduction)
  const left = annual / MONTHS_PER_YEAR - (reduction ?? 0)
  const off =
    reduction === undefined
      ? byIncomeTexts.noDependents
      : byIncomeTexts.dependents(Math.round(reduction / perDependentMonthly), perDependentMonthly, Math.max(0, left))
  return [
    `${base} ${off}`,
    ...(share === undefined ? [] : [byIncomeTexts.share(share, Math.max(0, reduced))]),
    ...(isLess(reduced, values.of("atLeastMinimum")) ? [byIncomeTexts.minimum(values.of("minimumPayment"))] : [])
  ]
}

/**
 * Other plans by income: a percentage of the income above a multiple of the poverty guideline. IBR
 * and PAYE have a cap; ICR is the smaller of two amounts. The deciding amount comes first.
 */
const byIncome = (values: Values): ReadonlyArray<string> => {
  const [income, rate, multiple] = [values.of("income"), values.of("paymentRate"), values.of("povertyMultiple")]
  const line = multiple * values.of("povertyGuideline")
  const isAbove = values.of("discretionaryIncome") >= SAME_BELOW
  const share = values.find("share")
  const isDivided = share !== undefined || values.find("directPart") !== undefined
  const asked = values.of("incomePayment")
  const cap = values.find("paymentCap")
  const factored = values.find("factoredPayment")
  const derived = [
    isAbove ? byIncomeTexts.above(income, line, rate) : byIncomeTexts.notAbove(income, line),
    byIncomeTexts.line(line, multiple, values.of("familySize")),
    ...(isAbove && isDivided
      ? [
          share !== undefined && values.find("directPart") === undefined
            ? byIncomeTexts.share(share, asked)
            : byIncomeTexts.directPart(asked, share !== undefined)
        ]
      : [])
  ]
  if (cap !== undefined && isLess(cap, asked)) return [byIncomeTexts.capped(cap), ...derived]
  if (factored === undefined) return [...derived, ...(cap === undefined ? [] : [byIncomeTexts.uncapped(cap)])]
  const byDebt = byIncomeTexts.byDebt(values.of("incomePercentage"), values.of("twelveYearPayment"), factored)
  const both = isLess(factored, asked) ? [byDebt, ...derived] : [...derived, byDebt]
  return [...both, byIncomeTexts.smaller]
}

/** Small payments are rounded up or down. */
const rounded = (values: Values): ReadonlyArray<string> => {
  const limited = values.find("cappedPayment") ?? values.find("lesserPayment") ?? values.of("incomePayment")
  const payment = values.find("smallRuledPayment") ?? values.find("raisedPayment") ?? limited
  return Math.abs(payment - limited) < SAME_BELOW ? [] : [byIncomeTexts.small(payment)]
}

/** A fixed plan: level payments over a term, perhaps raised to a minimum, or payments that rise. */
const overTerm = (law: Law, values: Values): ReadonlyArray<string> => {
  const balances = values.ofLoans("balance")
  const balance = values.sum("balance")
  // Loans that the plan cannot take have a fresh term.
  const left = values.ofLoans("monthsLeft")
  const months = left.length > 0 ? left : values.ofLoans("term")
  const payment = values.sum("scheduledPayment")
  if (values.ofLoans("firstLevel").length > 0) {
    if (values.ofLoans("levelRatio").every((ratio) => ratio === 1)) return [overTermTexts.even(balance, payment)]
    const { stepMonths } = law.read(graduatedSchedule)
    return [overTermTexts.rising(balance, Math.max(...months), payment, values.sum("firstLevel"), stepMonths)]
  }
  const level = values.sum("levelPayment")
  const [rate = 0] = values.ofLoans("monthlyRate")
  return [
    balances.length === 1
      ? overTermTexts.one(balance, rate * MONTHS_PER_YEAR, months[0] ?? 0, level)
      : overTermTexts.several(balance, balances.length, months, level),
    ...(values.find("raise") !== undefined || values.find("tieredRaise") !== undefined
      ? [overTermTexts.raised(law.read(standardPlanTerms).minimumMonthly)]
      : [])
  ]
}

/** The plan's payment for the month, before it is limited to the debt. */
const askedOf = (values: Values): number =>
  values.find("atLeastMinimum") ??
  values.find("smallRuledPayment") ??
  values.find("raisedPayment") ??
  values.sum("scheduledPayment")

/** The sentences of a part of a payment. The first sentence derives the part. */
export const sentencesOf = (law: Law, { loans, payment, steps }: PaymentPart): ReadonlyArray<string> => {
  const open = new Set(loans.map(({ loan }) => loan))
  const values = new Values(steps.filter(({ loan }) => loan === null || open.has(loan)))
  const asked = askedOf(values)
  const isByIncome = values.find("income") !== undefined
  const derived = values.find("annualPayment")
    ? repaymentAssistance(law, values)
    : isByIncome
      ? [...byIncome(values), ...rounded(values)]
      : overTerm(law, values)
  return [
    ...derived,
    ...(isByIncome && Math.abs(values.of("income") - values.of("incomeBase")) >= SAME_BELOW
      ? [byIncomeTexts.grown(values.of("incomeBase"), values.of("income"))]
      : []),
    ...(isLess(payment, asked) ? [paymentTexts.onlyOwed(payment)] : []),
    ...(isLess(asked, payment) ? [paymentTexts.last(payment)] : [])
  ]
}
