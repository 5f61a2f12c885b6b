/**
 * The contract of schema/api.ts as types, for the small client. Written by `npm run x -- generate`; not edited by
 * hand.
 */
import type { ServiceProblem } from "../failures.ts"

/** Any value of JSON. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [member: string]: Json }

/** A repayment plan. */
export type PlanType =
  | "STANDARD"
  | "EXTENDED"
  | "GRADUATED"
  | "INCOME BASED"
  | "INCOME BASED (OLD)"
  | "INCOME CONTINGENT"
  | "PAY AS YOU EARN"
  | "REVISED PAY AS YOU EARN"
  | "SAVE"
  | "REPAYMENT ASSISTANCE"

/** A type of federal loan. */
export type LoanType =
  | "DIRECT CONSOLIDATED SUBSIDIZED"
  | "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)"
  | "DIRECT CONSOLIDATED UNSUBSIDIZED"
  | "DIRECT PARENT PLUS"
  | "DIRECT PARENT PLUS CONSOLIDATED"
  | "DIRECT PLUS CONSOLIDATED"
  | "DIRECT PLUS GRADUATE"
  | "DIRECT PLUS PARENT"
  | "DIRECT STAFFORD SUBSIDIZED"
  | "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)"
  | "DIRECT STAFFORD UNSUBSIDIZED"
  | "DIRECT UNSUBSIDIZED (TEACH)"
  | "FEDERAL PERKINS"
  | "FEDERALLY INSURED (FISL)"
  | "FFEL CONSOLIDATED"
  | "FFEL PARENT PLUS"
  | "FFEL PARENT PLUS CONSOLIDATED"
  | "FFEL PLUS GRADUATE"
  | "FFEL PLUS PARENT"
  | "FFEL REFINANCED"
  | "FFEL STAFFORD NON-SUBSIDIZED"
  | "FFEL STAFFORD SUBSIDIZED"
  | "FFEL STAFFORD UNSUBSIDIZED"
  | "FFEL SUPPLEMENTAL LOAN (SLS)"
  | "HEALTH PROFESSIONS STUDENT LOAN (HPSL)"
  | "INCOME CONTINGENT (ICL)"
  | "NATIONAL DEFENSE LOAN (PERKINS)"
  | "NATIONAL DIRECT STUDENT LOAN (PERKINS)"
  | "PERKINS EXPANDED LENDING"

/** Federal tax filing status. */
export type FilingStatus = "Single" | "MarriedFilingJointly" | "MarriedFilingSeparately" | "HeadOfHousehold"

/** Postal code of a state, DC or a territory. */
export type State =
  | "AL"
  | "AK"
  | "AZ"
  | "AR"
  | "CA"
  | "CO"
  | "CT"
  | "DE"
  | "FL"
  | "GA"
  | "HI"
  | "ID"
  | "IL"
  | "IN"
  | "IA"
  | "KS"
  | "KY"
  | "LA"
  | "ME"
  | "MD"
  | "MA"
  | "MI"
  | "MN"
  | "MS"
  | "MO"
  | "MT"
  | "NE"
  | "NV"
  | "NH"
  | "NJ"
  | "NM"
  | "NY"
  | "NC"
  | "ND"
  | "OH"
  | "OK"
  | "OR"
  | "PA"
  | "RI"
  | "SC"
  | "SD"
  | "TN"
  | "TX"
  | "UT"
  | "VT"
  | "VA"
  | "WA"
  | "WV"
  | "WI"
  | "WY"
  | "DC"
  | "PR"
  | "GU"
  | "VI"
  | "AS"
  | "MP"

/** Which forgiveness ends the loans. */
export type ForgivenessType = "Pslf" | "TimeBased" | "Teacher" | "None"

/** A plan of the keyless calculator. */
export type CalculatorPlan =
  | "standard"
  | "tiered_standard"
  | "extended"
  | "graduated"
  | "ibr_2014"
  | "ibr"
  | "paye"
  | "icr"
  | "repaye"
  | "save"
  | "rap"

/** A loan type by the short name of the keyless calculator. */
export type CalculatorLoanType =
  | "direct_subsidized"
  | "direct_unsubsidized"
  | "grad_plus_legacy"
  | "parent_plus"
  | "direct_consolidation"
  | "direct_consolidation_with_plus"

/** One loan book and the scenario to project it under. */
export interface ProjectionRequest {
  /** The household and the plan. */
  readonly scenario: Scenario
  /** The loan book, 1 to 100 loans. */
  readonly loans: ReadonlyArray<Loan>
  /**
   * Send true to add the year-by-year series. Default false.
   * @default false
   */
  readonly includeYearly?: boolean | undefined
}

/** The household and the plan. */
export interface Scenario {
  /**
   * The repayment plan. Case and surrounding space are ignored. One of: STANDARD; EXTENDED; GRADUATED; INCOME BASED;
   * INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE.
   * INCOME CONTINGENT and PAY AS YOU EARN end on 1 July 2028: loans still open then move to a successor plan, as the
   * law does if the borrower chooses no other. EXTENDED needs more than 30,000 dollars owed in the loan's program.
   */
  readonly planType: PlanType
  /** The borrower's annual adjusted gross income; send 0 for no income. US dollars. */
  readonly adjustedGrossIncome: number
  /**
   * The spouse's annual adjusted gross income; send it for MarriedFilingJointly: absent or null counts as 0 there,
   * and provenance.notes say so. Not counted for any other status. US dollars.
   * @default null
   */
  readonly spouseAdjustedGrossIncome?: number | null | undefined
  /**
   * The balance of the spouse's Direct and FFEL student loans, without Parent PLUS loans, consolidations that repaid
   * one, and loans in default; prorates the payment only for MarriedFilingJointly, and not under INCOME CONTINGENT.
   * US dollars.
   * @default null
   */
  readonly spouseFederalLoanBalance?: number | null | undefined
  /**
   * Federal tax filing status: Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold
   * (HOH). Case is ignored.
   */
  readonly filingStatus: FilingStatus
  /** Dependents claimed on the return; a spouse is never one. */
  readonly dependents: number
  /**
   * Two-letter code of a US state, DC, PR, GU, VI, AS or MP. Chooses the poverty guideline (AK, HI, others) and the
   * state tax on forgiven balances (AR, IN, MS, NC, WI).
   */
  readonly state: State
  /** Whether the borrower works toward Public Service Loan Forgiveness. */
  readonly workingTowardsPslf: boolean
  /**
   * Growth of both incomes per year. Default 0. A fraction: 0.0654 means 6.54%.
   * @default 0
   */
  readonly annualIncomeGrowth?: number | undefined
  /**
   * Echoed in the projection's label; at most 80 characters.
   * @default null
   */
  readonly label?: string | null | undefined
  /**
   * The day since which the borrower has owed Direct or FFEL loans without a break; loans repaid in full before a
   * later one was taken do not count. If left out, the earliest madeOn is used if every such loan has one and none is
   * a consolidation; otherwise the day is unknown.
   * @default null
   */
  readonly firstBorrowedOn?: string | null | undefined
  /**
   * Growth of prices per year, by which the poverty guideline, the incomes of the ICR factor table and the federal
   * tax brackets and deduction rise. Default 0. A fraction: 0.0654 means 6.54%.
   * @default 0
   */
  readonly annualPriceGrowth?: number | null | undefined
  /**
   * What changes in later years, at most 20, in order of fromYear.
   * @default []
   */
  readonly changes?: ReadonlyArray<Change> | null | undefined
  /**
   * Paid every month beyond what is due, at most what is owed: to the due loan with the highest rate first. US
   * dollars.
   * @default 0
   */
  readonly extraMonthlyPayment?: number | null | undefined
  /**
   * The family as the servicer counts it for the poverty guideline, in place of the return's: such as a child whom
   * the other parent claims, or a parent whom the borrower supports. It holds until another is sent; a later change
   * of filingStatus or dependents does not move it. REPAYMENT ASSISTANCE and taxes go on with dependents.
   * @default null
   */
  readonly familySize?: number | null | undefined
  /**
   * Months without a payment, at most 10. Pauses of one loan may touch, not overlap.
   * @default []
   */
  readonly pauses?: ReadonlyArray<Pause> | null | undefined
  /**
   * The plans that the borrower chooses later, at most 5, in order of from.
   * @default []
   */
  readonly planChanges?: ReadonlyArray<PlanChange> | null | undefined
  /**
   * What the borrower pays in all each month: what is beyond the payment due is paid as extraMonthlyPayment is. Not
   * beside an extraMonthlyPayment above 0. US dollars.
   * @default 0
   */
  readonly monthlyBudget?: number | null | undefined
  /**
   * Amounts that are paid once, at most 20.
   * @default []
   */
  readonly lumpSums?: ReadonlyArray<LumpSum> | null | undefined
  /**
   * Adds presentValue to the projection: payments and tax, discounted at this rate per year. A fraction: 0.0654 means
   * 6.54%.
   * @default null
   */
  readonly discountRate?: number | null | undefined
}

/**
 * What changes in the scenario from a year on; everything else stays the same. Send at least one member other than
 * fromYear.
 */
export interface Change {
  /**
   * The change holds from the first month of this year of repayment on: 2 begins with the 13th payment. Must be later
   * than the previous change's.
   */
  readonly fromYear: number
  /**
   * The borrower's income of that year; it grows from there. US dollars.
   * @default null
   */
  readonly adjustedGrossIncome?: number | null | undefined
  /**
   * The spouse's income of that year; it grows from there. US dollars.
   * @default null
   */
  readonly spouseAdjustedGrossIncome?: number | null | undefined
  /**
   * The balance of the spouse's Direct and FFEL student loans, without Parent PLUS loans, consolidations that repaid
   * one, and loans in default; prorates the payment only for MarriedFilingJointly, and not under INCOME CONTINGENT.
   * US dollars.
   * @default null
   */
  readonly spouseFederalLoanBalance?: number | null | undefined
  /**
   * Federal tax filing status: Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold
   * (HOH). Case is ignored.
   * @default null
   */
  readonly filingStatus?: FilingStatus | null | undefined
  /**
   * Dependents claimed on the return; a spouse is never one.
   * @default null
   */
  readonly dependents?: number | null | undefined
  /**
   * Whether the borrower works toward Public Service Loan Forgiveness.
   * @default null
   */
  readonly workingTowardsPslf?: boolean | null | undefined
  /**
   * The family as the servicer counts it for the poverty guideline, in place of the return's: such as a child whom
   * the other parent claims, or a parent whom the borrower supports. It holds until another is sent; a later change
   * of filingStatus or dependents does not move it. REPAYMENT ASSISTANCE and taxes go on with dependents.
   * @default null
   */
  readonly familySize?: number | null | undefined
  /**
   * Paid every month beyond what is due, at most what is owed: to the due loan with the highest rate first. US
   * dollars.
   * @default null
   */
  readonly extraMonthlyPayment?: number | null | undefined
  /**
   * What the borrower pays in all each month: what is beyond the payment due is paid as extraMonthlyPayment is. Not
   * beside an extraMonthlyPayment above 0. US dollars.
   * @default null
   */
  readonly monthlyBudget?: number | null | undefined
}

