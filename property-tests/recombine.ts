/**
 * The check of an explained payment: its steps are computed again by the plain arithmetic of the
 * plans. Numbers of the law are typed here a second time, and no code of the engine is used. Each
 * problem is a sentence.
 */
import type { ProjectionRequest } from "../schema/projection.ts"
import type { Explanation, PaymentPart } from "../src/engine/explanation.ts"

type Loan = ProjectionRequest["loans"][number]

/**
 * Equality within floating-point error and `slack`, such as half a cent for a loan that was closed.
 */
const isClose = (a: number, b: number, slack = 0): boolean =>
  Math.abs(a - b) <= 1e-7 + slack + 1e-9 * Math.max(Math.abs(a), Math.abs(b))

const total = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, amount) => sum + amount, 0)

const toThreshold = (value: number): number => Math.round(value * 1e6) / 1e6

const level = (balance: number, yearlyRate: number, months: number): number => {
  const rate = yearlyRate / 12
  return rate === 0 ? balance / months : (balance * rate) / -Math.expm1(-months * Math.log1p(rate))
}

const balanceOf = (loan: Loan): number => loan.principalBalance + loan.interestBalance

type Pause = NonNullable<ProjectionRequest["scenario"]["pauses"]>[number]
/** The pause of a loan in a month counted from 0. */
type PauseIn = (loan: number, month: number) => Pause | undefined

/** Months since year 0, by year and month. */
const monthOf = (text: string): number => 12 * Number(text.slice(0, 4)) + Number(text.slice(5, 7))

const pausesOf = ({ scenario: { pauses } }: ProjectionRequest, { date, month: told }: Explanation): PauseIn => {
  const start = monthOf(date) - told
  return (loan, month) =>
    pauses?.find(
      ({ from, loans, until }) =>
        (loans === null || loans.includes(loan)) &&
        (from === null || monthOf(from) <= start + month) &&
        start + month < monthOf(until)
    )
}

/**
 * The comparison of the steps of one part of a payment, which is that of one plan, with their
 * expected values.
 */
class PartCheck {
  readonly problems: Array<string> = []
  readonly part: PaymentPart
  readonly pauseIn: PauseIn

  constructor(part: PaymentPart, pauseIn: PauseIn) {
    this.part = part
    this.pauseIn = pauseIn
  }

  /** The number of months before one in which a loan was due. */
  dueMonths(loan: number, before: number): number {
    let count = 0
    for (let month = 0; month < before; month++) if (this.pauseIn(loan, month) === undefined) count++
    return count
  }

  /** The first of the due months of a loan without a pause up to one. */
  dueSince(loan: number, month: number): number {
    let since = month
    while (since > 0 && this.pauseIn(loan, since - 1) === undefined) since--
    return since
  }

  has(term: string, loan: number | null = null): boolean {
    return this.part.steps.some((step) => step.term === term && step.loan === loan)
  }

  of(term: string, loan: number | null = null): number {
    const found = this.part.steps.filter((step) => step.term === term && step.loan === loan)
    if (found.length !== 1) this.problems.push(`${this.part.planType}: ${term} is told ${found.length} times`)
    return found[0]?.value ?? Number.NaN
  }

  is(what: string, value: number, expected: number, slack = 0): void {
    if (!isClose(value, expected, slack)) this.problems.push(`${this.part.planType}: ${what} ${value}, not ${expected}`)
  }

  expectStep(term: string, expected: number, loan: number | null = null): void {
    this.is(term, this.of(term, loan), expected)
  }
}

/** The household in a projection year, from the scenario and its changes one after the other. */
const inForce = ({ scenario }: ProjectionRequest, month: number) => {
  let { dependents, familySize, filingStatus } = scenario
  let [own, spouse, debt] = [
    scenario.adjustedGrossIncome,
    scenario.spouseAdjustedGrossIncome ?? 0,
    scenario.spouseFederalLoanBalance ?? 0
  ]
  const all = () => own + (filingStatus === "MarriedFilingJointly" ? spouse : 0)
  let base = all()
  for (let year = 1; year <= Math.floor(month / 12); year++) {
    own *= 1 + scenario.annualIncomeGrowth
    spouse *= 1 + scenario.annualIncomeGrowth
    const change = scenario.changes?.find(({ fromYear }) => fromYear === year + 1)
    if (change === undefined) continue
    own = change.adjustedGrossIncome ?? own
    spouse = change.spouseAdjustedGrossIncome ?? spouse
    debt = change.spouseFederalLoanBalance ?? debt
    filingStatus = change.filingStatus ?? filingStatus
    dependents = change.dependents ?? dependents
    familySize = change.familySize ?? familySize
    base = all()
  }
  const isJoint = filingStatus === "MarriedFilingJointly"
  const prices = (1 + (scenario.annualPriceGrowth ?? 0)) ** Math.floor(month / 12)
  const family = familySize ?? 1 + (isJoint ? 1 : 0) + dependents
  return { base, income: all(), dependents, family, spouseDebt: isJoint ? debt : 0, prices }
}

