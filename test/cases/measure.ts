/**
 * The engine's figures of a case, by the names used in cases. Figures of the API come from
 * `project`. Unrounded and monthly figures come from `runUntil`, cut off after a month.
 */
import { Schema } from "effect"
import { KeylessLoanRequest } from "../../schema/calculator.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import type { Refusal } from "../../src/engine/answer/refusals.ts"
import { calculate } from "../../src/engine/calculator.ts"
import { lawOf } from "../../src/engine/law/law.ts"
import { type Projection, project, runUntil, type UnroundedRun } from "../../src/engine/projection.ts"
import { ANSWERED_ON, type Case, START } from "./case.ts"

type Figure = number | string | null
/** Looks up a figure by its name. Throws for unknown names. */
type Figures = (path: string) => Figure

const decodeProjection = Schema.decodeUnknownSync(ProjectionRequest, { onExcessProperty: "error" })
const decodeCalculator = Schema.decodeUnknownSync(KeylessLoanRequest, { onExcessProperty: "error" })

/** Rounds to whole cents, half up. Independent of the engine's rounding, because it checks it. */
const cents = (dollars: number): number => Math.round(Number((dollars * 100).toPrecision(13))) / 100

const answered = <A extends Projection | UnroundedRun>(outcome: A | Refusal): A => {
  if (outcome._tag === "Refusal") throw new Error(`refused as ${outcome.kind}`)
  return outcome
}

/** Ids of older tables, for cases computed with them. */
const PINNED: Readonly<Record<Case["constantsYear"], ReadonlyArray<string>>> = {
  2025: ["poverty-guideline-2025", "icr-income-percentage-factors-2025"],
  2026: []
}

const lawOfYear = (year: Case["constantsYear"]) => lawOf({ asOf: ANSWERED_ON, pinned: PINNED[year] })

const run = (wire: unknown, year: Case["constantsYear"]) => {
  const law = lawOfYear(year)
  const request = decodeProjection(wire)
  const projection = answered(project(law, { ...request, includeYearly: true }, START))
  const upTo = (months: number) => answered(runUntil(law, request, START, months))
  const paidIn = (month: number) => upTo(month + 1).paid - upTo(month).paid
  return { projection, upTo, paidIn, whole: answered(runUntil(law, request, START)) }
}
type Run = ReturnType<typeof run>

const finish = ({ projection }: Run): number => {
  if (projection.monthsToFinish === null) throw new Error("the projection has no finish")
  return projection.monthsToFinish
}

/** Figures that the API does not carry. `index` is the number in the name; months count from 1. */
const BEYOND_THE_WIRE: Readonly<Record<string, (run: Run, index: number) => number>> = {
  firstPayment: ({ upTo }) => upTo(1).firstPayment,
  lastPayment: (one) => one.paidIn(12 * Math.floor(finish(one) / 12)),
  paymentOfYear: ({ paidIn }, year) => paidIn(12 * year),
  principalAfterMonth: ({ upTo }, month) => upTo(month).principalLeft,
  interestAfterMonth: ({ upTo }, month) => upTo(month).interestLeft,
  payments: (one) => finish(one) + 1,
  interestAccrued: ({ whole }) => whole.accrued,
  interestWaived: ({ whole }) => whole.waived,
  principalMatched: ({ whole }) => whole.matched
}

const wireFigure = ({ projection }: Run, [name, index, member]: ReadonlyArray<string>): Figure => {
  const value: unknown =
    name === "yearly"
      ? Object.entries(projection.yearly?.[Number(index)] ?? {}).find(([key]) => key === member)?.[1]
      : Object.entries(projection).find(([key]) => key === name)?.[1]
  if (typeof value !== "number" && typeof value !== "string" && value !== null) throw new Error(`no figure ${name}`)
  return value
}

const projectionFigures = (one: Case): Figures => {
  const own = run(one.request, one.constantsYear)
  const firstOf = (which: Run) => which.upTo(1).firstPayment
  return (path) => {
    if (path === "spouseFirstPayment") return cents(firstOf(run(one.spouseRequest, one.constantsYear)))
    if (path === "coupleMonthlyPayment") {
      return cents(firstOf(own) + firstOf(run(one.spouseRequest, one.constantsYear)))
    }
    const [name = "", index, ...rest] = path.split(".")
    const read = BEYOND_THE_WIRE[name]
    return read === undefined ? wireFigure(own, [name, index ?? "", ...rest]) : cents(read(own, Number(index)))
  }
}

/** The calculator's figures by the names of a projection. */
const calculatorFigures = (one: Case, plan: string): Figures => {
  const request = decodeCalculator(one.calculator?.request)
  const answer = calculate(lawOfYear(one.constantsYear), request, START).plans.find((found) => found.plan === plan)
  if (answer === undefined) throw new Error(`the calculator leaves out ${plan}`)
  const figures: Readonly<Record<string, Figure>> = {
    firstPayment: answer.monthlyPayment,
    totalOutOfPocket: answer.totalPaid,
    monthsToFinish: answer.monthsToPayoff ?? answer.forgivenessAtMonth,
    amountForgiven: answer.forgivenBalance,
    forgivenessTaxesOwed: answer.taxOnForgiveness,
    forgivenessType: answer.forgivenessType
  }
  return (path) => {
    const value = figures[path]
    if (value === undefined) throw new Error(`no figure ${path}`)
    return value
  }
}

/** The engine's figures of a case that is run. */
export const measure = (one: Case): Figures =>
  one.calculator === undefined ? projectionFigures(one) : calculatorFigures(one, one.calculator.plan)
