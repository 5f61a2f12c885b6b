/**
 * The steps of an explained payment put together again by the plain arithmetic of the plans, with numbers typed from the
 * law and nothing of the engine but what it says. Each problem is a sentence.
 */
import type { ProjectionRequest } from "../schema/projection.ts"
import type { Explanation, PaymentPart } from "../src/engine/explanation.ts"

type Loan = ProjectionRequest["loans"][number]

/** Doubles added up in another order differ by ulps; a loan that closes below half a cent leaves that much. */
const isClose = (a: number, b: number, slack = 0): boolean =>
  Math.abs(a - b) <= 1e-7 + slack + 1e-9 * Math.max(Math.abs(a), Math.abs(b))

const sum = <A>(items: ReadonlyArray<A>, value: (item: A) => number): number =>
  items.reduce((total, item) => total + value(item), 0)

const toThreshold = (value: number): number => Math.round(value * 1e6) / 1e6

const level = (balance: number, yearlyRate: number, months: number): number => {
  const rate = yearlyRate / 12
  return rate === 0 ? balance / months : (balance * rate) / -Math.expm1(-months * Math.log1p(rate))
}

const balanceOf = (loan: Loan): number => loan.principalBalance + loan.interestBalance

/** What is said of one part: values of its steps, compared with what they should be. */
class Said {
  readonly problems: Array<string> = []
  readonly part: PaymentPart