const household = (check: PartCheck, request: ProjectionRequest, month: number): number => {
  const { base, income, spouseDebt } = inForce(request, month)
  check.expectStep("incomeBase", base)
  check.expectStep("income", income)
  // Only spouses who repay under INCOME CONTINGENT together share its payment: 34 CFR 685.209(b)(2)(ii) of 2023.
  if (spouseDebt === 0 || check.part.planType === "INCOME CONTINGENT") return check.has("share") ? Number.NaN : 1
  check.expectStep("spouseDebt", spouseDebt)
  const share = check.of("ownDebt") / (check.of("ownDebt") + spouseDebt)
  if (share !== 1) check.expectStep("share", share)
  return share
}

/** The HHS poverty guidelines of 2026: 91 FR 1797. */
const GUIDELINES: Readonly<Record<string, readonly [first: number, each: number]>> = {
  AK: [19_950, 7_100],
  HI: [18_360, 6_530]
}

const MULTIPLES: Readonly<Record<string, number>> = { "INCOME CONTINGENT": 1, SAVE: 2.25 }
const RATES: Readonly<Record<string, number>> = { "INCOME BASED (OLD)": 0.15, "INCOME CONTINGENT": 0.2 }

/** The FFEL types of students, not of parents. */
const FFEL_STUDENT = /^FFEL (CONSOLIDATED|PLUS GRADUATE|REFINANCED|STAFFORD|SUPPLEMENTAL)|^FEDERALLY INSURED/
const WITH_FFEL = ["PAY AS YOU EARN", "REVISED PAY AS YOU EARN", "SAVE"]

/** The Direct loans' part of the principal at the start: 34 CFR 685.209(a)(2)(ii)(A) of 2023. */
const directPart = (check: PartCheck, { loans }: ProjectionRequest): number => {
  const ffel = loans.filter((loan) => FFEL_STUDENT.test(loan.loanType) && balanceOf(loan) >= 0.005)
  const principal = total(ffel.map(({ principalBalance }) => principalBalance))
  if (principal === 0 || check.part.group === "successor" || !WITH_FFEL.includes(check.part.planType)) {
    if (check.has("directPart")) check.problems.push(`${check.part.planType}: directPart is told of no FFEL loan`)
    return 1
  }
  check.expectStep("ffelPrincipal", principal)
  const part = check.of("directPrincipal") / (check.of("directPrincipal") + principal)
  if (part !== 1) check.expectStep("directPart", part)
  return part
}

/** A rate of the income above a multiple of the guideline. */
const ofDiscretionary = (check: PartCheck, request: ProjectionRequest, month: number, share: number): number => {
  const { state } = request.scenario
  const { family, prices } = inForce(request, month)
  const { planType } = check.part
  const [first, each] = GUIDELINES[state] ?? [15_960, 5_680]
  const weight = planType === "SAVE" ? check.of("graduateShare") : 0
  check.expectStep("familySize", family)
  if (prices !== 1) check.expectStep("prices", prices)
  check.expectStep("povertyGuideline", (first + (check.of("familySize") - 1) * each) * prices)
  check.expectStep("povertyMultiple", MULTIPLES[planType] ?? 1.5)
  const above = check.of("income") - check.of("povertyMultiple") * check.of("povertyGuideline")
  check.expectStep("discretionaryIncome", Math.max(0, above))
  check.expectStep("paymentRate", planType === "SAVE" ? 0.05 * (1 - weight) + 0.1 * weight : (RATES[planType] ?? 0.1))
  const direct = directPart(check, request)
  check.expectStep("incomePayment", ((check.of("paymentRate") * check.of("discretionaryIncome")) / 12) * share * direct)
  return check.of("incomePayment")
}

