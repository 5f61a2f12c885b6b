/**
 * The pauses of a loan: in which months it is paused, as which kind a pause counts for it, and what
 * becomes of the interest when a pause ends.
 */
import { type Account, capitalize, type LoanPause } from "./accounts.ts"
import { monthsFrom, type Start } from "./calendar.ts"
import { smaller, ZERO } from "./decimal.ts"
import { isDirect, isDirectOrFfelOrFisl } from "./matrix.ts"
import type { Loan, Pause } from "./wire.ts"

/** The pauses of a loan that are not over in month 0, without their months before it. */
export const pausesOf = (loan: Loan, pauses: ReadonlyArray<Pause>, start: Start): ReadonlyArray<LoanPause> =>
  pauses
    .filter(({ loans }) => loans === null || loans.includes(loan.index))
    .map(({ from, kind, until }) => ({
      kind,
      from: from === null ? 0 : Math.max(0, monthsFrom(start, from)),
      until: monthsFrom(start, until)
    }))
    .filter(({ until }) => until > 0)

/**
 * 34 CFR 685.204: what has entered repayment has a deferment. A consolidation and a PLUS loan have
 * no school period of their own.
 */
const hasEntered = ({ dueMonths, loan }: Account): boolean =>
  loan.idrMonths > 0 || loan.pslfCount > 0 || dueMonths > 0 || /CONSOLIDATED|PLUS/.test(loan.type)

/**
 * 20 U.S.C. 1087e(f)(1)(B); 34 CFR 685.202(b), 682.202(b): whether a pause ends with its interest
 * joining principal.
 */
const joinsPrincipal = ({ loan: { type } }: Account, { kind }: LoanPause): boolean =>
  isDirectOrFfelOrFisl(type) && (kind === "Deferment" || !isDirect(type))

/** Ends a pause. What it accrued and is still unpaid may join principal. A fixed amount is set anew. */
function end(a: Account, pause: LoanPause): void {
  capitalize(a, joinsPrincipal(a, pause) ? smaller(a.interest, a.accruedInPause) : ZERO)
  a.accruedInPause = ZERO
  a.pause = null
  a.schedule = null
}

/** At the beginning of a month: ends the pause that is over, and begins another. */
export function turnPause(a: Account, month: number): void {
  if (a.pause !== null && month === a.pause.until) end(a, a.pause)
  const begun = a.pauses.find(({ from }) => month === from)
  if (begun !== undefined)
    a.pause = begun.kind === "InSchool" && hasEntered(a) ? { ...begun, kind: "Deferment" } : begun
}
