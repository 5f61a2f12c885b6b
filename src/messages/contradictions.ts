/** The messages for requests that contradict themselves or the calendar, each at its field. */
import type { Contradiction } from "../engine/index.ts"
import { fieldPath } from "../request/fieldPath.ts"
import { longDate, longMonth } from "./figures.ts"
import { type Naming, OF_THE_API } from "./naming.ts"

const messageOf = (contradiction: Contradiction, { field, madeOn: nameOf, position }: Naming): string => {
  switch (contradiction._tag) {
    case "TooLate":
      return `must be before ${longDate(contradiction.before)}, the first month of repayment`
    case "OlderLoan": {
      const { loan, madeOn } = contradiction
      return `is after ${nameOf(loan)}, ${longDate(madeOn)}: send that day, or an earlier day since which the borrower has owed`
    }
    case "NotMadeThen":
      return `must be before ${longDate(contradiction.madeBefore)}: no DIRECT PLUS CONSOLIDATED loan was made since. For a newer consolidation of Parent PLUS loans, send DIRECT PARENT PLUS CONSOLIDATED`
    case "NotFirst": {
      const { firstBorrowedOn, from } = contradiction
      return `must be true or left out: with firstBorrowedOn ${longDate(firstBorrowedOn)} every loan is made on or after ${longDate(from)}`
    }
    case "NotLater":
      return `must be later than ${contradiction.after}, the year of the previous change: send the changes in order, one for each year`
    case "ChangesNothing":
      return "must change something: send at least one member other than fromYear that is not null"
    case "ExtraAndBudget":
      return `must not be above 0 together with ${field(contradiction.other)}: send either what is paid beyond the payment due, or what is paid in all`
    case "MonthTooLate":
      return `must be ${longMonth(contradiction.latest)} or earlier`
    case "NotLaterMonth":
      return `must be later than ${longMonth(contradiction.after)}, the month of the previous change: send the changes in order`
    case "EndsTooSoon":
      return `must be after ${longMonth(contradiction.from)}, in which the pause begins: send the first month that is due again`
    case "Overlaps":
      return `must be ${longMonth(contradiction.until)} or later: loan ${contradiction.loan + 1} has another pause until then`
    case "NoSuchLoan":
      return `must be ${position(contradiction.loans)}`
    case "TooManyLoans":
      return `must be false or left out for more than ${contradiction.most} loans`
    case "NotSplit":
      return `must be false or left out: separate returns split income in ${contradiction.states.join(", ")} alone`
    case "LoanTwice":
      return "must not be a position that the list has already"
  }
}

/** @param at the path of the arm in a comparison; empty for other requests */
export const contradictionMessages = (
  contradictions: ReadonlyArray<Contradiction>,
  at: ReadonlyArray<number | string> = [],
  naming: Naming = OF_THE_API
): ReadonlyArray<readonly [field: string, message: string]> =>
  contradictions.map((contradiction) => [fieldPath([...at, ...contradiction.path]), messageOf(contradiction, naming)])