const small = (payment: number): number => {
  const tested = toThreshold(payment)
  return tested < 5 ? 0 : tested < 10 ? 10 : payment
}

/** Checks the level payments of the loans with which the part began. The steps name these loans. */
const levels = (check: PartCheck, request: ProjectionRequest, month: number, months: number, traced: number): void => {
  check.expectStep("amortizationMonths", months)
  const begun = check.part.steps.flatMap(({ loan, term }) => (term === "amortizedPayment" ? [loan!] : []))
  for (const { loan } of check.part.loans)
    if (!begun.includes(loan)) check.problems.push(`loan ${loan} has no amortization`)
  const isFromStart = check.part.group === "plan" && begun.some((loan) => check.pauseIn(loan, 0) === undefined)
  const paused = begun.filter((loan) => check.pauseIn(loan, month) !== undefined)
  if (month === 0) check.is("loans of the amortization", begun.length - paused.length, check.part.loans.length)
  for (const loan of begun) {
    const { interestRate } = request.loans[loan]!
    if (isFromStart) check.expectStep("balance", balanceOf(request.loans[loan]!), loan)
    check.expectStep("monthlyRate", interestRate / 12, loan)
    check.expectStep("amortizedPayment", level(check.of("balance", loan), interestRate, months), loan)
  }
  const payments = begun.map((loan) => check.of("amortizedPayment", loan))
  check.is(`level payments over ${months} months`, traced, total(payments))
}

/**
 * Checks the ICR factor: interpolated between the two rows of the steps and rounded to two
 * decimals, or the factor of the only row.
 */
const percentage = (check: PartCheck, prices: number): void => {
  const at = check.of("incomePercentage")
  if (!check.has("lowerIncome")) check.expectStep("upperPercentage", at)
  if (!check.has("upperIncome")) check.expectStep("lowerPercentage", at)
  if (!check.has("lowerIncome") || !check.has("upperIncome")) return
  const [from, to] = [check.of("lowerIncome") * prices, check.of("upperIncome") * prices]
  const [low, high] = [check.of("lowerPercentage"), check.of("upperPercentage")]
  const exact = low + ((check.of("income") - from) * (high - low)) / (to - from)
  check.is("income percentage factor", at, exact, 0.005)
  check.is("decimals of the factor", at, Math.round(at * 100) / 100)
}

const contingent = (check: PartCheck, request: ProjectionRequest, month: number, byIncome: number): number => {
  levels(check, request, month, 144, check.of("twelveYearPayment"))
  percentage(check, inForce(request, month).prices)
  check.expectStep("factoredPayment", (check.of("incomePercentage") / 100) * check.of("twelveYearPayment"))
  check.expectStep("lesserPayment", Math.min(byIncome, check.of("factoredPayment")))
  const tested = toThreshold(check.of("lesserPayment"))
  check.expectStep("raisedPayment", tested > 0 && tested < 5 ? 5 : check.of("lesserPayment"))
  return check.of("raisedPayment")
}

/** RAP, 20 U.S.C. 1087e(q)(4): one percent per started $10,000 above the first. */
const assistance = (check: PartCheck, dependents: number, share: number): number => {
  const income = check.of("income")
  const tested = toThreshold(income)
  if (tested > 10_000) check.expectStep("bandRate", Math.min(10, Math.ceil((tested - 10_000) / 10_000)) / 100)
  check.expectStep("annualPayment", tested <= 10_000 ? 120 : income * check.of("bandRate"))
  const reduction = 50 * dependents
  if (reduction > 0) check.expectStep("dependentReduction", reduction)
  check.expectStep("reducedPayment", (check.of("annualPayment") / 12 - reduction) * share)
  check.expectStep("minimumPayment", 10)
  check.expectStep("atLeastMinimum", Math.max(10, check.of("reducedPayment")))
  return check.of("atLeastMinimum")
}

