/**
 * Every text of the start page, in one place, so that another language is one more object of this shape. The words of
 * steps and of the rules themselves are the ledger's and the explanation's, in English.
 */
import type { LoanType } from "../../schema/loan.ts"
import type { EnginePlan } from "../engine/index.ts"
import { monthDayYear, percent, wholeDollars } from "../messages/figures.ts"
import { answerTexts } from "./answerTexts.ts"
import type { Remark } from "./book/answer.ts"
import type { Reason } from "./book/line.ts"
import { chatTexts } from "./chatTexts.ts"
import { consolidationTexts } from "./consolidationTexts.ts"
import { coupleTexts } from "./coupleTexts.ts"
import { formTexts } from "./formTexts.ts"
import { frameTexts } from "./frameTexts.ts"
import { LOAN_TYPES } from "./names.ts"
import { pathTexts } from "./pathTexts.ts"
import { plotTexts } from "./plotTexts.ts"
import { questionTexts } from "./questionTexts.ts"

const PLANS = answerTexts.plans

const placed = (index: number): string => `loan ${index + 1} in your list`

/** Plans that a Parent PLUS loan could reach by a consolidation before July 2026. @rule plan-eligibility-matrix */
const isLate = (planType: EnginePlan, loanType: LoanType): boolean =>
  loanType.includes("PARENT") &&
  loanType.startsWith("DIRECT") &&
  !loanType.includes("CONSOLIDATED") &&
  ["INCOME BASED", "INCOME BASED (OLD)", "INCOME CONTINGENT"].includes(planType)

const reason = (planType: EnginePlan, why: Reason): string => {
  switch (why._tag) {
    case "Vacated":
      return planType === "SAVE"
        ? "A court has ended it, so nobody can join it."
        : "SAVE replaced it, and a court has ended SAVE, so nobody can join it."
    case "EndsFirst":
      return "It ends before your first payment."
    case "OnlyNewLoans":
      return "It is only for borrowers with a loan made since July 1, 2026."
    case "NewLoans": {
      const which = why.by === null ? "" : ` (${placed(why.by)})`
      const left = why.isParents
        ? "Your Parent PLUS loans, and consolidations that repaid one, can now be repaid only under Tiered Standard."
        : "All your Direct loans can now be repaid only under RAP or Tiered Standard."
      return `You have a loan made on or after ${monthDayYear(why.from)}${which}. ${left}`
    }
    case "OwedBefore": {
      const which = why.by === null ? "" : `, and ${placed(why.by)} is older`
      return `It is only for those who owed nothing on ${monthDayYear(why.day)}, or when they took a loan after that day${which}.`
    }
    case "OwedSince":
      return `By these answers you have ${PLANS["INCOME BASED"]} instead, which is for newer borrowers.`
    case "NoLoanSince":
      return `You need a Direct loan made since ${monthDayYear(why.day)}, other than a Parent PLUS loan, and all of yours are older.`
    case "LoanBefore":
      return `It is only for those without ${why.program === "Direct" ? "a Direct" : "an FFEL"} loan made before ${monthDayYear(why.day)}.`
    case "BalanceTooSmall":
      return `You must owe more than ${wholeDollars(why.over)} in the loan's program, and you owe ${wholeDollars(why.owed)}.`
    case "NotNewBorrower":
      return `It is only for new borrowers, and your ${LOAN_TYPES[why.closer.loanType]} loan shows that you aren't one.`
    case "Closed":
      return why.byOneMonth
        ? `${LOAN_TYPES[why.loanType]}: it opens after one payment under ICR, made by June 30, 2028.`
        : `It does not take this kind of loan: ${LOAN_TYPES[why.loanType]}.${isLate(planType, why.loanType) ? " A consolidation of it made before July 1, 2026 could have it." : ""}`
    case "TermSpent":
      return "The months and payments counted so far fill its term, or leave only one payment."
    case "TimeServed":
      return `${why.counted} months of ${why.needed} are counted: nothing would be left to pay${
        planType === "REPAYMENT ASSISTANCE" ? ", if the last payment was made under it" : ""
      }.`
    case "ServiceDone":
      return `${why.counted} public-service payments of ${why.needed} are counted: nothing would be left to pay, once your employment is certified.`
  }
}

export const texts = {
  title: "What would you pay on each federal plan?",
  lead: "Enter your loans once. See every plan's payment, total cost and end date, with the law behind each figure.",
  withoutScript: {
    lead: "This page computes in your browser, so it needs JavaScript. Without it, the command ",
    command: "npm run repay -- compare",
    guide: " shows the same plans. You can also read ",
    rules: "every rule, with its source"
  },
  isPrivate: "It is computed in your browser. Nothing you type leaves your device.",
  ...formTexts,
  missing: {
    title: "Your plans appear here as you type",
    lead: "These answers are still needed:",
    example: "Show me an example first"
  },
  answer: {
    ...answerTexts,
    remark: (of: Remark): string => {
      switch (of._tag) {
        case "NoMonth":
          return "You don't pay now, but the last month without a payment isn't chosen. So these figures begin with a payment now."
        case "NotServing":
          return `You typed public-service payments, but public service isn't ticked, so they don't count toward forgiveness here. ${of.isDone ? "Tick it: with all 120 a loan may be forgiven." : "Tick it if you still work there."}`
        case "OddRate":
          return `Loan ${of.loan} has a rate of ${percent(of.rate)}, which no federal loan has: type 6.5 for 6.5 percent.`
      }
    },
    beside: (loans: ReadonlyArray<number>, plans: ReadonlyArray<string>, payment: string): string =>
      `It can't take ${loans.length === 1 ? "loan" : "loans"} ${loans.join(", ")}: you repay ${loans.length === 1 ? "it" : "them"} on ${plans.join(" and ")}, which is ${payment} of the first payment.`,
    reason
  },
  couple: coupleTexts,
  path: pathTexts,
  plots: plotTexts,
  consolidation: consolidationTexts,
  questions: questionTexts,
  tools: {
    link: "Copy a link to this",
    copied:
      "Copied. The link contains what you typed. Opening it sends that to no server, but the browser's history keeps it.",
    print: "Print or save as PDF",
    keep: "Save this calculator, without your answers"
  },
  chat: chatTexts,
  frame: frameTexts
}
