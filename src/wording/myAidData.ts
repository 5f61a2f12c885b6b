/**
 * What is said of a My Aid Data file: what was understood, what to know of its loans, and why a file is refused. All of
 * it is here, so that a translation is one file. Loans are named by their number in the file, never by id, name or school.
 */
import type {
  FileWarningId,
  LeftOutReason,
  LoanWarningId,
  MyAidData,
  OtherFile,
  RefusalId,
  Refused,
  Warning,
  WarningId
} from "../myAidData/result.ts"
import { longDate } from "./dates.ts"
import { dollars } from "./figures.ts"

const GET_THE_FILE =
  "Log in at studentaid.gov, open My Aid, View Details, choose Download My Aid Data, and use MyStudentData.txt as it was saved."

const OTHER_FILES: Readonly<Record<OtherFile, string>> = {
  empty: "This file is empty.",
  pdf: "This file is a PDF, and the loans are read from text.",
  zip: "This file is an archive or an office document, and the loans are read from plain text.",
  "web-page": "This file is a saved web page, and the loans are read from the file that the page offers."
}

const REFUSALS: Readonly<Record<RefusalId, string>> = {
  "not-my-aid-data": "This file is no My Aid Data with loans in it.",
  "two-borrowers":
    "This file holds more than one download, perhaps of two people. Choose the file of one borrower, as it was saved.",
  "no-open-loans":
    "No loan in this file has anything left to repay: all are paid, consolidated, cancelled, discharged or at zero. If you still owe on one, ask your loan servicer, and download the file again later.",
  "too-many-loans":
    "This file has more than 100 open loans, which is more than one request takes. None was dropped to make them fit: write the requests by hand.",
  "too-large": "This file is far larger than any My Aid Data file."
}

/** One sentence or two on why nothing was read, and what to do. */
export const refusalSentence = ({ id, seems }: Refused): string => {
  const sentence = seems === null ? REFUSALS[id] : OTHER_FILES[seems]
  return id === "not-my-aid-data" || id === "too-large" ? `${sentence} ${GET_THE_FILE}` : sentence
}

const OF_FILE: Readonly<Record<FileWarningId, string>> = {
  "total-mismatch":
    "The loans do not add up to the totals of the file: it was cut or edited, or a loan is missing. Download it again.",
  "balance-count-mismatch":
    "Some balances belong to no loan, or one loan has two: lines are missing, and a loan may be too. Download the file again.",
  "no-idr-count":
    "The file does not say how many months count toward income-driven forgiveness, so 0 are taken. Ask your loan servicer, and add the number to each loan (idrMonthsInRepayment): forgiveness may be nearer than shown, and without it a parent PLUS consolidation shows no income-based plan.",
  "pslf-not-official":
    "The public-service payments are those matched in the file; the count at studentaid.gov decides. Compare them before you rely on a date."
}