  constructor(part: PaymentPart) {
    this.part = part
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

  tells(term: string, expected: number, loan: number | null = null): void {
    this.is(term, this.of(term, loan), expected)
  }
}

const isJoint = ({ scenario }: ProjectionRequest): boolean => scenario.filingStatus === "MarriedFilingJointly"

const household = (said: Said, request: ProjectionRequest, month: number): number => {
  const { adjustedGrossIncome, annualIncomeGrowth, spouseAdjustedGrossIncome, spouseFederalLoanBalance } =
    request.scenario
  const spouseDebt = isJoint(request) ? (spouseFederalLoanBalance ?? 0) : 0
  said.tells("incomeBase", adjustedGrossIncome + (isJoint(request) ? (spouseAdjustedGrossIncome ?? 0) : 0))
  said.tells("income", said.of("incomeBase") * (1 + annualIncomeGrowth) ** Math.floor(month / 12))
  if (spouseDebt === 0) return said.has("share") ? Number.NaN : 1
  said.tells("spouseDebt", spouseDebt)
  const share = said.of("ownDebt") / (said.of("ownDebt") + spouseDebt)
  if (share !== 1) said.tells("share", share)
  return share
}

/** HHS poverty guidelines of 2026: 91 FR 1797. */
const GUIDELINES: Readonly<Record<string, readonly [first: number, each: number]>> = {
  AK: [19_950, 7_100],
  HI: [18_360, 6_530]
}

const MULTIPLES: Readonly<Record<string, number>> = { "INCOME CONTINGENT": 1, SAVE: 2.25 }
const RATES: Readonly<Record<string, number>> = { "INCOME BASED (OLD)": 0.15, "INCOME CONTINGENT": 0.2 }

/** Students' FFEL loans: families E and E2. */
const FFEL_STUDENT = /^FFEL (CONSOLIDATED|PLUS GRADUATE|REFINANCED|STAFFORD|SUPPLEMENTAL)|^FEDERALLY INSURED/
const WITH_FFEL = ["PAY AS YOU EARN", "REVISED PAY AS YOU EARN", "SAVE"]

/** 34 CFR 685.209(a)(2)(ii)(A) of 2023: the Direct loans' part of the principal at the start. */
const directPart = (said: Said, { loans }: ProjectionRequest): number => {
  const ffel = loans.filter((loan) => FFEL_STUDENT.test(loan.loanType) && balanceOf(loan) >= 0.005)
  const principal = sum(ffel, ({ principalBalance }) => principalBalance)
  if (principal === 0 || said.part.group === "successor" || !WITH_FFEL.includes(said.part.planType)) {
    if (said.has("directPart")) said.problems.push(`${said.part.planType}: directPart is told of no FFEL loan`)
    return 1
  }
  said.tells("ffelPrincipal", principal)
  const part = said.of("directPrincipal") / (said.of("directPrincipal") + principal)
  if (part !== 1) said.tells("directPart", part)
  return part
}

/** A rate of what exceeds a multiple of the guideline. */
const ofDiscretionary = (said: Said, request: ProjectionRequest, share: number): number => {
  const { dependents, state } = request.scenario
  const { planType } = said.part
  const [first, each] = GUIDELINES[state] ?? [15_960, 5_680]
  const weight = planType === "SAVE" ? said.of("graduateShare") : 0
  said.tells("familySize", 1 + (isJoint(request) ? 1 : 0) + dependents)
  said.tells("povertyGuideline", first + (said.of("familySize") - 1) * each)
  said.tells("povertyMultiple", MULTIPLES[planType] ?? 1.5)
  const above = said.of("income") - said.of("povertyMultiple") * said.of("povertyGuideline")
  said.tells("discretionaryIncome", Math.max(0, above))
  said.tells("paymentRate", planType === "SAVE" ? 0.05 * (1 - weight) + 0.1 * weight : (RATES[planType] ?? 0.1))
  const direct = directPart(said, request)
  said.tells("incomePayment", ((said.of("paymentRate") * said.of("discretionaryIncome")) / 12) * share * direct)
  return said.of("incomePayment")
}

const small = (payment: number): number => {
  const tested = toThreshold(payment)
  return tested < 5 ? 0 : tested < 10 ? 10 : payment
}

/** Level payments over some months of the loans that a group began with, which the steps name. */
const levels = (said: Said, request: ProjectionRequest, month: number, months: number, told: number): void => {
  said.tells("amortizationMonths", months)
  const begun = said.part.steps.flatMap(({ loan, term }) => (term === "amortizedPayment" ? [loan!] : []))
  for (const { loan } of said.part.loans)
    if (!begun.includes(loan)) said.problems.push(`loan ${loan} has no amortization`)
  if (month === 0) said.is("loans of the amortization", begun.length, said.part.loans.length)
  for (const loan of begun) {
    const { interestRate } = request.loans[loan]!
    if (said.part.group === "plan") said.tells("balance", balanceOf(request.loans[loan]!), loan)
    said.tells("monthlyRate", interestRate / 12, loan)
    said.tells("amortizedPayment", level(said.of("balance", loan), interestRate, months), loan)
  }
  said.is(
    `level payments over ${months} months`,
    told,
    sum(begun, (loan) => said.of("amortizedPayment", loan))
  )
}

/** Between the rows that are told, to two decimals; at an end of the table the row that there is. */
const percentage = (said: Said): void => {
  const at = said.of("incomePercentage")
  if (!said.has("lowerIncome")) said.tells("upperPercentage", at)
  if (!said.has("upperIncome")) said.tells("lowerPercentage", at)
  if (!said.has("lowerIncome") || !said.has("upperIncome")) return
  const [from, to] = [said.of("lowerIncome"), said.of("upperIncome")]
  const [low, high] = [said.of("lowerPercentage"), said.of("upperPercentage")]
  const exact = low + ((said.of("income") - from) * (high - low)) / (to - from)
  said.is("income percentage factor", at, exact, 0.005)
  said.is("decimals of the factor", at, Math.round(at * 100) / 100)
}

const contingent = (said: Said, request: ProjectionRequest, month: number, byIncome: number): number => {
  levels(said, request, month, 144, said.of("twelveYearPayment"))
  percentage(said)
  said.tells("factoredPayment", (said.of("incomePercentage") / 100) * said.of("twelveYearPayment"))
  said.tells("lesserPayment", Math.min(byIncome, said.of("factoredPayment")))
  const tested = toThreshold(said.of("lesserPayment"))
  said.tells("raisedPayment", tested > 0 && tested < 5 ? 5 : said.of("lesserPayment"))
  return said.of("raisedPayment")
}

/** 20 U.S.C. 1087e(q)(4): a percent for every ten thousand dollars begun above the first. */
const assistance = (said: Said, request: ProjectionRequest, share: number): number => {
  const income = said.of("income")
  const tested = toThreshold(income)
  if (tested > 10_000) said.tells("bandRate", Math.min(10, Math.ceil((tested - 10_000) / 10_000)) / 100)
  said.tells("annualPayment", tested <= 10_000 ? 120 : income * said.of("bandRate"))
  const reduction = 50 * request.scenario.dependents
  if (reduction > 0) said.tells("dependentReduction", reduction)
  said.tells("reducedPayment", (said.of("annualPayment") / 12 - reduction) * share)
  said.tells("minimumPayment", 10)
  said.tells("atLeastMinimum", Math.max(10, said.of("reducedPayment")))
  return said.of("atLeastMinimum")
}

/** What the plan asks for, before "at most what is owed". */
const asked = (said: Said, request: ProjectionRequest, month: number): number => {
  const share = household(said, request, month)
  if (said.part.planType === "REPAYMENT ASSISTANCE") return assistance(said, request, share)
  const byIncome = ofDiscretionary(said, request, share)
  if (said.part.planType === "INCOME CONTINGENT") return contingent(said, request, month, byIncome)
  let lesser = byIncome
  if (["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"].includes(said.part.planType)) {
    levels(said, request, month, 120, said.of("tenYearPayment"))
    said.tells("paymentCap", Math.max(50, said.of("tenYearPayment")))
    lesser = Math.min(byIncome, said.of("paymentCap"))
    said.tells("cappedPayment", lesser)
  }
  said.tells("smallRuledPayment", small(lesser))
  return said.of("smallRuledPayment")
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

/** Of a DIRECT PLUS CONSOLIDATED on EXTENDED and GRADUATED. */
const OLDER_TERMS = CONSOLIDATION_TERMS.slice(1)

/** The term of a loan: of the plan, or of the table whose balance is told. */
const termOf = (said: Said, { loanType }: Loan, loan: number): number => {
  const inTable = (term: string, table: ReadonlyArray<readonly [number, number]>): number => {
    const balance = toThreshold(said.of(term, loan))
    return table.find(([below]) => balance < below)![1]
  }
  if (loanType === "DIRECT PLUS CONSOLIDATED" && said.part.planType !== "STANDARD")
    return inTable("directBalance", OLDER_TERMS)
  return said.has("consolidationBase", loan)
    ? inTable("consolidationBase", CONSOLIDATION_TERMS)
    : TERMS[said.part.planType]!
}

/** Months counted toward forgiveness; on ten years of STANDARD of a Direct loan, payments of public service where they are more. */
const behind = (said: Said, { idrMonthsInRepayment, loanType, pslfCount }: Loan, loan: number): number => {
  const counts = said.part.planType === "STANDARD" && said.of("term", loan) === 120 && loanType.startsWith("DIRECT")
  const months = counts ? Math.max(idrMonthsInRepayment, pslfCount) : idrMonthsInRepayment
  if (months > 0) said.tells("monthsBehind", months, loan)
  return months
}

/** What the payments of all levels of a GRADUATED loan are worth at the start. */
const presentValue = (said: Said, loan: number, months: number): number => {
  const [rate, ratio] = [said.of("monthlyRate", loan), said.of("levelRatio", loan)]
  let worth = 0
  for (let month = 1; month <= months; month++) worth += ratio ** Math.floor((month - 1) / 24) / (1 + rate) ** month
  return said.of("firstLevel", loan) * worth
}

/** A fixed plan: what each loan of the part is asked for. */
const scheduled = (said: Said, request: ProjectionRequest, month: number): ReadonlyMap<number, number> => {
  const { loans, planType } = said.part
  const raise = said.has("raise") ? said.of("raise") : 1
  if (planType !== "GRADUATED") {
    const all = said.of("allLevelPayments")
    const told = said.part.steps.filter(({ term }) => term === "levelPayment")
    said.is(
      "level payments",
      all,
      sum(told, ({ value }) => value)
    )
    said.is("raise", raise, toThreshold(all) < 50 ? 50 / all : 1)
  }
  return new Map(
    loans.map(({ loan }) => {
      const sent = request.loans[loan]!
      const term = termOf(said, sent, loan)
      said.tells("term", term, loan)
      const left = said.part.group === "beside" ? term : said.of("monthsLeft", loan)
      if (said.part.group !== "beside") said.is("months left", left, term - behind(said, sent, loan))
      said.tells("balance", balanceOf(sent), loan)
      said.tells("monthlyRate", sent.interestRate / 12, loan)
      if (planType === "GRADUATED") {
        said.is("present value", presentValue(said, loan, left), balanceOf(sent))
        const [count, ratio, first] = [
          said.of("levels", loan),
          said.of("levelRatio", loan),
          said.of("firstLevel", loan)
        ]
        said.is("levels", count, Math.ceil(left / 24))
        const onlyInterest = (sent.principalBalance * sent.interestRate) / 12
        said.tells("firstInterest", onlyInterest, loan)
        if (!isClose(first, onlyInterest)) said.is("ratio", ratio, count === 1 ? 1 : 3 ** (1 / (count - 1)))
        said.tells("scheduledPayment", first * ratio ** Math.floor(month / 24), loan)
      } else {
        said.tells("levelPayment", level(balanceOf(sent), sent.interestRate, left), loan)
        said.tells("scheduledPayment", said.of("levelPayment", loan) * raise, loan)
      }
      const isLast = month === left - 1
      return [loan, isLast ? Number.POSITIVE_INFINITY : said.of("scheduledPayment", loan)]
    })
  )
}

/** Section 3.5: how a payment is spent within a loan, and what of the month's interest it leaves is waived. */
const spending = (said: Said, request: ProjectionRequest, month: number): void => {
  const { loans, planType } = said.part
  const isPooled = planType === "REPAYMENT ASSISTANCE"
  for (const one of loans) {
    const { idrMonthsInRepayment, loanType } = request.loans[one.loan]!
    said.is("owed", one.owed, one.principal + one.unpaidInterest + one.interestAccrued)
    said.is("spent", one.toInterest + one.toUnpaidInterest + one.toPrincipal, one.payment)
    said.is("interest", one.toInterest + one.interestWaived + one.interestAdded, one.interestAccrued)
    const left = one.owed - one.payment - one.interestWaived - one.principalMatched - one.forgiven
    said.is("left", one.principalLeft + one.interestLeft, left, 0.005)
    if (!isPooled) said.is("month's interest first", one.toInterest, Math.min(one.payment, one.interestAccrued))
    const uncovered = one.interestAccrued - one.toInterest
    const isSubsidized = /STAFFORD SUBSIDIZED|CONSOLIDATED SUBSIDIZED/.test(loanType)
    const isWaived = isSubsidized && month < 36 - idrMonthsInRepayment
    said.is("waived", one.interestWaived, uncovered * waivedShare(planType, isWaived))
    const capped = ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"].includes(planType)
    const waives = planType === "SAVE" || planType === "REVISED PAY AS YOU EARN" || (capped && isSubsidized)
    if (!waives || one.interestWaived + one.interestAdded === 0) continue
    said.tells("waivedShare", waivedShare(planType, isWaived), one.loan)
    if (isSubsidized && planType !== "SAVE") said.tells("subsidizedMonth", idrMonthsInRepayment + month + 1, one.loan)
  }
  if (isPooled) matching(said)
  forgiving(said, request, month)
}

/** Counted months to forgiveness by time, where nothing of the loans changes them. */
const FORGIVENESS_MONTHS: Readonly<Record<string, number>> = {
  "INCOME BASED": 240,
  "INCOME BASED (OLD)": 300,
  "PAY AS YOU EARN": 240,
  "INCOME CONTINGENT": 300,
  "REPAYMENT ASSISTANCE": 360
}

/** What is forgiven, by type: each loan in its own month, for public service where that is not later. */
const forgiving = (said: Said, request: ProjectionRequest, month: number): void => {
  const { loans, planType } = said.part
  const of = (type: string) => sum(loans, ({ forgiven, forgivenessType }) => (forgivenessType === type ? forgiven : 0))
  for (const [term, type] of [
    ["forgivenTimeBased", "TimeBased"],
    ["forgivenPslf", "Pslf"]
  ] as const) {
    if (of(type) > 0) said.tells(term, of(type))
    else if (said.has(term)) said.problems.push(`${planType}: ${term} is told of nothing`)
  }
  said.is("forgiven as nothing", of("None"), 0)
  for (const { forgiven, forgivenessType, loan } of loans) {
    if (forgiven === 0) continue
    const { idrMonthsInRepayment, pslfCount } = request.loans[loan]!
    const byTime = said.has("forgivenessMonths") ? said.of("forgivenessMonths") - idrMonthsInRepayment : undefined
    if (byTime !== undefined) {
      said.tells("forgivenessMonths", FORGIVENESS_MONTHS[planType] ?? said.of("forgivenessMonths"))
      said.tells("countedMonths", idrMonthsInRepayment, loan)
      said.tells("forgivenessMonth", byTime, loan)
    }
    if (forgivenessType === "TimeBased") said.is("month of forgiveness", month + 1, byTime ?? Number.NaN)
    else {
      said.tells("servicePayments", 120, loan)
      said.tells("countedPayments", pslfCount, loan)
      said.tells("serviceMonth", month + 1, loan)
      said.is("month of forgiveness", month + 1, Math.max(1, 120 - pslfCount))
      if (byTime !== undefined && byTime < month + 1)
        said.problems.push(`${planType}: loan ${loan} was forgiven by time`)
    }
  }
}

const waivedShare = (planType: string, isSubsidizedMonth: boolean): number => {
  if (["SAVE", "REPAYMENT ASSISTANCE"].includes(planType)) return 1
  if (planType === "REVISED PAY AS YOU EARN") return isSubsidizedMonth ? 1 : 0.5
  return isSubsidizedMonth && ["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"].includes(planType) ? 1 : 0
}

/** Section 3.3: principal falls by fifty dollars at least, or by the payment where that is less. */
const matching = (said: Said): void => {
  const { loans, payment } = said.part
  const of = (amount: Exclude<keyof (typeof loans)[number], "loan" | "forgivenessType">) =>
    sum(loans, (loan) => loan[amount])
  const [accrued, toPrincipal] = [of("interestAccrued"), of("toPrincipal")]
  said.is("to interest", of("toInterest"), Math.min(payment, accrued))
  const match = toPrincipal < 50 ? Math.min(Math.min(50, payment) - toPrincipal, of("principal") - toPrincipal) : 0
  said.is("matched", of("principalMatched"), match, 0.005 * loans.length)
}

const problemsOfPart = (part: PaymentPart, request: ProjectionRequest, month: number): ReadonlyArray<string> => {
  const said = new Said(part)
  if (part.loans.length === 0) {
    return part.payment === 0 && part.steps.length === 0 ? [] : [`${part.planType}: nothing is owed, yet paid`]
  }
  const owed = sum(part.loans, (loan) => loan.owed)
  said.tells("owed", owed)
  said.is(
    "what the loans get",
    sum(part.loans, (loan) => loan.payment),
    part.payment
  )
  if (["STANDARD", "GRADUATED", "EXTENDED"].includes(part.planType)) {
    const due = scheduled(said, request, month)
    said.tells("loanPayments", part.payment)
    for (const { loan, owed: owes, payment } of part.loans) {
      said.is(`payment of loan ${loan}`, payment, Math.min(owes, due.get(loan)!))
    }
  } else {
    const due = asked(said, request, month)
    said.tells("payment", Math.min(due, owed))
    said.is("the part's payment", part.payment, said.of("payment"))
  }
  spending(said, request, month)
  return said.problems
}

/** Where the steps do not add up to the payment that they explain. */
export const problemsOf = ({ month, parts, payment }: Explanation, request: ProjectionRequest): ReadonlyArray<string> =>
  [
    ...parts.flatMap((part) => problemsOfPart(part, request, month)),
    ...(isClose(
      payment,
      sum(parts, (part) => part.payment)
    )
      ? []
      : ["the parts do not add up"])
  ].slice(0, 5)
