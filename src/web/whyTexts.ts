/** The texts of an explanation: sentences in dollars, names of its rows, and the words of the dialog. */
import { counted, dollars, month as monthName, percent, wholeDollars } from "../messages/figures.ts"
import { STATES } from "./names.ts"

const CENTS = 100

/** Whole dollars without their cents: $58,000, but $241.67. */
const money = (amount: number): string => {
  const cents = Math.round(amount * CENTS)
  return cents % CENTS === 0 ? wholeDollars(cents / CENTS) : dollars(cents / CENTS)
}

const monthly = (amount: number): string => `${money(amount)} a month`
const span = (from: string, to: string): string =>
  from === to ? monthName(from) : `${monthName(from)} to ${monthName(to)}`

/** The sentences that derive a payment that follows income. */
export const byIncomeTexts = {
  band: (income: number, rate: number, annual: number) =>
    `${money(income)} a year is in the ${percent(rate)} band. ${percent(rate)} of ${money(income)} is ${money(annual)} a year, or ${monthly(annual / 12)}.`,
  flat: (income: number, annual: number) =>
    `With an income of ${money(income)} a year, the payment is ${money(annual)} a year, or ${monthly(annual / 12)}.`,
  noDependents: "You have no dependents, so nothing is taken off.",
  dependents: (count: number, each: number, left: number) =>
    `${money(each)} is taken off for ${count === 1 ? "one dependent" : `each of ${count} dependents`}, which leaves ${money(left)}.`,
  share: (share: number, payment: number) =>
    `Your loans are ${percent(share)} of both spouses' loans, so you pay ${percent(share)} of it: ${money(payment)}.`,
  grown: (from: number, to: number) =>
    to > from
      ? `By then your income has risen from ${money(from)} to ${money(to)} a year.`
      : `By then your income has fallen from ${money(from)} to ${money(to)} a year.`,
  minimum: (minimum: number) => `That is less than the minimum, so you pay ${money(minimum)}.`,
  notAbove: (income: number, line: number) =>
    `${money(income)} a year isn't above ${money(line)}, so the payment is $0.`,
  above: (income: number, line: number, rate: number) =>
    `${money(income)} a year is ${money(income - line)} above ${money(line)}. ${percent(rate)} of that is ${money(rate * (income - line))} a year, or ${monthly((rate * (income - line)) / 12)}.`,
  line: (line: number, multiple: number, family: number) =>
    multiple === 1
      ? `${money(line)} is the poverty guideline for a family of ${family}.`
      : `${money(line)} is ${percent(multiple)} of the poverty guideline for a family of ${family}.`,
  directPart: (payment: number, isShared: boolean) =>
    `Your part of it is ${money(payment)}. The rest is for your FFEL loans, which this plan can't take${isShared ? ", and for your spouse's loans" : ""}.`,
  capped: (cap: number) =>
    `10-year Standard payments on these loans are ${monthly(cap)}, and you never pay more than that.`,
  uncapped: (cap: number) =>
    `The most you'd ever pay on this plan is ${money(cap)}, as on a Standard plan of ten full years.`,
  byDebt: (factor: number, twelveYear: number, payment: number) =>
    `${factor}% of ${money(twelveYear)}, a 12-year payment on these loans, is ${monthly(payment)}.`,
  smaller: "The plan takes the smaller of the two.",
  small: (payment: number) => `Very small payments are rounded, so you pay ${money(payment)}.`
}

/** The sentences that derive a payment over a term. */
export const overTermTexts = {
  one: (balance: number, rate: number, months: number, payment: number) =>
    `${money(balance)} at ${percent(rate)} over ${months} months comes to ${monthly(payment)}.`,
  several: (balance: number, loans: number, months: ReadonlyArray<number>, payment: number) => {
    const [shortest, longest] = [Math.min(...months), Math.max(...months)]
    const term = shortest === longest ? `${shortest}` : `${shortest} to ${longest}`
    return `${money(balance)} in ${loans} loans, each at its own rate over ${term} months, comes to ${monthly(payment)}.`
  },
  raised: (minimum: number) => `That is raised to the minimum of ${monthly(minimum)}.`,
  even: (balance: number, payment: number) =>
    `${money(balance)} is repaid at ${monthly(payment)}, the same every month.`,
  rising: (balance: number, months: number, payment: number, first: number, stepMonths: number) =>
    payment > first + 0.005
      ? `${money(balance)} over ${months} months starts at ${monthly(first)}. It rises every ${stepMonths} months, and by then it is ${money(payment)}.`
      : `${money(balance)} over ${months} months starts at ${monthly(payment)} and rises every ${stepMonths} months.`
}