/** Months in which nothing is due on some loans, and which count for no forgiveness. */
export interface Pause {
  /**
   * InSchool: in school or in the grace period, before a first payment. Interest of a subsidized loan stands still in
   * InSchool and Deferment, not in Forbearance.
   */
  readonly kind: "InSchool" | "Deferment" | "Forbearance"
  /**
   * The first month of the pause. Absent or null: it runs already.
   * @default null
   */
  readonly from?: string | null | undefined
  /** The first month that is due again, at most ten years ahead. */
  readonly until: string
  /**
   * The paused loans, by position. Absent or null: all.
   * @default null
   */
  readonly loans?: ReadonlyArray<number> | null | undefined
}

/**
 * Every open loan is repaid from that month on as a request with this plan would have it. Unpaid interest joins the
 * principal where the borrower leaves INCOME BASED or INCOME BASED (OLD), which may be left for STANDARD or REPAYMENT
 * ASSISTANCE alone.
 */
export interface PlanChange {
  /** The first month under the plan. The last change that is not after the first month is the plan asked for. */
  readonly from: string
  /**
   * The repayment plan. Case and surrounding space are ignored. One of: STANDARD; EXTENDED; GRADUATED; INCOME BASED;
   * INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE.
   * INCOME CONTINGENT and PAY AS YOU EARN end on 1 July 2028: loans still open then move to a successor plan, as the
   * law does if the borrower chooses no other. EXTENDED needs more than 30,000 dollars owed in the loan's program.
   */
  readonly planType: PlanType
}

/** An amount that is paid once. */
export interface LumpSum {
  /** The month in which it is paid, after the month's payments. */
  readonly on: string
  /** Paid over all open loans, paused ones too, the highest rate first. US dollars. */
  readonly amount: number
}

/** One federal loan. */
export interface Loan {
  /**
   * Decides plan eligibility. Case and surrounding space are ignored. One of: DIRECT CONSOLIDATED SUBSIDIZED; DIRECT
   * CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE); DIRECT CONSOLIDATED UNSUBSIDIZED; DIRECT PARENT PLUS; DIRECT PARENT PLUS
   * CONSOLIDATED; DIRECT PLUS CONSOLIDATED; DIRECT PLUS GRADUATE; DIRECT PLUS PARENT; DIRECT STAFFORD SUBSIDIZED;
   * DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE); DIRECT STAFFORD UNSUBSIDIZED; DIRECT UNSUBSIDIZED (TEACH); FEDERAL
   * PERKINS; FEDERALLY INSURED (FISL); FFEL CONSOLIDATED; FFEL PARENT PLUS; FFEL PARENT PLUS CONSOLIDATED; FFEL PLUS
   * GRADUATE; FFEL PLUS PARENT; FFEL REFINANCED; FFEL STAFFORD NON-SUBSIDIZED; FFEL STAFFORD SUBSIDIZED; FFEL
   * STAFFORD UNSUBSIDIZED; FFEL SUPPLEMENTAL LOAN (SLS); HEALTH PROFESSIONS STUDENT LOAN (HPSL); INCOME CONTINGENT
   * (ICL); NATIONAL DEFENSE LOAN (PERKINS); NATIONAL DIRECT STUDENT LOAN (PERKINS); PERKINS EXPANDED LENDING.
   */
  readonly loanType: LoanType
  /** Outstanding principal, which bears the interest. US dollars. */
  readonly principalBalance: number
  /**
   * Unpaid interest already accrued; it bears none itself. Default 0. US dollars.
   * @default 0
   */
  readonly interestBalance?: number | undefined
  /** Annual interest rate. A fraction: 0.0654 means 6.54%. */
  readonly interestRate: number
  /**
   * Original disbursement; 0 falls back to principalBalance. Default 0. US dollars.
   * @default 0
   */
  readonly disbursedAmount?: number | undefined
  /**
   * Months already counted toward income-driven forgiveness; months of REPAYMENT ASSISTANCE count toward the other
   * plans only if the payment was at least the ten-year Standard amount. They are also deducted from the term of
   * every fixed plan except Tiered Standard. Default 0.
   * @default 0
   */
  readonly idrMonthsInRepayment?: number | undefined
  /**
   * Qualifying public-service-forgiveness payments so far. On a Direct loan they also shorten a ten-year STANDARD
   * term, even if workingTowardsPslf is false: the larger of this count and idrMonthsInRepayment is deducted. Default
   * 0.
   * @default 0
   */
  readonly pslfCount?: number | undefined
  /**
   * The day of the first disbursement; for a consolidation, the day on which it was made. Together with the other
   * dates it decides which plans are open, and whether STANDARD means Tiered Standard for Direct loans.
   * @default null
   */
  readonly madeOn?: string | null | undefined
}

/** One loan book projected under one plan. */
export interface ProjectionResult {
  /** The scenario's label. */
  readonly label: string | null
  /** The plan, in canonical spelling. */
  readonly planType: string | null
  /** Payment in the first repayment month, without extraMonthlyPayment, whole US dollars, rounded half up. */
  readonly year1MonthlyPayment: number
  /** Month in which the last loan is paid off or forgiven; null if the projection never ends. */
  readonly payoffOrForgivenessDate: string | null
  /**
   * Index of that month counted from 0: a ten-year loan of 120 payments ends at 119. Unpaid interest bears none, so a
   * loan that starts with it ends sooner.
   */
  readonly monthsToFinish: number | null
  /** All that the borrower pays over the projection, tax not included. US dollars and whole cents. */
  readonly totalOutOfPocket: number
  /** Balance forgiven; 0 if the loans are paid off. US dollars and whole cents. */
  readonly amountForgiven: number
  /**
   * Estimated federal and state income tax on the forgiven balance; public-service forgiveness is not taxed. US
   * dollars and whole cents.
   */
  readonly forgivenessTaxesOwed: number
  /** Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /**
   * Deprecated, read forgivenessType: 0 Pslf, 1 TimeBased, 2 Teacher, 3 None.
   * @deprecated
   */
  readonly forgivenessTypeCode: 0 | 1 | 2 | 3
  /**
   * Payments and tax, discounted to the first month; present only when discountRate was sent. US dollars and whole
   * cents.
   */
  readonly presentValue?: number
  /** Mean rate of the book weighted by principal, a fraction with six decimals. */
  readonly weightedAverageInterestRate: number
  /** Present only when includeYearly was true. */
  readonly yearly?: ReadonlyArray<YearlyPoint> | null
  /** Where the numbers of an answer come from. */
  readonly provenance: EngineProvenance
}

/** The loan book after one year of repayment. */
export interface YearlyPoint {
  /** 0 for the opening balance, then 1, 2, ... per year of repayment. */
  readonly year: number
  /** The month in which the balances are read; year 0 is the repayment start. */
  readonly date: string
  /** Outstanding principal of the whole book at date. US dollars and whole cents. */
  readonly principalBalance: number
  /** Outstanding unpaid interest of the whole book at date. US dollars and whole cents. */
  readonly interestBalance: number
  /** Paid during this year; 0 for year 0. US dollars and whole cents. */
  readonly paymentsThisYear: number
  /** Paid from the start through this year; the last point equals totalOutOfPocket. US dollars and whole cents. */
  readonly cumulativePaid: number
  /** Forgiven during this year; all years add up to amountForgiven. US dollars and whole cents. */
  readonly forgivenThisYear: number
}

/** Where the numbers of an answer come from. */
export interface EngineProvenance {
  /** Always repayment-of-record. */
  readonly computedBy: string
  /** The engine component that produced the numbers. */
  readonly engine: string
  /** True when published or hand-worked cases of the plan are reproduced by the test suite. */
  readonly parityVerified: boolean
  /** When the answer was computed. */
  readonly computedAtUtc: string
  /** Version of the rules ledger, rl1-<hex>. */
  readonly ruleVersion: string
  /** The constants that this answer used, and no others. */
  readonly citations: ReadonlyArray<RuleCitation>
  /** Rules knowingly not applied that affect this answer. */
  readonly knownOmissions?: ReadonlyArray<RuleOmissionNote>
  /**
   * What the figures alone do not show: loans that the plan cannot take, which are repaid outside it, and their part
   * of the first payment; a spouse's income that was not sent and counts as 0; an unusual interest rate, which was
   * used as sent but may be a mistake; the arm with the lowest cost, if lowestCostLabel does not name it or nobody
   * can elect its plan. Absent if there is nothing to say.
   */
  readonly notes?: ReadonlyArray<string>
  /** Public id of the record. */
  readonly answerId: string | null
  /** Where anyone can confirm the record. */
  readonly verifyUrl: string | null
  /**
   * Unguessable bytes in base64url; the service keeps no copy. They are random, or derived from the Idempotency-Key
   * and a secret. Anyone who has the answer with its salt can compute the answerHash of the record; without the salt
   * nobody can.
   */
  readonly answerSalt: string | null
}

/** A constant of the rules ledger that an answer used. */
export interface RuleCitation {
  /** Id of the constant in GET /v1/rules. */
  readonly id: string
  /** Short name. */
  readonly label: string
  /** Who publishes it. */
  readonly authority: string
  /** Where it is published. */
  readonly url: string
  /** Date from which it applies, YYYY-MM-DD. */
  readonly effectiveDate: string
  /** Date on which it was last checked, YYYY-MM-DD. */
  readonly lastVerified: string
}

/** A rule knowingly not applied to an answer. */
export interface RuleOmissionNote {
  /** Id of the omission in GET /v1/rules. */
  readonly id: string
  /** Short name. */
  readonly label: string
  /** What is not applied, and what that does to the figures. */
  readonly detail: string
  /** Who publishes the rule. */
  readonly authority: string
  /** Where it is published. */
  readonly url: string
  /** Date from which the rule applies, YYYY-MM-DD. */
  readonly effectiveDate: string
  /** Date on which the rule ends, YYYY-MM-DD; empty when no end is known. */
  readonly expiresDate: string
  /** Date on which it was last checked, YYYY-MM-DD. */
  readonly lastVerified: string
}