const OF_LOAN: Readonly<Record<LoanWarningId, string>> = {
  "closed-with-balance":
    "Marked as paid, consolidated, cancelled or discharged, but with a balance; left out, for it would count twice. Ask the loan servicer if it is still owed.",
  "negative-balance":
    "A balance below zero was taken as zero. The loan servicer may owe you the difference; ask for a refund or how it was applied.",
  "zero-balance": "Not marked as closed, but nothing is owed; left out. If you owe on it, ask the loan servicer.",
  "duplicate-loan":
    "The same in everything as an earlier loan; left out, so that it does not count twice. If there really are two, add it by hand.",
  "same-award-id":
    "Has the id of an earlier loan but differs from it; both were kept. If it is one loan, take one of them out.",
  "unknown-status":
    "The status is missing or not known; taken as open because of its balance. If it is closed, take it out.",
  "status-disagrees":
    "The current status is not the newest of the history; the current one was taken. Ask the loan servicer which holds.",
  "in-default":
    "In default: most plans are closed to it until that is cured, which the figures do not take into account. Ask about rehabilitation or consolidation at myeddebt.ed.gov or your guaranty agency.",
  "in-bankruptcy":
    "In bankruptcy: collection and most plans rest until the case ends, which the figures do not take into account. Ask your lawyer or the loan servicer.",
  "check-status":
    "The status (abandoned, uninsured or fraud) leaves open whether it is repaid as usual; kept. Ask the loan servicer.",
  "type-disagrees": "The code and the description name two types; the description was taken. Check it (loanType).",
  "type-from-code": "The description is not one that is known; the type was taken from its code. Check it (loanType).",
  "unknown-loan-type":
    "The type is not one that can be calculated, so none was taken. Choose one (loanType), or take the loan out.",
  "parent-plus-consolidation":
    "A consolidation that repaid a parent PLUS loan: most income-driven plans are closed to it, and taken so.",
  "parent-plus-second-level":
    "A consolidation of a consolidation that repaid a parent PLUS loan: the law on its plans is disputed, and the narrow reading was taken. Ask the loan servicer which plans it may have.",
  "parent-plus-unknown":
    "The file does not say whether this consolidation repaid a parent PLUS loan; taken as if not. If it did, set loanType to the one with PARENT PLUS CONSOLIDATED, for most plans are then closed to it.",
  "joint-consolidation":
    "A joint consolidation of two spouses: its balance is here in full. Ask the loan servicer about separating it.",
  "no-principal": "The principal is missing or cannot be read. Fill it in (principalBalance, in dollars).",
  "no-interest-balance":
    "The unpaid interest is missing, so 0 is taken. If there is some, fill it in (interestBalance, in dollars).",
  "rate-from-statutory": "The rate itself is missing; the one set by law was taken. Check it (interestRate).",
  "rate-from-actual":
    "Only the rate charged now is there, which a discount or a pause may lower; it was taken. Check it (interestRate).",
  "zero-rate":
    "The rate is 0 in the file. If that is a pause or a gap, fill in the true one (interestRate, 0.068 for 6.8%).",
  "no-interest-rate": "The rate is missing or cannot be read. Fill it in (interestRate, 0.068 for 6.8%).",
  "variable-rate": "A variable rate: today's was taken for all years, and it changes each July.",
  "pslf-capped": "More than 120 public-service payments; 120 were taken. Ask the loan servicer for your forgiveness.",
  "pslf-unreadable":
    "The number of public-service payments cannot be read, so 0 are taken. Fill it in (pslfCount) from studentaid.gov.",
  "made-after-june-2026":
    "Made on or after 1 July 2026, and calculated as if it were older: only REPAYMENT ASSISTANCE and a new standard plan are open to it, and it may close the older plans for your other loans too."
}

const isOfLoan = (id: WarningId): id is LoanWarningId => Object.hasOwn(OF_LOAN, id)

const sentenceOf = (id: WarningId): string => (isOfLoan(id) ? OF_LOAN[id] : OF_FILE[id])

/** So many are named. */
const MOST_NAMED = 20

const listed = (words: ReadonlyArray<string | number>): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

const loansNamed = (numbers: ReadonlyArray<number>): string => {
  const unnamed = numbers.length - MOST_NAMED
  const named = unnamed > 0 ? [...numbers.slice(0, MOST_NAMED), `${unnamed} more`] : numbers
  return `${numbers.length === 1 ? "Loan" : "Loans"} ${listed(named)}`
}

/** A line for each warning, with all the loans that it is about. */
export const warningLines = (warnings: ReadonlyArray<Warning>): ReadonlyArray<string> =>
  [...new Set(warnings.map(({ id }) => id))].map((id) => {
    const numbers = warnings.flatMap((warning) => (warning.id === id && warning.loan !== null ? [warning.loan] : []))
    return numbers.length === 0 ? sentenceOf(id) : `${loansNamed(numbers)}: ${sentenceOf(id)}`
  })

const LEFT_OUT: Readonly<Record<LeftOutReason, string>> = {
  paid: "paid",
  consolidated: "consolidated or moved",
  cancelled: "cancelled or discharged",
  "zero-balance": "with nothing owed",
  duplicate: "listed twice"
}

const leftOutPhrase = (leftOut: MyAidData["leftOut"]): string => {
  if (leftOut.length === 0) return "none left out"
  const reasons = (Object.keys(LEFT_OUT) as ReadonlyArray<LeftOutReason>).flatMap((reason) => {
    const count = leftOut.filter(({ why }) => why === reason).length
    return count === 0 ? [] : [`${count} ${LEFT_OUT[reason]}`]
  })
  return `${leftOut.length} left out (${reasons.join(", ")})`
}

/** What was understood, in one line. */
export const understood = ({ asOf, leftOut, loans }: MyAidData): string => {
  const principal = loans.reduce((sum, { loan }) => sum + (loan.principalBalance ?? 0), 0)
  const count = loans.length === 1 ? "1 loan" : `${loans.length} loans`
  const day = asOf === null ? "" : `, as downloaded on ${longDate(asOf)}; balances may be older`
  return `Read: ${count}, ${dollars(principal)} of principal; ${leftOutPhrase(leftOut)}${day}.`
}