/** Sentences about one payment. */
export const paymentTexts = {
  several: (payment: number, date: string, parts: number) =>
    `You'd pay ${money(payment)} in ${monthName(date)}, in ${parts} parts.`,
  since: (date: string) => `Your plan closes, so these loans move here in ${monthName(date)}.`,
  beside: "Your plan can't take these loans, so they are repaid separately.",
  onlyOwed: (payment: number) => `Less than that is owed by then, so you pay what is left: ${money(payment)}.`,
  last: (payment: number) => `In the last month you pay what is still owed: ${money(payment)}.`,
  paused: (date: string) => `Nothing is due in ${monthName(date)}: your loans are paused.`,
  others: (loans: number) => `Nothing is due on ${counted(loans, "paused loan")}.`,
  over: (date: string) => `Nothing is owed in ${monthName(date)}.`,
  toInterest: "To this month's interest",
  toUnpaidInterest: "To older unpaid interest",
  toPrincipal: "To the balance"
}

const beyondDebt = (amount: number): string =>
  amount < 0
    ? `That is ${money(-amount)} less than you owe today.`
    : `That is ${money(amount)} more than you owe today.`

/** Sentences and rows of the totals. */
export const totalsTexts = {
  paid: (count: number, first: string, last: string, paid: number) =>
    `You'd make ${counted(count, "payment")}, ${span(first, last)}. Together they come to ${money(paid)}.`,
  beyondDebt,
  stretch: (first: string, last: string, count: number, least: number, most: number) =>
    `${span(first, last)}: ${counted(count, "payment")} ${least === most ? `of ${dollars(least)}` : `from ${dollars(least)} to ${dollars(most)}`}`,
  interest: (beyond: number, paid: number, owed: number) =>
    beyond < 0
      ? `You'd pay ${money(paid)} on the ${money(owed)} that you owe today: ${money(-beyond)} less.`
      : `You'd pay ${money(paid)} on the ${money(owed)} that you owe today: ${money(beyond)} more.`,
  interestNote:
    "That is what you pay beyond today's debt, not all of the interest: what is waived, matched or forgiven isn't in it.",
  rowPaid: "You pay until the end",
  rowPrincipal: "Balances today",
  rowInterest: "Unpaid interest today",
  rowTax: "Tax on what is forgiven",
  cost: (paid: number, tax: number, cost: number) =>
    tax === 0
      ? `There is no tax to add: your payments of ${money(paid)} are all you pay.`
      : `${money(paid)} in payments and ${money(tax)} in tax come to ${money(cost)}.`,
  worth: (cost: number, worth: number, rate: number) =>
    `Counted in today's money at ${percent(rate)} a year, the ${money(cost)} you'd pay is worth ${money(worth)}.`,
  worthMeans: (rate: number, tenYears: number) =>
    `Money paid later counts for less. At ${percent(rate)} a year, $1,000 paid ten years from now counts as ${money(tenYears)}. It isn't money that you save.`,
  worthYear: (first: string, last: string, paid: number) => `${span(first, last)}: ${dollars(paid)} paid`,
  worthTax: (date: string, tax: number) => `${monthName(date)}: ${dollars(tax)} in tax`,
  worthFormula: (rate: number) =>
    `Each payment / (1 + ${percent(rate)})^(months from the first one / 12); the tax counts as paid with the last payment.`,
  unfinished: "After 50 years something would still be owed, so these are the figures of 50 years."
}

/** A sentence about the counted payments of each loan. */
const alreadyCounted = (counts: ReadonlyArray<number>): string => {
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  if (counts.length === 0 || most === 0) return ""
  return ` So far ${least === most ? most : `${least} to ${most}`} ${most === 1 ? "is" : "are"} counted.`
}

/** Sentences and rows of the forgiveness. */
export const forgivenTexts = {
  none: "Nothing is forgiven, because your payments pay off the loans.",
  lead: (amount: number, date: string) => `${money(amount)} is left, and is forgiven in ${monthName(date)}.`,
  leadSeveral: (amount: number, first: string, last: string) =>
    `${money(amount)} is forgiven in all, loan after loan, between ${monthName(first)} and ${monthName(last)}.`,
  timeBased: (needed: number, already: ReadonlyArray<number>) =>
    `After ${needed} monthly payments, the plan forgives the rest of a loan.${alreadyCounted(already)}`,
  pslf: (needed: number, already: ReadonlyArray<number>) =>
    `After ${needed} payments, public service forgives the rest of a loan.${alreadyCounted(already)}`,
  principal: (date: string) => `Balance left in ${monthName(date)}`,
  interest: (date: string) => `Unpaid interest left in ${monthName(date)}`,
  formula: "What is owed at the start of the month, with the month's interest, less its payment."
}