/** A projection with ids in place of the rules' texts. */
export interface BriefProjection {
  /** The scenario's label. */
  readonly label: string | null
  /** The plan, in canonical spelling. */
  readonly planType: string | null
  /** Payment in the first repayment month, without extraMonthlyPayment, whole US dollars, rounded half up. */
  readonly year1MonthlyPayment: number
  /** Month in which the last loan is paid off or forgiven; null if the projection never ends. */
  readonly payoffOrForgivenessDate: string | null
  /**
   * Index of that month counted from 0: a ten-year loan of 120 payments ends at 119. Unpaid interest bears none, so a
   * loan that starts with it ends sooner.
   */
  readonly monthsToFinish: number | null
  /** All that the borrower pays over the projection, tax not included. US dollars and whole cents. */
  readonly totalOutOfPocket: number
  /** Balance forgiven; 0 if the loans are paid off. US dollars and whole cents. */
  readonly amountForgiven: number
  /**
   * Estimated federal and state income tax on the forgiven balance; public-service forgiveness is not taxed. US
   * dollars and whole cents.
   */
  readonly forgivenessTaxesOwed: number
  /** Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /**
   * Deprecated, read forgivenessType: 0 Pslf, 1 TimeBased, 2 Teacher, 3 None.
   * @deprecated
   */
  readonly forgivenessTypeCode: 0 | 1 | 2 | 3
  /**
   * Payments and tax, discounted to the first month; present only when discountRate was sent. US dollars and whole
   * cents.
   */
  readonly presentValue?: number
  /** Mean rate of the book weighted by principal, a fraction with six decimals. */
  readonly weightedAverageInterestRate: number
  /** Present only when includeYearly was true. */
  readonly yearly?: ReadonlyArray<YearlyPoint> | null
  /** Provenance with ids in place of the rules' texts. */
  readonly provenance: BriefProvenance
}

/** Provenance with ids in place of the rules' texts. */
export interface BriefProvenance {
  /** When the answer was computed. */
  readonly computedAtUtc: string
  /** Version of the rules ledger, rl1-<hex>. */
  readonly ruleVersion: string
  /** Ids of the constants behind the figures. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the rules that were not applied. */
  readonly knownOmissions?: ReadonlyArray<string>
  /**
   * What the figures alone do not show: loans that the plan cannot take, which are repaid outside it, and their part
   * of the first payment; a spouse's income that was not sent and counts as 0; an unusual interest rate, which was
   * used as sent but may be a mistake; the arm with the lowest cost, if lowestCostLabel does not name it or nobody
   * can elect its plan. Absent if there is nothing to say.
   */
  readonly notes?: ReadonlyArray<string>
  /** Public id of the record. */
  readonly answerId: string | null
  /** Where anyone can confirm the record. */
  readonly verifyUrl: string | null
  /**
   * Unguessable bytes in base64url; the service keeps no copy. They are random, or derived from the Idempotency-Key
   * and a secret. Anyone who has the answer with its salt can compute the answerHash of the record; without the salt
   * nobody can.
   */
  readonly answerSalt: string | null
  /** SHA-256 of what is left out, so that the answer can be checked as it is. */
  readonly textsHash: string
}

/** The scenarios to compare. */
export interface ComparisonRequest {
  /** The scenarios, 2 to 10. One whose plan is closed to its loans refuses the whole call; the problem names it. */
  readonly arms: ReadonlyArray<ComparisonArm>
  /**
   * Send true to add the year-by-year series. Default false.
   * @default false
   */
  readonly includeYearly?: boolean | undefined
}

/** One scenario and the loan book to project under it. */
export interface ComparisonArm {
  /** The household and the plan. */
  readonly scenario: Scenario
  /** The loan book, 1 to 100 loans. */
  readonly loans: ReadonlyArray<Loan>
}

/** The scenarios side by side. */
export interface ScenarioComparisonResult {
  /** One projection per arm, in arm order. */
  readonly projections: ReadonlyArray<ProjectionResult>
  /**
   * Label of the arm with the lowest totalOutOfPocket plus forgivenessTaxesOwed; on a tie, the first one's. Null if
   * that arm has no label. If only other arms have labels, or another arm has the same one, provenance.notes name the
   * arm. Arms under SAVE or REVISED PAY AS YOU EARN count too, although nobody can elect these plans any more:
   * knownOmissions then say so, and provenance.notes name the cheapest arm that can be elected.
   */
  readonly lowestCostLabel: string | null
  /** Where the numbers of an answer come from. */
  readonly provenance: EngineProvenance
}

/** A comparison with ids in place of the rules' texts, and without provenance in its arms. */
export interface BriefComparison {
  /** The arms in the order of the request. */
  readonly projections: ReadonlyArray<BriefArm>
  /**
   * Label of the arm with the lowest totalOutOfPocket plus forgivenessTaxesOwed; on a tie, the first one's. Null if
   * that arm has no label. If only other arms have labels, or another arm has the same one, provenance.notes name the
   * arm. Arms under SAVE or REVISED PAY AS YOU EARN count too, although nobody can elect these plans any more:
   * knownOmissions then say so, and provenance.notes name the cheapest arm that can be elected.
   */
  readonly lowestCostLabel: string | null
  /** Provenance with ids in place of the rules' texts. */
  readonly provenance: BriefProvenance
}

/** The figures of an arm of a brief comparison. */
export interface BriefArm {
  /** The scenario's label. */
  readonly label: string | null
  /** The plan, in canonical spelling. */
  readonly planType: string | null
  /** Payment in the first repayment month, without extraMonthlyPayment, whole US dollars, rounded half up. */
  readonly year1MonthlyPayment: number
  /** Month in which the last loan is paid off or forgiven; null if the projection never ends. */
  readonly payoffOrForgivenessDate: string | null
  /**
   * Index of that month counted from 0: a ten-year loan of 120 payments ends at 119. Unpaid interest bears none, so a
   * loan that starts with it ends sooner.
   */
  readonly monthsToFinish: number | null
  /** All that the borrower pays over the projection, tax not included. US dollars and whole cents. */
  readonly totalOutOfPocket: number
  /** Balance forgiven; 0 if the loans are paid off. US dollars and whole cents. */
  readonly amountForgiven: number
  /**
   * Estimated federal and state income tax on the forgiven balance; public-service forgiveness is not taxed. US
   * dollars and whole cents.
   */
  readonly forgivenessTaxesOwed: number
  /** Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /**
   * Deprecated, read forgivenessType: 0 Pslf, 1 TimeBased, 2 Teacher, 3 None.
   * @deprecated
   */
  readonly forgivenessTypeCode: 0 | 1 | 2 | 3
  /**
   * Payments and tax, discounted to the first month; present only when discountRate was sent. US dollars and whole
   * cents.
   */
  readonly presentValue?: number
  /** Mean rate of the book weighted by principal, a fraction with six decimals. */
  readonly weightedAverageInterestRate: number
  /** Present only when includeYearly was true. */
  readonly yearly?: ReadonlyArray<YearlyPoint> | null
}

/** The loans to look up. */
export interface EligibilityRequest {
  /** The loan book, 1 to 100 loans. */
  readonly loans: ReadonlyArray<Loan>
  /**
   * The day since which the borrower has owed Direct or FFEL loans without a break; loans repaid in full before a
   * later one was taken do not count. If left out, the earliest madeOn is used if every such loan has one and none is
   * a consolidation; otherwise the day is unknown.
   * @default null
   */
  readonly firstBorrowedOn?: string | null | undefined
}

/** The plans that each loan can elect. */
export interface EligibilityResult {
  /** One entry per loan, in the order sent. */
  readonly loans: ReadonlyArray<LoanEligibility>
  /** Where the numbers of an answer come from. */
  readonly provenance: EngineProvenance
}

/** One loan and the plans that it can elect. */
export interface LoanEligibility {
  /** The loan type in canonical spelling. */
  readonly loanType: string
  /** Principal plus unpaid interest. US dollars and whole cents. */
  readonly balance: number
  /**
   * Plans that this loan can elect, in the order of GET /v1/plan-types. Each is accepted by projection of this loan
   * alone without public service; of the whole book with the exceptions that the operation names.
   */
  readonly eligiblePlanTypes: ReadonlyArray<PlanType>
}

/** The ten plan types accepted by projection and comparison. */
export type PlanTypes = ReadonlyArray<PlanType>

/** One loan and its household; rates and growth in percent. */
export interface KeylessLoanRequest {
  /** Outstanding principal of the one loan. US dollars. */
  readonly balance: number
  /** Annual interest rate. Percent, 0 or 1 to 100: 6 means 6 percent. */
  readonly ratePct: number
  /** The borrower's annual adjusted gross income; send 0 for no income. US dollars. */
  readonly borrowerAgi: number
  /**
   * Federal tax filing status: Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold
   * (HOH). Case is ignored. Absent or null: Single.
   * @default null
   */
  readonly filingStatus?: FilingStatus | null | undefined
  /**
   * The spouse's annual adjusted gross income; counted only for a joint return. US dollars. Absent or null: 0. Send
   * it for a joint return; assumptions say if it is missing.
   * @default null
   */
  readonly spouseAgi?: number | null | undefined
  /**
   * The spouse's Direct and FFEL student loans, none of a parent's and none in default; joint return only. US
   * dollars. Absent or null: 0.
   * @default null
   */
  readonly spouseFederalLoanBalance?: number | null | undefined
  /**
   * Dependents claimed. Default 0.
   * @default 0
   */
  readonly dependents?: number | undefined
  /**
   * A loan type string of the API, or one of direct_subsidized, direct_unsubsidized, grad_plus_legacy, parent_plus,
   * direct_consolidation, direct_consolidation_with_plus. Absent or null: direct_unsubsidized.
   * @default null
   */
  readonly loanType?: CalculatorLoanType | LoanType | null | undefined
  /**
   * Two-letter code of a US state, DC, PR, GU, VI, AS or MP. Chooses the poverty guideline (AK, HI, others) and the
   * state tax on forgiven balances (AR, IN, MS, NC, WI). Absent or null: the poverty guideline of the 48 states, and
   * no state tax.
   * @default null
   */
  readonly state?: State | null | undefined
  /**
   * Whether the borrower works toward public-service forgiveness. Default false.
   * @default false
   */
  readonly pursuingPslf?: boolean | undefined
  /**
   * Qualifying public-service payments so far. On a Direct loan they also shorten a ten-year Standard term, even if
   * pursuingPslf is false: the larger of this count and priorIdrMonths is deducted. Default 0.
   * @default 0
   */
  readonly pslfCreditedMonths?: number | undefined
  /**
   * Months already counted toward income-driven forgiveness. They are also deducted from the term of every fixed plan
   * except Tiered Standard. Default 0.
   * @default 0
   */
  readonly priorIdrMonths?: number | undefined
  /**
   * Income growth per year. Default 0. Percent: 6.54 means 6.54%.
   * @default 0
   */
  readonly incomeGrowthPct?: number | undefined
  /**
   * True for a loan made on or after 1 July 2026. Used for Direct loans only: such a loan can take Repayment
   * Assistance and Tiered Standard, a Parent PLUS loan only Tiered Standard. Absent or null: the loan was made before
   * 1 July 2026, unless firstBorrowedOn is on or after that day.
   * @default null
   */
  readonly borrowedOnOrAfterJul12026?: boolean | null | undefined
  /**
   * The day since which the borrower has owed Direct or FFEL loans without a break; loans repaid in full before a
   * later one was taken do not count. If left out, the earliest madeOn is used if every such loan has one and none is
   * a consolidation; otherwise the day is unknown.
   * @default null
   */
  readonly firstBorrowedOn?: string | null | undefined
  /**
   * The family as the servicer counts it for the poverty guideline, in place of the return's: such as a child whom
   * the other parent claims, or a parent whom the borrower supports. It holds until another is sent; a later change
   * of filingStatus or dependents does not move it. REPAYMENT ASSISTANCE and taxes go on with dependents.
   * @default null
   */
  readonly familySize?: number | null | undefined
}

