/**
 * The texts about a My Aid Data file (a borrower's loans, downloaded from studentaid.gov): summary,
 * warnings and refusals. All are here, so that a translation is one file. Loans are named by their
 * number in the file, never by id, name or school.
 */
import type {
  FileWarningId,
  LeftOutReason,
  LoanWarningId,
  MyAidData,
  OtherFile,
  ReadPause,
  RefusalId,
  Refused,
  Warning,
  WarningId
} from "../myAidData/result.ts"
import { dollars, longDate, longMonth } from "./figures.ts"
import { PAUSED } from "./pauses.ts"

const GET_THE_FILE =
  "Log in at studentaid.gov, open My Aid, View Details, choose Download My Aid Data, and use MyStudentData.txt as it was saved."

const OTHER_FILES: Readonly<Record<OtherFile, string>> = {
  empty: "This file is empty.",
  pdf: "This file is a PDF; loans are read from the text file alone.",
  zip: "This file is an archive or an office document; loans are read from the text file alone.",
  "web-page": "This file is a saved web page; loans are read from the text file that the page offers."
}

const REFUSALS: Readonly<Record<RefusalId, string>> = {
  "not-my-aid-data": "This file is not My Aid Data, or has no loans in it.",
  "two-borrowers":
    "This file holds more than one download, perhaps of two people. Choose the file of one borrower, as it was saved.",
  "no-open-loans":
    "No loan in this file has anything left to repay: all are paid, consolidated, cancelled, discharged or at zero. If you still owe on one, ask your loan servicer, and download the file again later.",
  "too-many-loans":
    "This file has more than 100 open loans, which is more than one request takes. None was dropped to make them fit.",
  "too-large": "This file is far larger than any My Aid Data file."
}

/** One or two sentences: the reason why nothing was read, and the remedy. */
export const refusalSentence = ({ id, seems }: Refused): string => {
  const sentence = seems === null ? REFUSALS[id] : OTHER_FILES[seems]
  return id === "not-my-aid-data" || id === "too-large" ? `${sentence} ${GET_THE_FILE}` : sentence
}

const OF_FILE: Readonly<Record<FileWarningId, string>> = {
  "total-mismatch":
    "The loans do not add up to the totals of the file: it was cut or edited, or a loan is missing. Download it again.",
  "balance-count-mismatch":
    "Some balances belong to no loan, or a loan has two: lines are missing, and a loan may be too. Download the file again.",
  "no-idr-count":
    "The file does not count the months toward income-driven forgiveness, so 0 is used. Ask your loan servicer for the number and add it to each loan: forgiveness may come sooner than shown, and without it a parent PLUS consolidation shows no income-based plan.",
  "pslf-not-official":
    "The public-service payments are those matched in this file; the count at studentaid.gov decides. Compare the two before you rely on a date.",
  "no-first-borrowed":
    "The file does not show since when you have owed Direct or FFEL loans without a break, so that day is left out. If you know it, fill it in: some plans are only for people who first borrowed after a certain day, or owed nothing on it."
}