/** The plan's payment before the limit to what is owed. */
const asked = (check: PartCheck, request: ProjectionRequest, month: number): number => {
  const share = household(check, request, month)
  if (check.part.planType === "REPAYMENT ASSISTANCE")
    return assistance(check, inForce(request, month).dependents, share)
  const byIncome = ofDiscretionary(check, request, month, share)
  if (check.part.planType === "INCOME CONTINGENT") return contingent(check, request, month, byIncome)
  let lesser = byIncome
  if (["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"].includes(check.part.planType)) {
    levels(check, request, month, 120, check.of("tenYearPayment"))
    check.expectStep("paymentCap", Math.max(50, check.of("tenYearPayment")))
    lesser = Math.min(byIncome, check.of("paymentCap"))
    check.expectStep("cappedPayment", lesser)
  }
  check.expectStep("smallRuledPayment", small(lesser))
  return check.of("smallRuledPayment")
}

const TERMS: Readonly<Record<string, number>> = { STANDARD: 120, GRADUATED: 120, EXTENDED: 300 }
const CONSOLIDATION_TERMS = [
  [7_500, 120],
  [10_000, 144],
  [20_000, 180],
  [40_000, 240],
  [60_000, 300],
  [Number.POSITIVE_INFINITY, 360]
] as const

/** Terms of Tiered Standard by the principal of the Direct loans: 34 CFR 685.208(c)(1)(iii). */
const TIERS = [
  [25_000, 120],
  [50_000, 180],
  [100_000, 240],
  [Number.POSITIVE_INFINITY, 300]
] as const

/** Terms of a DIRECT PLUS CONSOLIDATED on EXTENDED and GRADUATED. */
const OLDER_TERMS = CONSOLIDATION_TERMS.slice(1)

/** The term of a loan: the plan's, or the one in a table for a balance that the steps name. */
const termOf = (check: PartCheck, { loanType }: Loan, loan: number): number => {
  const inTable = (term: string, table: ReadonlyArray<readonly [number, number]>): number => {
    const balance = toThreshold(check.of(term, loan))
    return table.find(([below]) => balance < below)![1]
  }
  if (check.has("tierBalance", loan)) return inTable("tierBalance", TIERS)
  if (loanType === "DIRECT PLUS CONSOLIDATED" && check.part.planType !== "STANDARD")
    return inTable("directBalance", OLDER_TERMS)
  return check.has("consolidationBase", loan)
    ? inTable("consolidationBase", CONSOLIDATION_TERMS)
    : TERMS[check.part.planType]!
}

/** Months already counted, or PSLF payments if more, for a Direct loan on ten-year STANDARD. */
const behind = (check: PartCheck, { idrMonthsInRepayment, loanType, pslfCount }: Loan, loan: number): number => {
  if (check.has("tierBalance", loan)) return 0
  const counts = check.part.planType === "STANDARD" && check.of("term", loan) === 120 && loanType.startsWith("DIRECT")
  const months = counts ? Math.max(idrMonthsInRepayment, pslfCount) : idrMonthsInRepayment
  if (months > 0) check.expectStep("monthsBehind", months, loan)
  return months
}

/** Present value of all payments of a GRADUATED loan. */
const presentValue = (check: PartCheck, loan: number, months: number): number => {
  const [rate, ratio] = [check.of("monthlyRate", loan), check.of("levelRatio", loan)]
  let worth = 0
  for (let month = 1; month <= months; month++) worth += ratio ** Math.floor((month - 1) / 24) / (1 + rate) ** month
  return check.of("firstLevel", loan) * worth
}

/** The levels of a GRADUATED loan: three to one, or solved from the interest of the first month. */
const ofGraduated = (check: PartCheck, loan: number): void => {
  const [count, ratio, first] = [check.of("levels", loan), check.of("levelRatio", loan), check.of("firstLevel", loan)]
  if (!isClose(first, check.of("firstInterest", loan)))
    check.is("ratio", ratio, count === 1 ? 1 : 3 ** (1 / (count - 1)))
}

/**
 * The levels of a GRADUATED DIRECT PLUS CONSOLIDATED: at least the interest, half to one and a half times the ten-year
 * payment, from the lowest start that allows it: 34 CFR 685.208(f)(3).
 */