/** The loan under every federal plan. */
export interface LoanCalcResult {
  /** Date of the computation, YYYY-MM-DD. */
  readonly asOf: string
  /** Plan id of the calculator. The first plan with the lowest monthlyPayment; null if every plan is excluded. */
  readonly lowestMonthlyPlan: CalculatorPlan | null
  /** Plan id of the calculator. The first plan with the lowest lifetimeCost; null if every plan is excluded. */
  readonly lowestLifetimeCostPlan: CalculatorPlan | null
  /** Every plan that the loan can be repaid under. */
  readonly plans: ReadonlyArray<LoanCalcPlan>
  /** The other plans, each with the reason. */
  readonly excludedPlans: ReadonlyArray<LoanCalcExcludedPlan>
  /** Always repayment-of-record. */
  readonly computedBy: string
  /** What the figures assume. */
  readonly assumptions: ReadonlyArray<string>
}

/** The loan under one plan. */
export interface LoanCalcPlan {
  /** Plan id of the calculator. */
  readonly plan: CalculatorPlan
  /** Name of the plan. */
  readonly label: string
  /** Payment in the first month. US dollars and whole cents. */
  readonly monthlyPayment: number
  /** All payments. US dollars and whole cents. */
  readonly totalPaid: number
  /** Balance forgiven. US dollars and whole cents. */
  readonly forgivenBalance: number
  /** Estimated income tax on it. US dollars and whole cents. */
  readonly taxOnForgiveness: number
  /** totalPaid plus taxOnForgiveness. US dollars and whole cents. */
  readonly lifetimeCost: number
  /** Index of the last month, counted from 0, when the loan is paid off. */
  readonly monthsToPayoff: number | null
  /** Index of the forgiveness month, counted from 0. */
  readonly forgivenessAtMonth: number | null
  /** Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /** True when published or hand-worked cases of the plan are reproduced by the test suite. */
  readonly parityVerified: boolean
}

/** A plan without figures for this loan. */
export interface LoanCalcExcludedPlan {
  /** Plan id of the calculator. */
  readonly plan: CalculatorPlan
  /** Name of the plan. */
  readonly label: string
  /** Why the plan is left out, in one sentence. */
  readonly reason: string
}

/**
 * All loans of a borrower and the household. currentPlan is the plan that the borrower is in, with which every path
 * then begins.
 */
export interface PlansRequest {
  /** The household. Every plan is computed, so it names none. */
  readonly scenario: PlansScenario
  /** The loan book, 1 to 100 loans. */
  readonly loans: ReadonlyArray<Loan>
  /**
   * Whether to look for the best path, too: the plan, or the plan and one later change to another, with the lowest
   * cost of those tried. At most 10 loans; counts as ten calls of the rate limit. Default false.
   * @default false
   */
  readonly bestPath?: boolean | undefined
  /**
   * The repayment plan. Case and surrounding space are ignored. One of: STANDARD; EXTENDED; GRADUATED; INCOME BASED;
   * INCOME BASED (OLD); INCOME CONTINGENT; PAY AS YOU EARN; REVISED PAY AS YOU EARN; SAVE; REPAYMENT ASSISTANCE.
   * INCOME CONTINGENT and PAY AS YOU EARN end on 1 July 2028: loans still open then move to a successor plan, as the
   * law does if the borrower chooses no other. EXTENDED needs more than 30,000 dollars owed in the loan's program.
   * @default null
   */
  readonly currentPlan?: PlanType | null | undefined
}

/** The household. Every plan is computed, so it names none. */
export interface PlansScenario {
  /** The borrower's annual adjusted gross income; send 0 for no income. US dollars. */
  readonly adjustedGrossIncome: number
  /**
   * The spouse's annual adjusted gross income; send it for MarriedFilingJointly: absent or null counts as 0 there,
   * and provenance.notes say so. Not counted for any other status. US dollars.
   * @default null
   */
  readonly spouseAdjustedGrossIncome?: number | null | undefined
  /**
   * The balance of the spouse's Direct and FFEL student loans, without Parent PLUS loans, consolidations that repaid
   * one, and loans in default; prorates the payment only for MarriedFilingJointly, and not under INCOME CONTINGENT.
   * US dollars.
   * @default null
   */
  readonly spouseFederalLoanBalance?: number | null | undefined
  /**
   * Federal tax filing status: Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold
   * (HOH). Case is ignored.
   */
  readonly filingStatus: FilingStatus
  /** Dependents claimed on the return; a spouse is never one. */
  readonly dependents: number
  /**
   * Two-letter code of a US state, DC, PR, GU, VI, AS or MP. Chooses the poverty guideline (AK, HI, others) and the
   * state tax on forgiven balances (AR, IN, MS, NC, WI).
   */
  readonly state: State
  /** Whether the borrower works toward Public Service Loan Forgiveness. */
  readonly workingTowardsPslf: boolean
  /**
   * Growth of both incomes per year. Default 0. A fraction: 0.0654 means 6.54%.
   * @default 0
   */
  readonly annualIncomeGrowth?: number | undefined
  /**
   * The day since which the borrower has owed Direct or FFEL loans without a break; loans repaid in full before a
   * later one was taken do not count. If left out, the earliest madeOn is used if every such loan has one and none is
   * a consolidation; otherwise the day is unknown.
   * @default null
   */
  readonly firstBorrowedOn?: string | null | undefined
  /**
   * Growth of prices per year, by which the poverty guideline, the incomes of the ICR factor table and the federal
   * tax brackets and deduction rise. Default 0. A fraction: 0.0654 means 6.54%.
   * @default 0
   */
  readonly annualPriceGrowth?: number | null | undefined
  /**
   * What changes in later years, at most 20, in order of fromYear.
   * @default []
   */
  readonly changes?: ReadonlyArray<Change> | null | undefined
  /**
   * Paid every month beyond what is due, at most what is owed: to the due loan with the highest rate first. US
   * dollars.
   * @default 0
   */
  readonly extraMonthlyPayment?: number | null | undefined
  /**
   * The family as the servicer counts it for the poverty guideline, in place of the return's: such as a child whom
   * the other parent claims, or a parent whom the borrower supports. It holds until another is sent; a later change
   * of filingStatus or dependents does not move it. REPAYMENT ASSISTANCE and taxes go on with dependents.
   * @default null
   */
  readonly familySize?: number | null | undefined
  /**
   * Months without a payment, at most 10. Pauses of one loan may touch, not overlap.
   * @default []
   */
  readonly pauses?: ReadonlyArray<Pause> | null | undefined
  /**
   * What the borrower pays in all each month: what is beyond the payment due is paid as extraMonthlyPayment is. Not
   * beside an extraMonthlyPayment above 0. US dollars.
   * @default 0
   */
  readonly monthlyBudget?: number | null | undefined
  /**
   * Amounts that are paid once, at most 20.
   * @default []
   */
  readonly lumpSums?: ReadonlyArray<LumpSum> | null | undefined
  /**
   * Adds presentValue to the projection: payments and tax, discounted at this rate per year. A fraction: 0.0654 means
   * 6.54%.
   * @default null
   */
  readonly discountRate?: number | null | undefined
}

/** The whole book under every plan. */
export interface PlansResult {
  /** Date of the computation, YYYY-MM-DD. */
  readonly asOf: string
  /** Version of the rules. */
  readonly ruleVersion: string
  /** Every plan that can be chosen for these loans, in the order of GET /v1/plan-types. */
  readonly plans: ReadonlyArray<PlanFigures>
  /** The other plans, each with the reason. */
  readonly excludedPlans: ReadonlyArray<ExcludedPlan>
  /** Plan type, as projections take it. The first plan with the lowest firstPayment; null if every plan is excluded. */
  readonly lowestMonthlyPlan: PlanType | null
  /** Plan type, as projections take it. The first plan with the lowest lifetimeCost; null if every plan is excluded. */
  readonly lowestLifetimeCostPlan: PlanType | null
  /**
   * The path with the lowest cost of those tried. It is not advice: notes say what could undo it. Null if it was not
   * asked for, or if no change of plan that was tried saves anything.
   */
  readonly bestPath: BestPath | null
  /** The rules behind the figures. */
  readonly citations: ReadonlyArray<NamedRule>
  /** The rules that were not applied. */
  readonly knownOmissions: ReadonlyArray<NamedRule>
  /** What the figures of all plans assume. */
  readonly assumptions: ReadonlyArray<string>
}

