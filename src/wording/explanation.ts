/**
 * An explained payment in words: of each step its name, its unit and its formula, and of each rule behind one its citation.
 * The values are the engine's. Numbers of the law are read from the ledger.
 */
import type { Rule } from "../../ledger/entry.ts"
import { ruleById } from "../../ledger/index.ts"
import { standardPlanTerms } from "../../ledger/rules/fixed-plans.ts"
import { idrSmallPaymentRule, tenYearCapBasis, tenYearCapFloor } from "../../ledger/rules/income-based.ts"
import { icrMinimumPayment, icrTerms } from "../../ledger/rules/income-contingent.ts"
import { rapDependentReduction } from "../../ledger/rules/repayment-assistance.ts"
import type { ExplainResult, ExplanationStep } from "../../schema/explanation.ts"
import type { Explanation, PaymentPart } from "../engine/explanation.ts"
import type { Law } from "../engine/law/law.ts"
import type { Step, Term } from "../engine/note.ts"
import type { LoanMonth } from "../engine/schedule/month.ts"

/** A formula, with numbers of the law where it has some. */
type Formula = string | ((law: Law) => string)
type Words = readonly [name: string, unit: string, formula: Formula]

const DOLLARS = "US dollars"
const A_MONTH = "US dollars a month"
const A_YEAR = "US dollars a year"
const FRACTION = "fraction"
const MONTHS = "months"

const ofHousehold = {
  incomeBase: ["income base", A_YEAR, "adjusted gross income, and the spouse's on a joint return"],
  income: [
    "income of the year",
    A_YEAR,
    "income base x (1 + annualIncomeGrowth), once for each full year before the month"
  ],
  ownDebt: ["own debt", DOLLARS, "principal + unpaid interest of the plan's own loans at the start"],
  spouseDebt: ["spouse's debt", DOLLARS, "spouseFederalLoanBalance"],
  share: ["share of the joint payment", FRACTION, "own debt / (own debt + spouse's debt)"],
  familySize: ["family size", "persons", "the borrower, the spouse on a joint return, the dependents"],
  povertyGuideline: [
    "poverty guideline",
    A_YEAR,
    "first person + (family size - 1) x each additional person, by place of residence"
  ],
  povertyMultiple: ["multiple of the guideline", FRACTION, "of the plan"],
  discretionaryIncome: [
    "discretionary income",
    A_YEAR,
    "income of the year - multiple of the guideline x poverty guideline, at least 0"
  ]
} as const satisfies Partial<Record<Term, Words>>

const ofIncome = {
  graduateShare: ["graduate share", FRACTION, "original amounts of graduate loans / original amounts of all loans"],
  paymentRate: ["payment rate", FRACTION, "of the plan; under SAVE weighted by the graduate share"],
  incomePayment: [
    "payment by income",
    A_MONTH,
    "payment rate x discretionary income / 12 x share of the joint payment"
  ],
  tenYearPayment: [
    "ten-year payment",
    A_MONTH,
    (law) => `sum of the level payments that repay each loan in ${law.read(tenYearCapBasis).months} months`
  ],
  paymentCap: ["cap", A_MONTH, (law) => `ten-year payment, at least ${law.read(tenYearCapFloor).monthly}`],
  twelveYearPayment: [
    "twelve-year payment",
    A_MONTH,
    (law) => `sum of the level payments that repay each loan in ${law.read(icrTerms).amortizationMonths} months`
  ],
  incomePercentage: [
    "income percentage factor",
    "percent",
    "linear between the rows of the table of factors, rounded to two decimals"
  ],
  factoredPayment: ["payment by debt", A_MONTH, "income percentage factor / 100 x twelve-year payment"],
  lesserPayment: ["lesser payment", A_MONTH, "the lesser of the payment by income and the cap, or the payment by debt"],
  smallRuledPayment: [
    "payment of the plan",
    A_MONTH,
    (law) => {
      const { from5Below10, raisedBelow, zeroBelow } = law.read(idrSmallPaymentRule)
      return `the payment above; 0 where that is below ${zeroBelow}, ${from5Below10} where it is below ${raisedBelow}`
    }
  ],
  raisedPayment: [
    "payment of the plan",
    A_MONTH,
    (law) => `lesser payment, at least ${law.read(icrMinimumPayment).minimumWhenPositive} unless it is 0`
  ],
  bandRate: ["rate of the band", FRACTION, "of the band that holds the income of the year; a band includes its end"],
  annualPayment: [
    "base payment",
    A_YEAR,
    "rate of the band x income of the year, or the flat amount of the lowest band"
  ],
  dependentReduction: [
    "reduction for dependents",
    A_MONTH,
    (law) => `${law.read(rapDependentReduction).perDependentMonthly} x dependents`
  ],
  reducedPayment: [
    "reduced payment",
    A_MONTH,
    "(base payment / 12 - reduction for dependents) x share of the joint payment"
  ],
  minimumPayment: ["minimum", A_MONTH, "of the plan"],
  atLeastMinimum: ["payment of the plan", A_MONTH, "reduced payment, at least the minimum"]
} as const satisfies Partial<Record<Term, Words>>