const ofOlderGraduated = (check: PartCheck, sent: Loan, loan: number, left: number): void => {
  const [count, ratio, first] = [check.of("levels", loan), check.of("levelRatio", loan), check.of("firstLevel", loan)]
  const balance = check.of("balance", loan)
  const tenYear = level(balance, sent.interestRate, 120)
  const equal = level(balance, sent.interestRate, left)
  const least = Math.max(check.of("firstInterest", loan), tenYear / 2)
  check.expectStep("tenYearLevel", tenYear, loan)
  check.expectStep("leastPayment", least, loan)
  check.expectStep("mostPayment", tenYear * 1.5, loan)
  const last = first * ratio ** (count - 1)
  if (ratio === 1) check.is("equal payments", first, Math.max(equal, least))
  else if (!isClose(first, least)) check.is("last level", last, tenYear * 1.5)
  if (first < least - 1e-6 || (ratio > 1 && last > tenYear * 1.5 + 1e-6))
    check.problems.push(`loan ${loan} is outside its bounds`)
}

/** The scheduled payment of each loan under a fixed plan. */
const scheduled = (check: PartCheck, request: ProjectionRequest, month: number): ReadonlyMap<number, number> => {
  const { loans, planType } = check.part
  /** The raise of a group of loans with one minimum. */
  const raiseOf = (sumTerm: string, raiseTerm: string, holds: (loan: number) => boolean): number => {
    if (!loans.some(({ loan }) => holds(loan))) return 1
    const raise = check.has(raiseTerm) ? check.of(raiseTerm) : 1
    // After a pause, each loan has a raise of its own.
    if (check.part.steps.some(({ loan, term }) => term === raiseTerm && loan !== null)) return raise
    const all = check.of(sumTerm)
    const traced = check.part.steps.filter(({ loan, term }) => term === "levelPayment" && holds(loan!))
    check.is("level payments", all, total(traced.map(({ value }) => value)))
    check.is("raise", raise, toThreshold(all) < 50 ? 50 / all : 1)
    return raise
  }
  const isTiered = (loan: number) => check.has("tierBalance", loan)
  const areMixed = check.has("allTieredPayments")
  const tieredRaise = areMixed ? raiseOf("allTieredPayments", "tieredRaise", isTiered) : 1
  const otherRaise =
    planType === "GRADUATED" ? 1 : raiseOf("allLevelPayments", "raise", (loan) => !areMixed || !isTiered(loan))
  return new Map(
    loans.map(({ loan }) => {
      const sent = request.loans[loan]!
      const term = termOf(check, sent, loan)
      check.expectStep("term", term, loan)
      const since = check.dueSince(loan, month)
      const isBeside = check.part.group === "beside"
      const left = isBeside && since === 0 ? term : check.of("monthsLeft", loan)
      const spent = isBeside ? 0 : behind(check, sent, loan)
      check.is("months left", left, term - spent - check.dueMonths(loan, since))
      if (since === 0) {
        check.expectStep("balance", balanceOf(sent), loan)
        if (planType === "GRADUATED")
          check.expectStep("firstInterest", (sent.principalBalance * sent.interestRate) / 12, loan)
      }
      check.expectStep("monthlyRate", sent.interestRate / 12, loan)
      if (planType === "GRADUATED") {
        const isOlder = sent.loanType === "DIRECT PLUS CONSOLIDATED"
        const [ratio, first] = [check.of("levelRatio", loan), check.of("firstLevel", loan)]
        check.is("levels", check.of("levels", loan), Math.ceil(left / 24))
        if (isOlder) ofOlderGraduated(check, sent, loan, left)
        else ofGraduated(check, loan)
        if (!isOlder || ratio > 1) check.is("present value", presentValue(check, loan, left), check.of("balance", loan))
        check.expectStep("scheduledPayment", first * ratio ** Math.floor((month - since) / 24), loan)
      } else {
        check.expectStep("levelPayment", level(check.of("balance", loan), sent.interestRate, left), loan)
        const [ofAll, term] = areMixed && isTiered(loan) ? [tieredRaise, "tieredRaise"] : [otherRaise, "raise"]
        const raise = check.has(term, loan) ? check.of(term, loan) : ofAll
        check.expectStep("scheduledPayment", check.of("levelPayment", loan) * raise, loan)
      }
      const isLast = month - since === left - 1
      return [loan, isLast ? Number.POSITIVE_INFINITY : check.of("scheduledPayment", loan)]
    })
  )
}