/** The book under one plan: the figures of a projection. */
export interface PlanFigures {
  /** Plan type, as projections take it. */
  readonly planType: PlanType
  /** Name of the plan. */
  readonly label: string
  /** Payment in the first repayment month, without extraMonthlyPayment, whole US dollars, rounded half up. */
  readonly year1MonthlyPayment: number
  /** The first payment with its cents, as scheduled. US dollars and whole cents. */
  readonly firstPayment: number
  /**
   * Index of that month counted from 0: a ten-year loan of 120 payments ends at 119. Unpaid interest bears none, so a
   * loan that starts with it ends sooner.
   */
  readonly monthsToFinish: number | null
  /** Month in which the last loan is paid off or forgiven; null if the projection never ends. */
  readonly payoffOrForgivenessDate: string | null
  /** All that the borrower pays over the projection, tax not included. US dollars and whole cents. */
  readonly totalOutOfPocket: number
  /** Balance forgiven; 0 if the loans are paid off. US dollars and whole cents. */
  readonly amountForgiven: number
  /** Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /**
   * Estimated federal and state income tax on the forgiven balance; public-service forgiveness is not taxed. US
   * dollars and whole cents.
   */
  readonly forgivenessTaxesOwed: number
  /** totalOutOfPocket plus forgivenessTaxesOwed. US dollars and whole cents. */
  readonly lifetimeCost: number
  /**
   * Payments and tax, discounted to the first month; present only when discountRate was sent. US dollars and whole
   * cents.
   */
  readonly presentValue?: number
  /** What is special about the loans under this plan. */
  readonly notes: ReadonlyArray<string>
}

/** A plan without figures. */
export interface ExcludedPlan {
  /** Plan type, as projections take it. */
  readonly planType: PlanType
  /** Name of the plan. */
  readonly label: string
  /** Why the plan cannot be chosen for these loans. */
  readonly reason: string
}

/** The path with the lowest cost of those tried. It is not advice: notes say what could undo it. */
export interface BestPath {
  /** Plan type, as projections take it. */
  readonly planType: PlanType
  /** Name of the plan. */
  readonly label: string
  /** Payment in the first repayment month, without extraMonthlyPayment, whole US dollars, rounded half up. */
  readonly year1MonthlyPayment: number
  /** The first payment with its cents, as scheduled. US dollars and whole cents. */
  readonly firstPayment: number
  /**
   * Index of that month counted from 0: a ten-year loan of 120 payments ends at 119. Unpaid interest bears none, so a
   * loan that starts with it ends sooner.
   */
  readonly monthsToFinish: number | null
  /** Month in which the last loan is paid off or forgiven; null if the projection never ends. */
  readonly payoffOrForgivenessDate: string | null
  /** All that the borrower pays over the projection, tax not included. US dollars and whole cents. */
  readonly totalOutOfPocket: number
  /** Balance forgiven; 0 if the loans are paid off. US dollars and whole cents. */
  readonly amountForgiven: number
  /** Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /**
   * Estimated federal and state income tax on the forgiven balance; public-service forgiveness is not taxed. US
   * dollars and whole cents.
   */
  readonly forgivenessTaxesOwed: number
  /** totalOutOfPocket plus forgivenessTaxesOwed. US dollars and whole cents. */
  readonly lifetimeCost: number
  /**
   * Payments and tax, discounted to the first month; present only when discountRate was sent. US dollars and whole
   * cents.
   */
  readonly presentValue?: number
  /** What is special about the loans under this plan. */
  readonly notes: ReadonlyArray<string>
  /** The change of plan: a projection with planType and these answers with these figures. */
  readonly planChanges: ReadonlyArray<PathChange>
  /**
   * Less cost than the best path without a change: the best plan, or currentPlan if it was sent. If currentPlan has
   * ended, less than its move to STANDARD, which is made for who does not choose. Of present values, if a
   * discountRate was sent. US dollars and whole cents.
   */
  readonly saves: number
}

/** A later plan; from and planType are as in planChanges. */
export interface PathChange {
  /** The first month under the plan, YYYY-MM. */
  readonly from: string
  /** Plan type, as projections take it. */
  readonly planType: PlanType
  /** Paid in that month. US dollars and whole cents. */
  readonly firstPayment: number
}

/** A rule by its id and its name. */
export interface NamedRule {
  /** Id in GET /v1/rules. */
  readonly id: string
  /** Short name. */
  readonly label: string
}

/**
 * The request of a projection, and the month whose payment is explained. includeYearly is accepted and changes
 * nothing.
 */
export interface ExplainRequest {
  /** The household and the plan. */
  readonly scenario: Scenario
  /** The loan book, 1 to 100 loans. */
  readonly loans: ReadonlyArray<Loan>
  /**
   * Send true to add the year-by-year series. Default false.
   * @default false
   */
  readonly includeYearly?: boolean | undefined
  /**
   * The month to explain: 1 is the first payment. Default 1.
   * @default 1
   */
  readonly month?: number | undefined
}

/** How the payment of one month comes about. */
export interface ExplainResult {
  /** The scenario's label. */
  readonly label: string | null
  /** The plan asked for, in canonical spelling. */
  readonly planType: string
  /** The month, counted from 1. */
  readonly month: number
  /** The month of the payment. */
  readonly date: string
  /** The payment of the month, over all parts. US dollars and whole cents. */
  readonly payment: number
  /** Loans that share a payment; the parts add up to the payment. */
  readonly parts: ReadonlyArray<PaymentPart>
  /** Every rule that a step names, and those behind notes. */
  readonly rules: ReadonlyArray<ExplainedRule>
  /** Rules knowingly not applied that affect the projection that this month belongs to. */
  readonly knownOmissions: ReadonlyArray<RuleOmissionNote>
  /**
   * Says if nobody can elect the plan any more, if the plan ends and what follows it, if nothing is owed in the
   * month, and which values of the request may be mistakes. Absent if there is nothing to say.
   */
  readonly notes?: ReadonlyArray<string>
  /** Always repayment-of-record. */
  readonly computedBy: string
  /** When the explanation was computed. */
  readonly computedAtUtc: string
  /** Version of the rules ledger, rl1-<hex>. */
  readonly ruleVersion: string
}

/** Loans that share a payment. */
export interface PaymentPart {
  /**
   * plan: loans on the plan asked for; successor: loans that moved to another plan when that plan ended; beside:
   * loans that the plan cannot take, on STANDARD; extra: payments beyond what is due, made after the payments due, on
   * loans of the other parts; lump: lump sums, made after those; paused: loans on which nothing is due.
   */
  readonly group: "plan" | "successor" | "beside" | "extra" | "lump" | "paused"
  /** The plan that these loans are on in this month. */
  readonly planType: string
  /** What is paid on these loans in this month. US dollars, not rounded to cents. */
  readonly payment: number
  /** How the payment is computed, step by step. */
  readonly steps: ReadonlyArray<ExplanationStep>
  /** The loans of this part that were open as the month began; none when all are paid or forgiven. */
  readonly loans: ReadonlyArray<ExplainedLoan>
}

/** One intermediate value of a payment. If loan is null, it is for all loans. */
export interface ExplanationStep {
  /** Name of the step for programs: the same under every plan and in every version. */
  readonly term: string
  /** Name of the step for people. */
  readonly name: string
  /** Index of the loan in the request, counted from 0. */
  readonly loan: number | null
  /** The value that the next steps use, not rounded to cents. */
  readonly value: number
  /** Unit of the value. */
  readonly unit: string
  /** How the value follows from those above it. */
  readonly formula: string
  /** The rules behind it, by their ids in `rules`. */
  readonly rules: ReadonlyArray<string>
}

/** What the month did to a loan. */
export interface ExplainedLoan {
  /** Index of the loan in the request, counted from 0. */
  readonly loan: number
  /** Principal as the month begins. US dollars, not rounded to cents. */
  readonly principal: number
  /** Unpaid interest as the month begins. US dollars, not rounded to cents. */
  readonly unpaidInterest: number
  /** Principal and unpaid interest as the month begins, plus the month's interest. US dollars, not rounded to cents. */
  readonly owed: number
  /** Part of the payment that goes to this loan. US dollars, not rounded to cents. */
  readonly payment: number
  /** Interest of the month. US dollars, not rounded to cents. */
  readonly interestAccrued: number
  /** Part of the payment that goes to the month's interest. US dollars, not rounded to cents. */
  readonly toInterest: number
  /** Part of the payment that goes to older unpaid interest. US dollars, not rounded to cents. */
  readonly toUnpaidInterest: number
  /** Part of the payment that goes to principal. US dollars, not rounded to cents. */
  readonly toPrincipal: number
  /** Interest of the month that is waived. US dollars, not rounded to cents. */
  readonly interestWaived: number
  /** Interest of the month that joins the unpaid interest. US dollars, not rounded to cents. */
  readonly interestAdded: number
  /** Reduction of principal on top of what is paid on it. US dollars, not rounded to cents. */
  readonly principalMatched: number
  /** Forgiven at the end of the month. US dollars, not rounded to cents. */
  readonly forgiven: number
  /** Kind of forgiveness; None if nothing is forgiven. Teacher never occurs. */
  readonly forgivenessType: ForgivenessType
  /** Principal after the month. US dollars, not rounded to cents. */
  readonly principalLeft: number
  /** Unpaid interest after the month. US dollars, not rounded to cents. */
  readonly interestLeft: number
}

/** A rule behind a step or a note. */
export interface ExplainedRule {
  /** Id of the constant in GET /v1/rules. */
  readonly id: string
  /** Short name. */
  readonly label: string
  /** Who publishes it. */
  readonly authority: string
  /** Where it is published. */
  readonly url: string
  /** Date from which it applies, YYYY-MM-DD. */
  readonly effectiveDate: string
  /** Date on which it was last checked, YYYY-MM-DD. */
  readonly lastVerified: string
  /** What the constant means. */
  readonly definition: string
  /** Unit of the value. */
  readonly unit: string
  /** The constant; its shape varies by entry. */
  readonly value: Json
  /** The citation of the law, and what of it was read. */
  readonly citation: string
}

/** The record of an answer, without its inputs. */
export interface VerifiedAnswer {
  /** Public id of the record. */
  readonly answerId: string
  /** When the answer was recorded. */
  readonly recordedAtUtc: string
  /** Which surface served the answer. */
  readonly source: "PublicApi" | "McpServer"
  /** <METHOD> <path>, or GET /v1/reference#<scenario id>. */
  readonly endpoint: string
  /** What was computed: one projection, or a comparison. */
  readonly eventType: "calc.projection.run" | "calc.comparison.run"
  /** Version of the rules ledger that produced the answer. */
  readonly ruleVersion: string
  /**
   * Keyed hash of the inputs, h1-<hex>; equal inputs give an equal hash. It reveals nothing by itself, but anyone
   * with a key can test a guess of all inputs by sending them.
   */
  readonly inputsHash: string
  /**
   * What the record commits to, a2-<hex>: SHA-256 of the answer and its salt (provenance.answerSalt). Anyone who has
   * the answer can compute it; it reveals no figure.
   */
  readonly answerHash: string
  /** Always true: the record exists. */
  readonly recorded: boolean
}

/** A record, and whether the answer that was sent matches it. */
export interface CheckedAnswer {
  /** Whether the answer that was sent is the one that was recorded, to the last figure. */
  readonly matches: boolean
  /** The record of an answer, without its inputs. */
  readonly record: VerifiedAnswer
}