const OF_LOAN: Readonly<Record<LoanWarningId, string>> = {
  "closed-with-balance":
    "Marked as paid, consolidated, cancelled or discharged, yet with a balance. Left out, so that nothing counts twice; ask your loan servicer whether it is still owed.",
  "negative-balance": "A balance below zero was read as zero. You may be owed the difference: ask your loan servicer.",
  "zero-balance":
    "Not marked as closed, but nothing is owed, so it was left out. If you do owe on it, ask your loan servicer.",
  "duplicate-loan":
    "The same as an earlier loan in every respect, so it was left out and does not count twice. If these are two loans, add it by hand.",
  "same-award-id":
    "Has the id of an earlier loan but differs from it, so both were kept. If they are one loan, take one of them out.",
  "unknown-status":
    "The status is missing or unknown; treated as open because of its balance. If it is closed, take it out.",
  "status-disagrees":
    "The current status is not the latest of the history; the current one was used. Ask your loan servicer which is right.",
  "in-default":
    "In default: most plans are closed to it until that is cured, and the figures do not take this into account. Ask about rehabilitation or consolidation at myeddebt.ed.gov, or ask your guaranty agency.",
  "in-bankruptcy":
    "In bankruptcy: payments usually rest until the case ends, and the figures do not take this into account. Ask your lawyer or your loan servicer.",
  "check-status":
    "The status (abandoned, uninsured or fraud) does not say whether it is repaid as usual, so it was kept. Ask your loan servicer.",
  "type-disagrees":
    "The code and the description name different types; the description was used. Check the kind of loan.",
  "type-from-code": "The description of the type is not a known one, so the code was used. Check the kind of loan.",
  "unknown-loan-type": "The type is not one that can be calculated, so none was set. Choose one, or take the loan out.",
  "parent-plus-consolidation":
    "This consolidation repaid a parent PLUS loan, so it was given the type that says so: most income-driven plans are closed to it.",
  "parent-plus-second-level":
    "A consolidation of a consolidation that repaid a parent PLUS loan: which plans it may have is disputed, and the narrower reading was used. Ask your loan servicer.",
  "parent-plus-unknown":
    "The file does not say whether this consolidation repaid a parent PLUS loan; its kind was kept. If it did, choose the kind that repaid a parent PLUS loan (PARENT PLUS CONSOLIDATED): most income-driven plans are then closed to it.",
  "joint-consolidation":
    "A joint consolidation of two spouses, here with the whole balance. Ask your loan servicer about separating it.",
  "no-principal": "The principal is missing or unreadable. Fill it in, in dollars.",
  "no-interest-balance": "The unpaid interest is missing, so 0 is used. If there is some, fill it in, in dollars.",
  "rate-from-statutory": "The interest rate is missing; the one set by law was used. Check the rate.",
  "rate-from-actual":
    "Only the rate charged now is given, which a discount or a pause may have lowered; it was used. Check the rate.",
  "rate-from-fraction":
    "The rate is below 1 and has no percent sign. Hardly any federal loan has such a low rate, so it was read as a fraction: .068 as 6.8 percent. Check the rate.",
  "zero-rate": "The rate is 0 in the file. If that is a pause or a gap, fill in the real rate.",
  "no-interest-rate": "The rate is missing or unreadable. Fill it in.",
  "variable-rate": "The rate is variable: today's was used for every year, but it changes each July.",
  "pslf-capped":
    "More than 120 public-service payments are listed; 120 were used. If that is right, ask your loan servicer about forgiveness.",
  "pslf-unreadable":
    "The number of public-service payments is unreadable, so 0 is used. Look it up at studentaid.gov and fill it in.",
  "no-date":
    "The file does not show the day on which it was made, so that is left out. Check it: one loan made on or after 1 July 2026 closes most plans to all your Direct loans.",
  "date-not-exact":
    "The file does not give the exact day on which it was made, but it was on or after 1 July 2026, which closes most plans to all your Direct loans. The first possible day was used; if you know the day, fill it in."
}

const isOfLoan = (id: WarningId): id is LoanWarningId => Object.hasOwn(OF_LOAN, id)

const sentenceOf = (id: WarningId): string => (isOfLoan(id) ? OF_LOAN[id] : OF_FILE[id])

/** Maximum number of loans named in one line. */
const MAX_NAMED = 20

const listed = (words: ReadonlyArray<string | number>): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

const loansNamed = (numbers: ReadonlyArray<number>): string => {
  const unnamed = numbers.length - MAX_NAMED
  const named = unnamed > 0 ? [...numbers.slice(0, MAX_NAMED), `${unnamed} more`] : numbers
  return `${numbers.length === 1 ? "Loan" : "Loans"} ${listed(named)}`
}

/** One line per kind of warning, with the numbers of all loans concerned. */
export const warningLines = (warnings: ReadonlyArray<Warning>): ReadonlyArray<string> =>
  [...new Set(warnings.map(({ id }) => id))].map((id) => {
    const numbers = warnings.flatMap((warning) => (warning.id === id && warning.loan !== null ? [warning.loan] : []))
    return numbers.length === 0 ? sentenceOf(id) : `${loansNamed(numbers)}: ${sentenceOf(id)}`
  })

/** A line about a pause. @param add what to add if the request does not have it; undefined if it has */
export const pausedLine = (aid: MyAidData, { kind, loans, until }: ReadPause, add?: string): string => {
  const named = `${loansNamed(loans.map((position) => aid.loans[position]!.number))}: Now ${PAUSED[kind]}`
  if (until === null)
    return `${named}, but not paused in the request, because the file does not show the end. Add ${add}, with the first month that is due again for YYYY-MM.`
  const end = `${named}, and repayment begins in ${longMonth(until)}, by the file.`
  return add === undefined ? `${end} The request has a pause until then.` : `${end} Add ${add}.`
}

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

/** The summary of the loans that were read, in one line. */
export const understood = ({ asOf, firstBorrowedOn, leftOut, loans }: MyAidData): string => {
  const principal = loans.reduce((sum, { loan }) => sum + (loan.principalBalance ?? 0), 0)
  const count = loans.length === 1 ? "1 loan" : `${loans.length} loans`
  const day = asOf === null ? "" : `, as downloaded on ${longDate(asOf)}; balances may be older`
  const first =
    firstBorrowedOn === null
      ? ""
      : ` You have owed Direct or FFEL loans without a break since ${longDate(firstBorrowedOn)}, by the dates of the file.`
  return `Read: ${count}, ${dollars(principal)} of principal; ${leftOutPhrase(leftOut)}${day}.${first}`
}