/** Checks how a payment is applied within a loan, and how much interest is waived. */
const spending = (check: PartCheck, request: ProjectionRequest, month: number): void => {
  const { loans, planType } = check.part
  const isPooled = planType === "REPAYMENT ASSISTANCE"
  for (const one of loans) {
    const { idrMonthsInRepayment, loanType } = request.loans[one.loan]!
    for (const [name, amount] of Object.entries(one))
      if (typeof amount === "number" && amount < 0) check.problems.push(`${planType}: ${name} is ${amount}`)
    check.is("owed", one.owed, one.principal + one.unpaidInterest + one.interestAccrued)
    check.is("spent", one.toInterest + one.toUnpaidInterest + one.toPrincipal, one.payment)
    check.is("interest", one.toInterest + one.interestWaived + one.interestAdded, one.interestAccrued)
    const left = one.owed - one.payment - one.interestWaived - one.principalMatched - one.forgiven
    check.is("left", one.principalLeft + one.interestLeft, left, 0.005)
    if (!isPooled) check.is("month's interest first", one.toInterest, Math.min(one.payment, one.interestAccrued))
    const uncovered = one.interestAccrued - one.toInterest
    const isSubsidized = /STAFFORD SUBSIDIZED|CONSOLIDATED SUBSIDIZED/.test(loanType)
    let first = 0
    while (check.pauseIn(one.loan, first) !== undefined) first++
    const isWaived = isSubsidized && month - first < 36 - idrMonthsInRepayment
    check.is("waived", one.interestWaived, uncovered * waivedShare(planType, isWaived))
    const capped = ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"].includes(planType)
    const waives = planType === "SAVE" || planType === "REVISED PAY AS YOU EARN" || (capped && isSubsidized)
    if (!waives || one.interestWaived + one.interestAdded === 0) continue
    check.expectStep("waivedShare", waivedShare(planType, isWaived), one.loan)
    if (isSubsidized && planType !== "SAVE")
      check.expectStep("subsidizedMonth", idrMonthsInRepayment + month - first + 1, one.loan)
  }
  if (isPooled) matching(check)
  forgiving(check, request, month)
}

/** Months to time-based forgiveness of plans for which they don't depend on the loans. */
const FORGIVENESS_MONTHS: Readonly<Record<string, number>> = {
  "INCOME BASED": 240,
  "INCOME BASED (OLD)": 300,
  "PAY AS YOU EARN": 240,
  "INCOME CONTINGENT": 300,
  "REPAYMENT ASSISTANCE": 360
}

/** The month, counted from 1, in which the payments for public service are 120, at least one of them here. */
const serviceMonth = (
  { scenario }: ProjectionRequest,
  pslfCount: number,
  isDue: (month: number) => boolean
): number => {
  let serves = scenario.workingTowardsPslf
  for (let month = 1, count = pslfCount; month <= 600; month++) {
    const change = scenario.changes?.find(({ fromYear }) => month === 12 * (fromYear - 1) + 1)
    serves = change?.workingTowardsPslf ?? serves
    if (serves && isDue(month - 1) && ++count >= 120) return month
  }
  return Number.NaN
}

/** Checks forgiveness by type: each loan in its own month, as PSLF if that is not later. */
const forgiving = (check: PartCheck, request: ProjectionRequest, month: number): void => {
  const { loans, planType } = check.part
  const of = (type: string) =>
    total(loans.map(({ forgiven, forgivenessType }) => (forgivenessType === type ? forgiven : 0)))
  for (const [term, type] of [
    ["forgivenTimeBased", "TimeBased"],
    ["forgivenPslf", "Pslf"]
  ] as const) {
    if (of(type) > 0) check.expectStep(term, of(type))
    else if (check.has(term)) check.problems.push(`${planType}: ${term} is told of nothing`)
  }
  check.is("forgiven as nothing", of("None"), 0)
  for (const { forgiven, forgivenessType, loan } of loans) {
    if (forgiven === 0) continue
    const { idrMonthsInRepayment, pslfCount } = request.loans[loan]!
    const isDue = (at: number) => check.pauseIn(loan, at) === undefined
    const paused = month - check.dueMonths(loan, month)
    let byTime = check.has("forgivenessMonths")
      ? check.of("forgivenessMonths") - idrMonthsInRepayment + paused
      : undefined
    if (byTime !== undefined) {
      check.expectStep("forgivenessMonths", FORGIVENESS_MONTHS[planType] ?? check.of("forgivenessMonths"))
      check.expectStep("countedMonths", idrMonthsInRepayment, loan)
      // A plan that follows another forgives no earlier than at the end of its first month.
      const isLate = check.part.group === "successor" && check.of("forgivenessMonth", loan) > byTime
      if (isLate) byTime = check.of("forgivenessMonth", loan)
      else check.expectStep("forgivenessMonth", byTime, loan)
    }
    if (forgivenessType === "TimeBased") check.is("month of forgiveness", month + 1, check.of("forgivenessMonth", loan))
    else {
      check.expectStep("servicePayments", 120, loan)
      check.expectStep("countedPayments", pslfCount, loan)
      check.expectStep("serviceMonth", month + 1, loan)
      check.is("month of forgiveness", month + 1, serviceMonth(request, pslfCount, isDue))
      if (byTime !== undefined && byTime < month + 1)
        check.problems.push(`${planType}: loan ${loan} was forgiven by time`)
    }
  }
}