const ofTerms = {
  consolidationBase: [
    "consolidation balance",
    DOLLARS,
    "consolidation loans of the program + other loans up to the same amount"
  ],
  tierBalance: ["tier balance", DOLLARS, "principal + unpaid interest of all loans"],
  term: ["term", MONTHS, "of the plan, or of the table for the balance"],
  monthsBehind: ["months behind", MONTHS, "months of the term that are counted already"],
  monthsLeft: ["months left", MONTHS, "term - months behind"],
  balance: ["balance", DOLLARS, "principal + unpaid interest at the start"],
  monthlyRate: ["rate a month", FRACTION, "interestRate / 12"],
  levelPayment: [
    "level payment",
    A_MONTH,
    "balance x rate / (1 - (1 + rate)^-months), with the rate a month and the months left (STANDARD beside a plan: the term)"
  ],
  allLevelPayments: ["all level payments", A_MONTH, "sum over the loans"],
  raise: ["raise", "factor", (law) => `${law.read(standardPlanTerms).minimumMonthly} / all level payments`],
  levels: ["levels", "levels", "months left / months of a level, rounded up"],
  levelRatio: [
    "ratio of the levels",
    "factor",
    "each level over the one before: the last level is three times the first"
  ],
  firstLevel: ["first level", A_MONTH, "the payment whose levels repay the balance; at least the interest of a month"],
  scheduledPayment: ["scheduled payment", A_MONTH, "level payment x raise, or first level x ratio for each level since"]
} as const satisfies Partial<Record<Term, Words>>

const ofMonth = {
  interestAccrued: ["interest of the month", DOLLARS, "principal x interestRate / 12, over the loans"],
  owed: ["owed", DOLLARS, "principal + unpaid interest + interest of the month"],
  payment: ["payment", DOLLARS, "payment of the plan, or what is owed where that is less"],
  loanPayments: [
    "payment",
    DOLLARS,
    "of each loan its scheduled payment, or what it owes where that is less; the last month of a term pays what is owed"
  ],
  toInterest: ["to the interest of the month", DOLLARS, "the payment, up to the interest of the month"],
  toUnpaidInterest: [
    "to unpaid interest",
    DOLLARS,
    "what then is left of the payment, up to the older unpaid interest"
  ],
  toPrincipal: ["to principal", DOLLARS, "what then is left of the payment"],
  interestWaived: ["interest waived", DOLLARS, "the part of the uncovered interest of the month that is waived"],
  interestAdded: [
    "interest added",
    DOLLARS,
    "uncovered interest of the month that is not waived joins the unpaid interest"
  ],
  principalMatched: ["principal matched", DOLLARS, "what principal falls by beyond the payment's part of it"],
  forgiven: ["forgiven", DOLLARS, "what is left of loans that have all their counted payments with this one"]
} as const satisfies Partial<Record<Term, Words>>

/** Every step that the engine tells. */
const WORDS: Readonly<Record<Term, Words>> = { ...ofHousehold, ...ofIncome, ...ofTerms, ...ofMonth }

const SIGNIFICANT_DIGITS = 12
/** Doubles show their noise in the last digits; none of it is shown, and cents are not rounded to. */
const plain = (value: number): number => Number(value.toPrecision(SIGNIFICANT_DIGITS))

const idsOf = (law: Law, rules: ReadonlyArray<Rule>): ReadonlyArray<string> => law.cite([{ rules }])[0]?.ids ?? []

const stepOf =
  (law: Law) =>
  ({ loan, rules, term, value }: Step): ExplanationStep => {
    const [name, unit, formula] = WORDS[term]
    const text = typeof formula === "string" ? formula : formula(law)
    return { term, name, loan, value: plain(value), unit, formula: text, rules: [...new Set(idsOf(law, rules))] }
  }

const loanOf = (loan: LoanMonth): LoanMonth =>
  Object.fromEntries(Object.entries(loan).map(([name, value]) => [name, plain(value)])) as unknown as LoanMonth

const partOf = (law: Law, part: PaymentPart): ExplainResult["parts"][number] => ({
  group: part.group,
  planType: part.planType,
  payment: plain(part.payment),
  steps: part.steps.map(stepOf(law)),
  loans: part.loans.map(loanOf)
})

const ruleOf = (id: string): ExplainResult["rules"][number] => {
  const { effectiveDate, label, lastVerified, source } = ruleById(id)
  return { id, label, citation: source.note, authority: source.authority, url: source.url, effectiveDate, lastVerified }
}

/** The explanation, but for who computed it. */
export const explanationAnswer = (
  law: Law,
  explanation: Explanation
): Omit<ExplainResult, "notes" | "computedBy" | "computedAtUtc" | "ruleVersion"> => {
  const parts = explanation.parts.map((part) => partOf(law, part))
  const ids = new Set(parts.flatMap(({ steps }) => steps.flatMap(({ rules }) => rules)))
  return {
    label: explanation.label,
    planType: explanation.planType,
    month: explanation.month + 1,
    date: explanation.date,
    payment: explanation.paymentInCents,
    parts,
    rules: [...ids].map(ruleOf)
  }
}
