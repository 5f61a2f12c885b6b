/** Explains the end of a plan: its cause, and the amount and month of forgiveness. */
import type { Rule } from "../../../../ledger/entry.ts"
import { idrForgivenessCount } from "../../../../ledger/rules/income-based.ts"
import { interestAccrual } from "../../../../ledger/rules/interest.ts"
import { pslfTerms } from "../../../../ledger/rules/public-service-forgiveness.ts"
import { rapPrincipalMatch } from "../../../../ledger/rules/repayment-assistance.ts"
import { dateOfMonth, planOf, type Step } from "../../../engine/index.ts"
import { month as monthName, owesNothing } from "../../../messages/figures.ts"
import { endTexts, forgivenTexts } from "../../whyTexts.ts"
import { type Asked, explained, mostOf, valuesOf } from "./asked.ts"
import type { Made } from "./explanation.ts"
import { addingUp, isNotZero, row, sentences, sumOf, toTheCent } from "./rows.ts"

/** The balances that are forgiven at the end of a month, and the steps that set that month. */
interface ForgivenMonth {
  readonly date: string
  readonly principal: number
  readonly interest: number
  readonly rules: ReadonlyArray<Rule>
  readonly steps: ReadonlyArray<Step>
}

const forgivenIn = (asked: Asked, month: number): ForgivenMonth => {
  const { parts } = explained(asked, month)
  const all = parts.flatMap(({ loans }) => loans)
  const ended = all.filter(({ forgiven }) => forgiven > 0)
  const principal = ended.reduce((sum, { forgiven, loan }) => {
    const of = all.filter((one) => one.loan === loan)
    const lowered = sumOf(of.map(({ principalMatched, toPrincipal }) => toPrincipal + principalMatched))
    return sum + Math.min(forgiven, Math.max(...of.map((one) => one.principal)) - lowered)
  }, 0)
  const types = new Set(ended.map(({ forgivenessType }) => forgivenessType))
  return {
    date: dateOfMonth(asked.start, month),
    principal,
    interest: sumOf(ended.map(({ forgiven }) => forgiven)) - principal,
    rules: [...(types.has("TimeBased") ? [idrForgivenessCount] : []), ...(types.has("Pslf") ? [pslfTerms] : [])],
    steps: parts.flatMap(({ steps }) => steps)
  }
}

const forgivenMonths = (asked: Asked): ReadonlyArray<ForgivenMonth> =>
  asked.line.forgivenInAll.map((month) => forgivenIn(asked, month))

/** The number of payments after which a loan is forgiven, by time or as PSLF. */
const whenForgiven = (found: ReadonlyArray<ForgivenMonth>): ReadonlyArray<string> => {
  const steps = found.flatMap((one) => one.steps)
  const { pslf, timeBased } = forgivenTexts
  return [
    ...(valuesOf(steps, "forgivenTimeBased").length > 0
      ? [timeBased(mostOf(steps, "forgivenessMonths"), valuesOf(steps, "countedMonths"))]
      : []),
    ...(valuesOf(steps, "forgivenPslf").length > 0
      ? [pslf(mostOf(steps, "servicePayments"), valuesOf(steps, "countedPayments"))]
      : [])
  ]
}

export const forgiven = (asked: Asked, name: string): Made => {
  const { amountForgiven } = asked.line.figures
  const found = forgivenMonths(asked)
  const shown = asked.line.forgivenIn.map((month) => dateOfMonth(asked.start, month))
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined)
    return { said: sentences(forgivenTexts.none), rows: [row("sum", name, amountForgiven)] }
  const lefts = found.flatMap((one) => [one.principal, one.interest])
  const amounts = addingUp(lefts)
  const lead =
    shown.length === 1
      ? forgivenTexts.lead(amountForgiven, first)
      : forgivenTexts.leadSeveral(amountForgiven, first, last)
  return {
    date: last,
    said: sentences(lead, ...whenForgiven(found)),
    rows: [
      ...found
        .flatMap(({ date, rules }, index) => [
          row("part", forgivenTexts.principal(date), amounts[2 * index]!, { rules, formula: forgivenTexts.formula }),
          row("part", forgivenTexts.interest(date), amounts[2 * index + 1]!, { rules: [...rules, interestAccrual] })
        ])
        .filter(isNotZero),
      row("sum", name, toTheCent(...lefts))
    ]
  }
}

/** The cause of the plan's end: its term, the payments themselves, or forgiveness. */
const endSentences = (asked: Asked): ReadonlyArray<string> => {
  const { line, start } = asked
  const { forgivenessType, monthsToFinish } = line.figures
  if (owesNothing(line.figures)) return [endTexts.nothing]
  if (monthsToFinish === null) return [endTexts.never]
  const date = dateOfMonth(start, monthsToFinish)
  const count = monthsToFinish + 1 - line.paused
  if (forgivenessType !== "None") {
    const found = forgivenMonths(asked)
    const last = found.at(-1)?.date ?? date
    return [
      last === date ? endTexts.forgiven(count, date) : endTexts.forgivenBefore(date, last),
      ...whenForgiven(found)
    ]
  }
  if (planOf(line.planType).kind !== "fixed") return [endTexts.repaid(count, date), endTexts.beforeForgiveness]
  // Payments that are raised to a minimum end before the term.
  const term = Math.max(...explained(asked, line.paused).parts.map(({ steps }) => mostOf(steps, "monthsLeft")))
  return [term === count ? endTexts.term(count, date) : endTexts.repaid(count, date)]
}

const endRules = ({ line }: Asked): ReadonlyArray<Rule> => {
  const plan = planOf(line.planType)
  if (plan.kind === "fixed") return plan.terms
  const isRap = line.planType === "REPAYMENT ASSISTANCE"
  return [
    line.figures.forgivenessType === "Pslf" ? pslfTerms : idrForgivenessCount,
    ...(isRap ? [rapPrincipalMatch] : [])
  ]
}

export const ends = (asked: Asked, name: string): Made => {
  const { line, start } = asked
  const { monthsToFinish } = line.figures
  const last = monthsToFinish === null ? endTexts.notWithin : monthName(dateOfMonth(start, monthsToFinish))
  return {
    said: sentences(...endSentences(asked)),
    rows: [
      row("fact", endTexts.first, null, { shown: monthName(dateOfMonth(start, line.paused)) }),
      row("fact", endTexts.count, null, { shown: String(line.months.length - line.paused) }),
      row("sum", name, monthsToFinish, { shown: last, rules: endRules(asked) })
    ],
    notes: []
  }
}