const waivedShare = (planType: string, isSubsidizedMonth: boolean): number => {
  if (["SAVE", "REPAYMENT ASSISTANCE"].includes(planType)) return 1
  if (planType === "REVISED PAY AS YOU EARN") return isSubsidizedMonth ? 1 : 0.5
  return isSubsidizedMonth && ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"].includes(planType) ? 1 : 0
}

/** Checks the match of REPAYMENT ASSISTANCE: principal falls by at least min(50, payment). */
const matching = (check: PartCheck): void => {
  const { loans, payment } = check.part
  const of = (amount: Exclude<keyof (typeof loans)[number], "loan" | "forgivenessType">) =>
    total(loans.map((loan) => loan[amount]))
  const [accrued, toPrincipal] = [of("interestAccrued"), of("toPrincipal")]
  check.is("to interest", of("toInterest"), Math.min(payment, accrued))
  const match = toPrincipal < 50 ? Math.min(Math.min(50, payment) - toPrincipal, of("principal") - toPrincipal) : 0
  check.is("matched", of("principalMatched"), match, 0.005 * loans.length)
}

/** What a month asks for beyond the payments due. */
const askedBeyond = (
  { group }: PaymentPart,
  { scenario }: ProjectionRequest,
  { date, month }: Explanation,
  scheduled: number
) => {
  if (group === "lump")
    return total((scenario.lumpSums ?? []).map(({ amount, on }) => (monthOf(on) === monthOf(date) ? amount : 0)))
  let { extraMonthlyPayment, monthlyBudget } = scenario
  for (const change of scenario.changes ?? []) {
    if (change.fromYear > Math.floor(month / 12) + 1) break
    extraMonthlyPayment = change.extraMonthlyPayment ?? extraMonthlyPayment
    monthlyBudget = change.monthlyBudget ?? monthlyBudget
  }
  const [extra, budget] = [extraMonthlyPayment ?? 0, monthlyBudget ?? 0]
  return Math.max(extra < 0.005 ? 0 : extra, (budget < 0.005 ? 0 : budget) - scheduled, 0)
}

/**
 * Checks what is paid beyond the payments due: highest rate first, to unpaid interest and then
 * principal, then forgiveness. A lump sum comes after the extra payment, and reaches paused loans.
 */
const problemsOfExtra = (part: PaymentPart, request: ProjectionRequest, told: Explanation, pauseIn: PauseIn) => {
  const check = new PartCheck(part, pauseIn)
  const due = told.parts.filter(({ group }) => group !== "extra" && group !== "lump" && group !== "paused")
  const before = told.parts.filter(
    ({ group }) => group !== part.group && group !== "lump" && (group !== "paused" || part.group === "lump")
  )
  // The last part that names a loan has its latest balances.
  const latest = new Map(
    [...before.filter(({ group }) => group !== "extra"), ...before.filter(({ group }) => group === "extra")].flatMap(
      ({ loans }) => loans.map((loan) => [loan.loan, loan] as const)
    )
  )
  const left = [...latest.values()].filter((loan) => loan.forgiven === 0)
  const ofLeft = (loan: (typeof left)[number]) => loan.principalLeft + loan.interestLeft
  const rateOf = ({ loan }: { readonly loan: number }) => request.loans[loan]!.interestRate
  if (part.loans.length === 0) return check.problems
  let rest = check.of(part.group === "lump" ? "lumpSent" : "extraSent")
  check.is("extra payment asked for", rest, askedBeyond(part, request, told, total(due.map(({ payment }) => payment))))
  check.is("extra payment", check.of("extraPayment"), part.payment)
  check.is("what the loans get", total(part.loans.map((loan) => loan.payment)), part.payment)
  part.loans.forEach((one, index) => {
    const was = left.find(({ loan }) => loan === one.loan)!
    check.is("owed", one.owed, ofLeft(was), 0.005)
    check.is("payment", one.payment, Math.min(rest, one.owed), 0.005)
    check.is("to unpaid interest first", one.toUnpaidInterest, Math.min(one.payment, one.unpaidInterest))
    check.is("spent", one.toUnpaidInterest + one.toPrincipal, one.payment)
    check.is("left", one.principalLeft + one.interestLeft, one.owed - one.payment - one.forgiven, 0.005)
    rest -= one.payment
    const next = part.loans[index + 1]
    if (next !== undefined && rateOf(next) > rateOf(one)) check.problems.push("a loan with a higher rate comes later")
  })
  return check.problems
}