/** The account of the key, and its usage this month. */
export interface MeResponse {
  /** Opaque id of the account. */
  readonly tenant: string
  /** Kind of the key. */
  readonly tier: "Sandbox" | "Production"
  /** Identifies the key without exposing it. */
  readonly keyPrefix: string
  /** sandbox or production-monthly. */
  readonly plan: string
  /** Calls per calendar month. */
  readonly monthlyCallLimit: number
  /** Calls used this month, this one included. */
  readonly callsUsedThisPeriod: number
  /** Calls left this month. */
  readonly callsRemaining: number
  /** 00:00 UTC on the 1st of this month. */
  readonly periodStart: string
  /** 00:00 UTC on the 1st of next month. */
  readonly periodResetsAt: string
  /** The page that says how to get more calls. */
  readonly plansPage: string
}

/** A page of the account's records. */
export interface RecordsPage {
  /** Newest first. */
  readonly records: ReadonlyArray<RecordRow>
  /** Send it as cursor for the next page; null on the last page. */
  readonly nextCursor: number | null
}

/** The record of one of the account's answers. */
export interface RecordRow {
  /** Public id of the record. */
  readonly answerId: string
  /** When the answer was recorded. */
  readonly recordedAtUtc: string
  /** Which surface served the answer. */
  readonly source: "PublicApi" | "McpServer"
  /** <METHOD> <path>, or GET /v1/reference#<scenario id>. */
  readonly endpoint: string
  /** What was computed: one projection, or a comparison. */
  readonly eventType: "calc.projection.run" | "calc.comparison.run"
  /** Version of the rules ledger that produced the answer. */
  readonly ruleVersion: string
  /**
   * Keyed hash of the inputs, h1-<hex>; equal inputs give an equal hash. It reveals nothing by itself, but anyone
   * with a key can test a guess of all inputs by sending them.
   */
  readonly inputsHash: string
  /**
   * What the record commits to, a2-<hex>: SHA-256 of the answer and its salt (provenance.answerSalt). Anyone who has
   * the answer can compute it; it reveals no figure.
   */
  readonly answerHash: string
  /** Prefix of the key that made the call. */
  readonly keyPrefix: string
  /** Where anyone can confirm the record. */
  readonly verifyUrl: string
}

/** The rules ledger. */
export interface RulesResponse {
  /** rl1-<hex>; equals the ETag. */
  readonly version: string
  /** Release instant of this version. */
  readonly generatedAtUtc: string
  /**
   * Revision of the engine, raised when a change of its code moves figures. The version is computed from it and the
   * entries.
   */
  readonly engineRevision: number
  /** Every constant that the engine uses. */
  readonly constants: ReadonlyArray<RuleConstantEntry>
  /** Every rule knowingly not applied. */
  readonly knownOmissions: ReadonlyArray<RuleOmissionEntry>
  /** How to read and poll the ledger. */
  readonly howToUse: string
}

/** One constant of the law, with its source and dates. */
export interface RuleConstantEntry {
  /** Stable id. */
  readonly id: string
  /** Short name. */
  readonly label: string
  /** Plan type, or ALL, PSLF, TEACHER. */
  readonly plan: string
  /** Unit of the value. */
  readonly unit: string
  /** What the constant means. */
  readonly definition: string
  /** The constant; its shape varies by entry. */
  readonly value: Json
  /** Where a rule is published. */
  readonly source: SourceEntry
  /** YYYY-MM-DD. */
  readonly effectiveDate: string
  /** YYYY-MM-DD. */
  readonly lastVerified: string
  /**
   * Whether parity cases, whose figures come from outside this service, fail when the engine deviates from this rule.
   */
  readonly parityLocked: boolean
}

/** Where a rule is published. */
export interface SourceEntry {
  /** Who publishes the rule. */
  readonly authority: string
  /** Where it is published. */
  readonly url: string
  /** Citation, and what of it was read. */
  readonly note: string
  /**
   * How surely the rule was read. statute: The text of a statute, a regulation or an official notice was read in a
   * copy. official-copy: An official page, notice or printed table was read in a copy. open-model: The figures were
   * found in open tax or benefit models that cite the official source. third-party: It was read in a quotation or a
   * report of the official source. convention: The engine chose or derived it; no official text states it in this
   * form.
   */
  readonly evidence: "statute" | "official-copy" | "open-model" | "third-party" | "convention"
  /** How often the source is updated. */
  readonly cadence: string
}

/** One rule knowingly not applied. */
export interface RuleOmissionEntry {
  /** Stable id. */
  readonly id: string
  /** Short name. */
  readonly label: string
  /** What is not applied, and what that does to the figures. */
  readonly detail: string
  /** Where a rule is published. */
  readonly source: SourceEntry
  /** YYYY-MM-DD. */
  readonly effectiveDate: string
  /** YYYY-MM-DD; empty when no end is known. */
  readonly expiresDate: string
  /** YYYY-MM-DD. */
  readonly lastVerified: string
}

/** The canonical scenarios, computed and recorded now. */
export interface ReferenceResponse {
  /** Version of the rules ledger. */
  readonly ruleVersion: string
  /** When the scenarios were computed. */
  readonly computedAtUtc: string
  /** How to replay and verify. */
  readonly howToUse: string
  /** The four scenarios. */
  readonly scenarios: ReadonlyArray<ReferenceAnswer>
}

/** One canonical scenario and its recorded answer. */
export interface ReferenceAnswer {
  /** Scenario id. */
  readonly id: string
  /** Short name. */
  readonly title: string
  /** What the scenario shows. */
  readonly description: string
  /** Case of the test suite that fixes its figures. */
  readonly oracleScenario: string
  /** Replays the scenario through POST /v1/comparison. */
  readonly request: ComparisonRequest
  /** The recorded answer; provenance.verifyUrl confirms it. */
  readonly answer: ScenarioComparisonResult
}

/** A new sandbox key, shown once. */
export interface SandboxKeyResponse {
  /** The key. Shown once; it cannot be recovered. */
  readonly apiKey: string
  /** Identifies the key without exposing it. */
  readonly keyPrefix: string
  /** Kind of the key. */
  readonly tier: "Sandbox" | "Production"
  /** Calls per calendar month, UTC. */
  readonly monthlyCallLimit: number
  /** Header that carries the key. */
  readonly headerName: string
  /** The tool server. */
  readonly mcpEndpoint: string
  /** When the key stops working. */
  readonly expiresAt: string
  /** Payment link with the address filled in. */
  readonly upgradeUrl: string
  /** Start page of the service. */
  readonly platformUrl: string
  /** How to collect a production key once the subscription is paid. */
  readonly claimHow: string
  /** Terms of use. */
  readonly terms: string
  /** What to do with the key now. */
  readonly notice: string
}

/** The production key, shown once. */
export interface ClaimKeyResponse {
  /** The key. Shown once; it cannot be recovered. */
  readonly apiKey: string
  /** Identifies the key without exposing it. */
  readonly keyPrefix: string
  /** Kind of the key. */
  readonly tier: "Sandbox" | "Production"
  /** Calls per calendar month, UTC. */
  readonly monthlyCallLimit: number
  /** Header that carries the key. */
  readonly headerName: string
  /** The tool server. */
  readonly mcpEndpoint: string
  /** Prefix of the production key that this claim revoked; empty if there was none. */
  readonly revokedKeyPrefix: string
  /** What to do with the key now. */
  readonly notice: string
}

/** The host that answers. */
export interface Health {
  /** Always ok: a host that is not ok does not answer. */
  readonly status: "ok"
  /** Build commit of this host. */
  readonly commit: string
  /** Version of the service. */
  readonly version: string
  /** Version of the rules ledger. */
  readonly ruleVersion: string
}

/** Which records to list; an absent member does not restrict them. */
export interface RecordsFilter {
  /** Earliest time of recording, inclusive. */
  readonly from?: Date | string | undefined
  /** Latest time of recording, exclusive. */
  readonly to?: Date | string | undefined
  /** nextCursor of the previous page. null asks for the first page, as no cursor does. */
  readonly cursor?: number | null | undefined
  /**
   * Rows per page. 1 to 1000.
   * @default 100
   */
  readonly limit?: number | undefined
}

/** How much of an answer is sent: `brief` leaves out the texts of citations and omissions, and sends their ids. */
export type Detail = "brief" | "full"

