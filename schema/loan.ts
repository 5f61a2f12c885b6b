/** A federal loan as requests send it, and the 29 loan type strings. */
import { Schema } from "effect"
import { MAX_LOANS } from "./bounds.ts"
import { LOAN_NAMES } from "./otherNames.ts"
import { addition, canonical, count, date, dollars, fraction, orElse, required } from "./primitives.ts"

/** Every loan type string, in alphabetical order. */
export const LOAN_TYPES = [
  "DIRECT CONSOLIDATED SUBSIDIZED",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)",
  "DIRECT CONSOLIDATED UNSUBSIDIZED",
  "DIRECT PARENT PLUS",
  "DIRECT PARENT PLUS CONSOLIDATED",
  "DIRECT PLUS CONSOLIDATED",
  "DIRECT PLUS GRADUATE",
  "DIRECT PLUS PARENT",
  "DIRECT STAFFORD SUBSIDIZED",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)",
  "DIRECT STAFFORD UNSUBSIDIZED",
  "DIRECT UNSUBSIDIZED (TEACH)",
  "FEDERAL PERKINS",
  "FEDERALLY INSURED (FISL)",
  "FFEL CONSOLIDATED",
  "FFEL PARENT PLUS",
  "FFEL PARENT PLUS CONSOLIDATED",
  "FFEL PLUS GRADUATE",
  "FFEL PLUS PARENT",
  "FFEL REFINANCED",
  "FFEL STAFFORD NON-SUBSIDIZED",
  "FFEL STAFFORD SUBSIDIZED",
  "FFEL STAFFORD UNSUBSIDIZED",
  "FFEL SUPPLEMENTAL LOAN (SLS)",
  "HEALTH PROFESSIONS STUDENT LOAN (HPSL)",
  "INCOME CONTINGENT (ICL)",
  "NATIONAL DEFENSE LOAN (PERKINS)",
  "NATIONAL DIRECT STUDENT LOAN (PERKINS)",
  "PERKINS EXPANDED LENDING"
] as const
export type LoanType = (typeof LOAN_TYPES)[number]

export const LoanType = canonical(LOAN_TYPES, {
  description: `Decides plan eligibility. Case and surrounding space are ignored. One of: ${LOAN_TYPES.join("; ")}.`,
  message: `must be one of the loan types: ${LOAN_TYPES.join("; ")}`,
  example: "DIRECT STAFFORD UNSUBSIDIZED",
  otherNames: LOAN_NAMES
})

export const Loan = Schema.Struct({
  loanType: required(LoanType, "one of the loan type strings, such as DIRECT STAFFORD UNSUBSIDIZED"),
  principalBalance: required(dollars("Outstanding principal, which bears the interest."), "US dollars, such as 30000"),
  interestBalance: orElse(
    dollars("Unpaid interest already accrued; it bears none itself. Default 0.").annotate({ default: 0 }),
    0
  ),
  interestRate: required(fraction("Annual interest rate.", 1), "a fraction, such as 0.0654 for 6.54%"),
  disbursedAmount: orElse(
    dollars("Original disbursement; 0 falls back to principalBalance. Default 0.").annotate({ default: 0 }),
    0
  ),
  idrMonthsInRepayment: orElse(
    count(
      "Months already counted toward income-driven forgiveness; months of REPAYMENT ASSISTANCE count toward the other plans only if the payment was at least the ten-year Standard amount. They are also deducted from the term of every fixed plan except Tiered Standard. Default 0.",
      600,
      "months"
    ).annotate({ default: 0 }),
    0
  ),
  pslfCount: orElse(
    count(
      "Qualifying public-service-forgiveness payments so far. On a Direct loan they also shorten a ten-year STANDARD term, even if workingTowardsPslf is false: the larger of this count and idrMonthsInRepayment is deducted. Default 0.",
      120,
      "payments"
    ).annotate({ default: 0 }),
    0
  ),
  madeOn: addition(
    date(
      "The day of the first disbursement; for a consolidation, the day on which it was made. Together with the other dates it decides which plans are open, and whether STANDARD means Tiered Standard for Direct loans."
    )
  )
}).annotate({ identifier: "Loan", description: "One federal loan.", message: "must be a loan object" })
export type Loan = typeof Loan.Type

export const Loans = Schema.Array(Loan)
  .annotate({
    description: `The loan book, 1 to ${MAX_LOANS} loans.`,
    message: `must be an array of 1 to ${MAX_LOANS} loan objects`
  })
  .check(Schema.isBetweenLength(1, MAX_LOANS, { message: `must hold 1 to ${MAX_LOANS} loans` }))