/** Loans that bear no interest in school and in deferment. */
const INTEREST_FREE = /STAFFORD SUBSIDIZED|CONSOLIDATED SUBSIDIZED|PERKINS|HEALTH PROFESSIONS/

/** Checks paused loans: nothing is due, and interest accrues by the kind of the pause. */
const problemsOfPaused = (part: PaymentPart, request: ProjectionRequest, month: number, pauseIn: PauseIn) => {
  const check = new PartCheck(part, pauseIn)
  for (const one of part.loans) {
    const [{ interestRate, loanType }, pause] = [request.loans[one.loan]!, pauseIn(one.loan, month)]
    if (pause === undefined) check.problems.push(`loan ${one.loan} is not paused`)
    const bears = pause?.kind === "Forbearance" || !INTEREST_FREE.test(loanType)
    check.is("interest of a pause", one.interestAccrued, bears ? (one.principal * interestRate) / 12 : 0)
    check.is("interest added", one.interestAdded, one.interestAccrued)
    check.is("left", one.principalLeft + one.interestLeft, one.owed)
    let until = month
    while (pauseIn(one.loan, until) === pause) until++
    check.expectStep("dueAgain", until + 1, one.loan)
  }
  check.is("paid on paused loans", part.payment, 0)
  return check.problems
}

const problemsOfPart = (
  part: PaymentPart,
  request: ProjectionRequest,
  month: number,
  pauseIn: PauseIn
): ReadonlyArray<string> => {
  const check = new PartCheck(part, pauseIn)
  if (part.loans.length === 0) {
    return part.payment === 0 && part.steps.length === 0 ? [] : [`${part.planType}: nothing is owed, yet paid`]
  }
  const owed = total(part.loans.map((loan) => loan.owed))
  check.expectStep("owed", owed)
  check.is("what the loans get", total(part.loans.map((loan) => loan.payment)), part.payment)
  if (["STANDARD", "GRADUATED", "EXTENDED"].includes(part.planType)) {
    const due = scheduled(check, request, month)
    check.expectStep("loanPayments", part.payment)
    for (const { loan, owed: owes, payment } of part.loans) {
      check.is(`payment of loan ${loan}`, payment, Math.min(owes, due.get(loan)!))
    }
  } else {
    const due = asked(check, request, month)
    check.expectStep("payment", Math.min(due, owed))
    check.is("the part's payment", part.payment, check.of("payment"))
  }
  spending(check, request, month)
  return check.problems
}

/** The first five problems; none if the steps lead to the payment. */
export const problemsOf = (told: Explanation, request: ProjectionRequest): ReadonlyArray<string> => {
  const { month, parts, payment } = told
  const pauseIn = pausesOf(request, told)
  const ofPart = (part: PaymentPart) => {
    if (part.group === "extra" || part.group === "lump") return problemsOfExtra(part, request, told, pauseIn)
    return part.group === "paused"
      ? problemsOfPaused(part, request, month, pauseIn)
      : problemsOfPart(part, request, month, pauseIn)
  }
  const all = total(parts.map((part) => part.payment))
  return [...parts.flatMap(ofPart), ...(isClose(payment, all) ? [] : ["the parts do not add up"])].slice(0, 5)
}