/** What every call takes last. */
export interface CallOptions {
  /** Cancels the call, which is rejected with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
}

/** What a recorded call takes last. */
export interface RecordedCallOptions<D extends Detail> extends CallOptions {
  /** @default "full" */
  readonly detail?: D | undefined
  /**
   * Makes the call safe to send again: with one key, an account is charged and answered once. 1 to 255 visible ASCII
   * characters.
   * @default a new random one for each call, so that its retries are safe
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * One method for each operation. A promise is rejected with a ServiceProblem, a ServiceUnreachable, an
 * UnexpectedAnswer, or the reason of its signal.
 */
export interface Client {
  /**
   * Project one loan book under one plan. First payment, payoff or forgiveness date, total paid, amount forgiven and
   * the tax on it; with includeYearly also the series year by year. Rates and growth are fractions (0.0654 means
   * 6.54%), money is US dollars. The answer is recorded before it is returned; with an Idempotency-Key the request
   * can be sent again, and is charged and recorded once. Private loans and consolidation are not modeled.
   *
   * POST /v1/projection, with a key. Rejected with ValidationProblem, ArtifactPlanProblem, IneligiblePlanProblem,
   * UnauthorizedProblem, RequestTimeoutProblem, RulesChangedProblem, PayloadTooLargeProblem,
   * UnsupportedMediaTypeProblem, IdempotencyKeyReusedProblem, QuotaExceededProblem, RateLimitedProblem,
   * HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly project: <D extends Detail = "full">(
    request: ProjectionRequest,
    options?: RecordedCallOptions<D>
  ) => Promise<D extends "brief" ? BriefProjection : ProjectionResult>
  /**
   * Compare 2 to 10 scenarios. One projection per arm, in arm order, and the label of the arm with the lowest
   * totalOutOfPocket plus forgivenessTaxesOwed. Give each scenario a label. One record covers every arm; with an
   * Idempotency-Key the request can be sent again, and is charged and recorded once.
   *
   * POST /v1/comparison, with a key. Rejected with ValidationProblem, ArtifactPlanProblem, IneligiblePlanProblem,
   * UnauthorizedProblem, RequestTimeoutProblem, RulesChangedProblem, PayloadTooLargeProblem,
   * UnsupportedMediaTypeProblem, IdempotencyKeyReusedProblem, QuotaExceededProblem, RateLimitedProblem,
   * HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly compare: <D extends Detail = "full">(
    request: ComparisonRequest,
    options?: RecordedCallOptions<D>
  ) => Promise<D extends "brief" ? BriefComparison : ScenarioComparisonResult>
  /**
   * Which plans each loan can elect. Decides for each loan and plan, by the loan's type and the months already
   * counted. EXTENDED also needs more than 30,000 dollars owed in the loan's program. INCOME BASED, PAY AS YOU EARN
   * and EXTENDED are closed if older loans in the book show that the borrower is not new. Plans closed by the
   * judgment of 10 March 2026 are left out. If a Direct loan has a madeOn on or after 1 July 2026, or firstBorrowedOn
   * is on or after that day, all of the borrower's Direct loans can take only REPAYMENT ASSISTANCE and STANDARD,
   * which is then Tiered Standard; Parent PLUS loans can take only STANDARD. firstBorrowedOn or the earliest loan
   * decides who is a new borrower of 2014 for INCOME BASED, and of 2007 for PAY AS YOU EARN. Without dates, every
   * loan counts as made before 1 July 2026, and both INCOME BASED and INCOME BASED (OLD) are returned;
   * provenance.notes says so. Projection and comparison accept every returned plan for the same loans, with three
   * exceptions: public service is on, the counts of another loan in the book refuse the plan, or the loan owes
   * nothing and no loan that owes can take the plan. Not recorded: provenance.answerId is null.
   *
   * POST /v1/plan-eligibility, with a key. Rejected with ValidationProblem, UnauthorizedProblem,
   * RequestTimeoutProblem, PayloadTooLargeProblem, UnsupportedMediaTypeProblem, QuotaExceededProblem,
   * RateLimitedProblem, HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly eligiblePlans: (request: EligibilityRequest, options?: CallOptions) => Promise<EligibilityResult>
  /**
   * The plan types. The plan type strings that projection and comparison accept.
   *
   * GET /v1/plan-types, with a key. Rejected with UnauthorizedProblem, RequestTimeoutProblem, QuotaExceededProblem,
   * RateLimitedProblem, HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem.
   */
  readonly planTypes: (options?: CallOptions) => Promise<PlanTypes>
  /**
   * One loan under every federal plan. First payment, lifetime cost, forgiveness and the tax on it for every plan
   * that the loan can be repaid under; the other plans are listed with the reason. Rates and growth are percent here
   * (6.54 means 6.54%), money is US dollars. No key, no record and no answer id: only the keyed projection and
   * comparison are recorded.
   *
   * POST /v1/calculators/loan. Rejected with ValidationProblem, RequestTimeoutProblem, PayloadTooLargeProblem,
   * UnsupportedMediaTypeProblem, RateLimitedProblem, HeadersTooLargeProblem, InternalProblem, OverloadedProblem.
   */
  readonly calculate: (request: KeylessLoanRequest, options?: CallOptions) => Promise<LoanCalcResult>
  /**
   * A whole book under every plan. All loans of a borrower under every plan that can be chosen: first payment, date
   * of payoff or forgiveness, total paid, amount forgiven, the tax on it, and the lowest. The other plans are listed
   * with the reason. Send all loans in one request: an income-driven payment counts once for all of them, so the
   * figures of single loans do not add up. With bestPath it also looks for the change of plan with the lowest cost of
   * those tried. Takes the scenario of POST /v1/projection without planType, planChanges and label. Rates and growth
   * are fractions. No key, no record and no answer id.
   *
   * POST /v1/calculators/plans. Rejected with ValidationProblem, ArtifactPlanProblem, IneligiblePlanProblem,
   * RequestTimeoutProblem, PayloadTooLargeProblem, UnsupportedMediaTypeProblem, RateLimitedProblem,
   * HeadersTooLargeProblem, InternalProblem, OverloadedProblem.
   */
  readonly comparePlans: (request: PlansRequest, options?: CallOptions) => Promise<PlansResult>
  /**
   * How the payment of a month comes about. Each intermediate value of one month's payment, with its formula and the
   * rule behind it: income, poverty guideline, discretionary income or band, cap, share, minimum, or the terms of the
   * amortization. It also shows how the payment is split between interest and principal of each loan. knownOmissions
   * lists the rules not applied in the projection that the month belongs to. notes say if nobody can elect the plan
   * any more, and when it ends. Takes the request of POST /v1/projection and a month (default 1, the first payment).
   * Rates and growth are fractions. No key, no record and no answer id.
   *
   * POST /v1/explain. Rejected with ValidationProblem, ArtifactPlanProblem, IneligiblePlanProblem,
   * RequestTimeoutProblem, PayloadTooLargeProblem, UnsupportedMediaTypeProblem, RateLimitedProblem,
   * HeadersTooLargeProblem, InternalProblem, OverloadedProblem.
   */
  readonly explain: (request: ExplainRequest, options?: CallOptions) => Promise<ExplainResult>
  /**
   * Confirm a recorded answer. When the answer was recorded, which endpoint served it, under which rules, and a keyed
   * hash of its inputs; never the inputs, the caller or the tenant. Accept: text/html gets the same record as a page
   * that checks an answer without sending it. To check a number, send the same inputs to the same endpoint again:
   * while the rules are unchanged, the new record has the same ruleVersion and inputsHash. No key.
   *
   * GET /v1/verify/:answerId. Rejected with AnswerNotFoundProblem, RequestTimeoutProblem, RateLimitedProblem,
   * HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem.
   */
  readonly verify: (answerId: string, options?: CallOptions) => Promise<VerifiedAnswer>
  /**
   * Check an answer against its record. Send an answer as it was received: matches is true if it is the answer that
   * was recorded under this id, to the last figure and word. The order of members and the white space between them do
   * not matter. The answer is neither kept nor logged; the page of the same address and `repay verify` check it
   * without sending it. No key.
   *
   * POST /v1/verify/:answerId. Rejected with ValidationProblem, AnswerNotFoundProblem, RequestTimeoutProblem,
   * PayloadTooLargeProblem, UnsupportedMediaTypeProblem, RateLimitedProblem, HeadersTooLargeProblem, InternalProblem,
   * LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly check: (
    answer: ProjectionResult | ScenarioComparisonResult | BriefProjection | BriefComparison,
    options?: CallOptions
  ) => Promise<CheckedAnswer>
  /**
   * The receipt of a recorded answer. The proof that the record is in the transparency log: the record, its path in
   * the tree and a signed checkpoint, as text (C2SP tlog-proof). Keep it with the answer: `repay verify --receipt`
   * checks both without this service. A record enters the log within seconds of its answer; until then the answer is
   * 503 not-yet-logged. No key.
   *
   * GET /v1/verify/:answerId/receipt. Rejected with AnswerNotFoundProblem, RequestTimeoutProblem, RateLimitedProblem,
   * HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem, NotYetLoggedProblem, StartingProblem.
   */
  readonly receipt: (answerId: string, options?: CallOptions) => Promise<string>
  /**
   * Account and usage of the calling key. Tier, monthly limit, calls used and left (this call included) and when the
   * count resets: 00:00 UTC on the 1st.
   *
   * GET /v1/me, with a key. Rejected with UnauthorizedProblem, RequestTimeoutProblem, QuotaExceededProblem,
   * RateLimitedProblem, HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem.
   */
  readonly me: (options?: CallOptions) => Promise<MeResponse>
  /**
   * Recorded answers of the account. Newest first, from (inclusive) to to (exclusive). Rows never contain inputs;
   * each has its verify URL. Follow nextCursor until it is null.
   *
   * GET /v1/records, with a key. Rejected with ValidationProblem, UnauthorizedProblem, RequestTimeoutProblem,
   * QuotaExceededProblem, RateLimitedProblem, HeadersTooLargeProblem, InternalProblem, LedgerUnavailableProblem.
   */
  readonly records: (filter?: RecordsFilter, options?: CallOptions) => Promise<RecordsPage>
  /**
   * The rules ledger. Every constant that the engine uses, with its value, source and dates, and the rules knowingly
   * not applied. Cacheable: a conditional request with the current ETag answers 304. No key.
   *
   * GET /v1/rules. Rejected with RequestTimeoutProblem, HeadersTooLargeProblem, InternalProblem.
   */
  readonly rules: (options?: CallOptions) => Promise<RulesResponse>
  /**
   * Version of the rules ledger. Poll this: a new version means that the ledger has changed, and GET /v1/rules shows
   * the change. No key.
   *
   * GET /v1/rules/version. Rejected with RequestTimeoutProblem, HeadersTooLargeProblem, InternalProblem.
   */
  readonly rulesVersion: (options?: CallOptions) => Promise<string>
  /**
   * Four canonical scenarios, computed live. Each scenario under REPAYMENT ASSISTANCE, INCOME BASED and STANDARD,
   * recorded under the service's own prefix, with the request that replays it through POST /v1/comparison. After 60
   * calls in an hour, by all callers together, the service returns the newest answers recorded in that hour. No key.
   *
   * GET /v1/reference. Rejected with RequestTimeoutProblem, RateLimitedProblem, HeadersTooLargeProblem,
   * InternalProblem, LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly reference: (options?: CallOptions) => Promise<ReferenceResponse>
  /**
   * Get a sandbox key. Issues a sandbox key for an email address, valid for 30 days, on this API and the tool server.
   * The key is shown once. Another request for the same address revokes the previous key. No key needed.
   *
   * POST /v1/keys/sandbox. Rejected with ValidationProblem, RequestTimeoutProblem, PayloadTooLargeProblem,
   * UnsupportedMediaTypeProblem, RateLimitedProblem, HeadersTooLargeProblem, InternalProblem,
   * LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly mintSandboxKey: (email: string, options?: CallOptions) => Promise<SandboxKeyResponse>
  /**
   * Exchange a sandbox key for the paid production key. Once the subscription for the sandbox key's email address is
   * paid, returns a production key once and revokes the one that was sent by email, unless that one has been used.
   * Holding the sandbox key is the proof, even if it is expired or rotated. Refused while the operator or a reversed
   * payment holds the subscription. No key header needed.
   *
   * POST /v1/keys/claim. Rejected with ValidationProblem, NoSubscriptionProblem, RequestTimeoutProblem,
   * KeyAlreadyUsedProblem, KeyIssuedAfterPaymentProblem, SubscriptionHeldProblem, PayloadTooLargeProblem,
   * UnsupportedMediaTypeProblem, RateLimitedProblem, HeadersTooLargeProblem, InternalProblem,
   * LedgerUnavailableProblem, OverloadedProblem.
   */
  readonly claimProductionKey: (sandboxKey: string, options?: CallOptions) => Promise<ClaimKeyResponse>
  /**
   * Health of this host. Build commit and version of the host that answers. No key.
   *
   * GET /health. Rejected with RequestTimeoutProblem, HeadersTooLargeProblem, InternalProblem.
   */
  readonly health: (options?: CallOptions) => Promise<Health>
}

/**
 * The request is not valid. Nothing was computed or charged. Correct the fields named in errors and send the request
 * again.
 */
export interface ValidationProblem extends ServiceProblem {
  readonly _tag: "ValidationProblem"
  readonly status: 400
  /**
   * The messages for each refused field, by its path, such as loans[0].interestRate. The path body means the whole
   * body.
   */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
}

/**
 * The plan's answer would be an artifact of the months already counted. The months already counted leave nothing to
 * pay, make the whole balance due at once, or forgive it before any payment; errors say which. If the counts are
 * wrong, correct them. If they are right, leave the plan out, or do what errors say.
 */
export interface ArtifactPlanProblem extends ServiceProblem {
  readonly _tag: "ArtifactPlanProblem"
  readonly status: 400
  /**
   * The messages for each refused field, by its path, such as loans[0].interestRate. The path body means the whole
   * body.
   */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
}

/**
 * The loans cannot be repaid under this plan. POST /v1/plan-eligibility lists the plans that each loan can elect; the
 * tool is get_eligible_plans, or without a key compare_plans.
 */
export interface IneligiblePlanProblem extends ServiceProblem {
  readonly _tag: "IneligiblePlanProblem"
  readonly status: 400
  /**
   * The messages for each refused field, by its path, such as loans[0].interestRate. The path body means the whole
   * body.
   */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
}

/**
 * The request is not valid HTTP. The connection is closed. Check the request line, the Host header and the length
 * headers of the body.
 */
export interface MalformedRequestProblem extends ServiceProblem {
  readonly _tag: "MalformedRequestProblem"
  readonly status: 400
}

/**
 * A valid API key is required. Send an active key in X-Api-Key. POST /v1/keys/sandbox issues one for an email
 * address.
 */
export interface UnauthorizedProblem extends ServiceProblem {
  readonly _tag: "UnauthorizedProblem"
  readonly status: 401
}

/**
 * The path does not exist. Paths are case-sensitive and end without a slash. /openapi.json lists those of the JSON
 * API.
 */
export interface NotFoundProblem extends ServiceProblem {
  readonly _tag: "NotFoundProblem"
  readonly status: 404
}

/** No answer is recorded under this id. Check the id: it is provenance.answerId of a keyed projection or comparison. */
export interface AnswerNotFoundProblem extends ServiceProblem {
  readonly _tag: "AnswerNotFoundProblem"
  readonly status: 404
}

/** The email address of this key has no paid subscription. Subscribe through upgradeUrl, then claim again. */
export interface NoSubscriptionProblem extends ServiceProblem {
  readonly _tag: "NoSubscriptionProblem"
  readonly status: 404
  /** Email address that the sandbox key was issued for. */
  readonly email: string
  /** The page that says how to get more calls. */
  readonly upgradeUrl: string
}

/** The method is not allowed for this path. The Allow header lists the allowed methods. */
export interface MethodNotAllowedProblem extends ServiceProblem {
  readonly _tag: "MethodNotAllowedProblem"
  readonly status: 405
}

/**
 * The request took too long to arrive. The connection is closed. Headers must arrive within 10 seconds, the whole
 * request within 15.
 */
export interface RequestTimeoutProblem extends ServiceProblem {
  readonly _tag: "RequestTimeoutProblem"
  readonly status: 408
}

/**
 * The production key of this subscription is already in use. A key that has answered a call is not replaced. Use it,
 * or contact the operator of this service.
 */
export interface KeyAlreadyUsedProblem extends ServiceProblem {
  readonly _tag: "KeyAlreadyUsedProblem"
  readonly status: 409
}

/**
 * This sandbox key was issued after the subscription was paid. Claim with the sandbox key from which the subscription
 * was bought, or use the key that was sent by email.
 */
export interface KeyIssuedAfterPaymentProblem extends ServiceProblem {
  readonly _tag: "KeyIssuedAfterPaymentProblem"
  readonly status: 409
}

/**
 * The subscription or its sandbox key is on hold. The operator of this service stopped it, or its payment was
 * refunded or disputed. Ask the operator; only the operator can allow it again.
 */
export interface SubscriptionHeldProblem extends ServiceProblem {
  readonly _tag: "SubscriptionHeldProblem"
  readonly status: 409
}

/**
 * The recorded answer of this call can no longer be computed. The call with this Idempotency-Key was answered and
 * charged once. Answers are not stored, and this one cannot be computed again. For a new answer, send the request
 * with another Idempotency-Key.
 */
export interface RulesChangedProblem extends ServiceProblem {
  readonly _tag: "RulesChangedProblem"
  readonly status: 409
  /** The recorded answer of the first call. */
  readonly answerId: string
  /** Where anyone can confirm that answer. */
  readonly verifyUrl: string
}

/** The request body is too large. Send a smaller body. */
export interface PayloadTooLargeProblem extends ServiceProblem {
  readonly _tag: "PayloadTooLargeProblem"
  readonly status: 413
}

/** The request body must be JSON. Send Content-Type: application/json in UTF-8, without Content-Encoding. */
export interface UnsupportedMediaTypeProblem extends ServiceProblem {
  readonly _tag: "UnsupportedMediaTypeProblem"
  readonly status: 415
}

/**
 * The Idempotency-Key belongs to another request. Nothing was computed or charged: this account sent the key before
 * with other inputs. Send those inputs again, or these inputs with a new Idempotency-Key.
 */
export interface IdempotencyKeyReusedProblem extends ServiceProblem {
  readonly _tag: "IdempotencyKeyReusedProblem"
  readonly status: 422
  /** The recorded answer of the first call. */
  readonly answerId: string
  /** Where anyone can confirm that answer. */
  readonly verifyUrl: string
}

/** This month's calls are used up. Wait until the month ends, or see upgradeUrl for more calls. */
export interface QuotaExceededProblem extends ServiceProblem {
  readonly _tag: "QuotaExceededProblem"
  readonly status: 429
  /** The page that says how to get more calls. */
  readonly upgradeUrl: string
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/** Too many requests in a short time. Send the request again after retryAfterSeconds. */
export interface RateLimitedProblem extends ServiceProblem {
  readonly _tag: "RateLimitedProblem"
  readonly status: 429
  /** The page that says how to get more calls. */
  readonly upgradeUrl: string
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/** The request headers are too large. The connection is closed. Headers are limited to 16 KiB in total. */
export interface HeadersTooLargeProblem extends ServiceProblem {
  readonly _tag: "HeadersTooLargeProblem"
  readonly status: 431
}

/**
 * The service failed. The call was not charged. Send it again. If it fails again, give the operator the id in
 * instance: the log has the failure under it.
 */
export interface InternalProblem extends ServiceProblem {
  readonly _tag: "InternalProblem"
  readonly status: 500
}

/** The ledger cannot be reached. The database did not answer in time. Send the same request again shortly. */
export interface LedgerUnavailableProblem extends ServiceProblem {
  readonly _tag: "LedgerUnavailableProblem"
  readonly status: 503
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/**
 * The record is not in the log yet. A record enters the log within seconds of its answer. Ask again after
 * retryAfterSeconds.
 */
export interface NotYetLoggedProblem extends ServiceProblem {
  readonly _tag: "NotYetLoggedProblem"
  readonly status: 503
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/**
 * The service is starting. Its log has no key yet, which takes a second at the first start. Ask again after
 * retryAfterSeconds.
 */
export interface StartingProblem extends ServiceProblem {
  readonly _tag: "StartingProblem"
  readonly status: 503
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/** Too many calculations at once. The call was not charged. Send it again after retryAfterSeconds. */
export interface OverloadedProblem extends ServiceProblem {
  readonly _tag: "OverloadedProblem"
  readonly status: 503
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/**
 * Payment events are not accepted here. Without a webhook secret this service cannot verify events. Its operator has
 * to set STRIPE_WEBHOOK_SECRET.
 */
export interface WebhookDisabledProblem extends ServiceProblem {
  readonly _tag: "WebhookDisabledProblem"
  readonly status: 503
  /** Seconds to wait before the next attempt; the same as Retry-After. */
  readonly retryAfterSeconds: number
}

/** Every problem that the service can answer with; `_tag` tells them apart. */
export type Problem =
  | ValidationProblem
  | ArtifactPlanProblem
  | IneligiblePlanProblem
  | MalformedRequestProblem
  | UnauthorizedProblem
  | NotFoundProblem
  | AnswerNotFoundProblem
  | NoSubscriptionProblem
  | MethodNotAllowedProblem
  | RequestTimeoutProblem
  | KeyAlreadyUsedProblem
  | KeyIssuedAfterPaymentProblem
  | SubscriptionHeldProblem
  | RulesChangedProblem
  | PayloadTooLargeProblem
  | UnsupportedMediaTypeProblem
  | IdempotencyKeyReusedProblem
  | QuotaExceededProblem
  | RateLimitedProblem
  | HeadersTooLargeProblem
  | InternalProblem
  | LedgerUnavailableProblem
  | NotYetLoggedProblem
  | StartingProblem
  | OverloadedProblem
  | WebhookDisabledProblem

/** The tags of the problems. */
export type ProblemTag =
  | "ValidationProblem"
  | "ArtifactPlanProblem"
  | "IneligiblePlanProblem"
  | "MalformedRequestProblem"
  | "UnauthorizedProblem"
  | "NotFoundProblem"
  | "AnswerNotFoundProblem"
  | "NoSubscriptionProblem"
  | "MethodNotAllowedProblem"
  | "RequestTimeoutProblem"
  | "KeyAlreadyUsedProblem"
  | "KeyIssuedAfterPaymentProblem"
  | "SubscriptionHeldProblem"
  | "RulesChangedProblem"
  | "PayloadTooLargeProblem"
  | "UnsupportedMediaTypeProblem"
  | "IdempotencyKeyReusedProblem"
  | "QuotaExceededProblem"
  | "RateLimitedProblem"
  | "HeadersTooLargeProblem"
  | "InternalProblem"
  | "LedgerUnavailableProblem"
  | "NotYetLoggedProblem"
  | "StartingProblem"
  | "OverloadedProblem"
  | "WebhookDisabledProblem"