/** Sentences and rows of the tax on forgiveness. */
export const taxTexts = {
  none: "There is no tax, because nothing is forgiven.",
  pslf: "There is no federal tax: what public service forgives isn't income.",
  lead: (forgiven: number, tax: number) =>
    tax === 0
      ? `${money(forgiven)} is forgiven, and it would add no tax.`
      : `${money(forgiven)} is forgiven, and you'd owe about ${wholeDollars(tax)} in tax on it.`,
  asIncome: (income: number, forgiven: number) =>
    `Tax law counts forgiven debt as income. Your income that year would be ${money(income)}, so you'd be taxed as if it were ${money(income + forgiven)}.`,
  severalYears: (years: number) =>
    `Tax law counts forgiven debt as income. Your loans are forgiven in ${years} different years, so each year is taxed on its own.`,
  once: "You'd pay this once, with that year's tax return.",
  putAside: (amount: number, date: string) =>
    `To have it ready by ${monthName(date)}, put aside ${wholeDollars(amount)} a month from now on.`,
  tables: (year: number) =>
    `This uses the tax tables of ${year}; later ones will differ. If you owe more than you own when the debt is forgiven, part of it may not be taxed.`,
  year: (first: string, last: string) => `The year from ${span(first, last)}`,
  income: "Income of the year",
  forgiven: "Forgiven",
  federalWith: (income: number) => `Federal tax on ${money(income)}, with what is forgiven`,
  federalWithout: (income: number) => `Federal tax on ${money(income)}, without it`,
  federal: "More federal tax",
  state: (state: string) => `${STATES[state as keyof typeof STATES] ?? state}: more state tax`,
  notAdded: {
    none: () => "State tax: this state adds none",
    state: (state: string) => `State tax of ${state}: not counted, and it may come on top`,
    territory: (state: string) => `Tax of ${STATES[state as keyof typeof STATES] ?? state} itself: not counted`
  },
  taxable: (income: number, deduction: number, taxable: number) =>
    `${money(income)} − ${money(deduction)} standard deduction, at least 0: ${money(taxable)} is taxable`,
  bracket: (rate: number, slice: number) => `${percent(rate)} of ${money(slice)}`,
  stateFormula: (taxWith: number, taxWithout: number) =>
    `State tax with what is forgiven − state tax without it: ${dollars(taxWith)} − ${dollars(taxWithout)}.`
}

/** Sentences and rows of the end. */
export const endTexts = {
  term: (months: number, date: string) =>
    `The term has ${counted(months, "month")} left, so the last payment is in ${monthName(date)}.`,
  repaid: (count: number, date: string) =>
    `The loans take ${counted(count, "payment")} to repay. The last one is in ${monthName(date)}.`,
  beforeForgiveness: "By then, nothing is left to forgive.",
  forgivenBefore: (date: string, forgivenBy: string) =>
    `The last payment is in ${monthName(date)}, after the last forgiveness in ${monthName(forgivenBy)}.`,
  forgiven: (count: number, date: string) =>
    `After ${counted(count, "more payment")}, what is left is forgiven in ${monthName(date)}.`,
  nothing: "Nothing is owed.",
  never: "The loans aren't repaid or forgiven within 50 years.",
  first: "First payment",
  count: "Payments",
  notWithin: "not within 50 years"
}

/** The page's words for request members in formulas. */
const MEMBERS: Readonly<Record<string, string>> = {
  annualIncomeGrowth: "yearly raise",
  annualPriceGrowth: "yearly rise of prices",
  interestRate: "yearly interest rate",
  idrMonthsInRepayment: "months already counted",
  pslfCount: "public service payments already counted",
  spouseFederalLoanBalance: "the spouse's federal loans",
  disbursedAmount: "amount first borrowed",
  principalBalance: "balance today",
  extraMonthlyPayment: "extra payment"
}

/** A formula in the page's words instead of request members. */
export const formulaText = (formula: string): string =>
  Object.entries(MEMBERS).reduce((text, [member, name]) => text.replaceAll(member, name), formula)

/** The words of the dialog. */
export const dialogTexts = {
  close: "Close",
  computing: "Computing…",
  figures: {
    first: "First payment",
    highest: "Highest payment",
    paid: "You pay until the end",
    interest: "Paid beyond today's debt",
    forgiven: "Forgiven",
    tax: "Tax on what is forgiven",
    cost: "You pay in all",
    worth: "Worth in today's money",
    ends: "Done"
  },
  payment: (date: string) => `Payment of ${monthName(date)}`,
  month: "Which payment",
  ofMonths: (count: number) => `of ${count}`,
  steps: "Step by step",
  formula: "Show the formula",
  rule: "Show the rule",
  loan: (number: number) => `Loan ${number}`,
  rules: "The rules and their sources",
  leavesOut: "What these figures leave out",
  others: "Other figures of this plan"
}
