/** The sentences about the best path. */
import { idrSunsetDefault, newBorrowerTests } from "../../ledger/rules/income-based.ts"
import { leavingIncomeBased } from "../../ledger/rules/interest.ts"
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import type { PathsRequest } from "../../schema/paths.ts"
import type { PlanChange } from "../../schema/scenario.ts"
import { type BestPath, currentLaw, fromCents, hasDates, type Path, standard, toCents } from "../engine/index.ts"
import { dollars, grouped, longDate, longMonth, month } from "./figures.ts"
import { CLOSED_PLANS } from "./plans.ts"

type Notes = ReadonlyArray<string>
type Named = (planType: string) => string

const { endsOn, plans: ending }: { readonly endsOn: string; readonly plans: ReadonlyArray<string> } =
  currentLaw.read(idrSunsetDefault)
const { mayBeLeftFor } = currentLaw.read(leavingIncomeBased)
const NEW_BORROWERS = "INCOME BASED"
const NEW_LOANS = currentLaw.read(newLoanPlans202607)

/** A borrower has one of the two Income-Based plans. */
export const INCOME_BASED_IS_FOR = `${NEW_BORROWERS} is for borrowers who owed nothing on ${longDate(currentLaw.read(newBorrowerTests)[NEW_BORROWERS].newFrom)}, or nothing when they next borrowed`

const CAUTION = `The best of the paths tried is not advice: income, family and the law may change. After a loan or consolidation made since ${longMonth(NEW_LOANS.loansMadeFrom.slice(0, "YYYY-MM".length))}, and from Income-Based, only ${mayBeLeftFor.join(" or ")} can be chosen. The servicer may count other months`

interface PathFigures {
  readonly planType: string | null
  readonly planChanges: ReadonlyArray<PlanChange>
  readonly cost: number
  readonly forgivenessTaxesOwed: number
  readonly payoffOrForgivenessDate: string | null
  readonly presentValue?: number | undefined
}

/** A path whose plan ends before it does passes to another plan. */
const endWords = ({ payoffOrForgivenessDate: last }: PathFigures, plan: string): string =>
  ending.includes(plan) && last !== null && last >= endsOn ? ` until ${longMonth(endsOn)} and its successor then` : ""

/** For example "PAYE, then IBR-NEW from June 2028". */
const pathWords = (path: PathFigures, named: Named): string => {
  const { planChanges, planType } = path
  const changes = planChanges.map(({ from, planType: next }) => `, then ${named(next)} from ${longMonth(from)}`)
  return `${named(planType ?? "")}${changes.join("")}${endWords(path, planChanges.at(-1)?.planType ?? planType ?? "")}`
}

/** Who does not leave a plan that has ended is moved. */
const isMoved = ({ planChanges, planType }: Pick<PathFigures, "planChanges" | "planType">): boolean =>
  CLOSED_PLANS.includes(planType) && planChanges.length > 0

/** @param path of which the words name what it saves */
export const savedAgainst = (path: Pick<PathFigures, "planChanges" | "planType">): string =>
  isMoved(path) ? "the move that is made for who does not choose" : "the best without a change"

/** @param named the names of plans */
export const bestPathSentence = (best: PathFigures, without: PathFigures, projected: number, named: Named): string => {
  const { forgivenessTaxesOwed: tax } = best
  const taxed = tax === 0 ? "" : `, with ${dollars(tax)} tax on what is forgiven`
  const what = `${taxed}${best.presentValue === undefined ? "" : ", as worth today"}`
  const saved = fromCents(toCents(without.cost) - toCents(best.cost))
  const beside =
    saved === 0
      ? "Nothing else that was tried costs less"
      : `That is ${dollars(saved)} less than ${savedAgainst(without)}: ${pathWords(without, named)}`
  return `Lowest cost of ${grouped(projected)} paths tried: ${pathWords(best, named)}, at ${dollars(best.cost)}${what}. ${beside}.`
}

const figuresOf = ({ projection, ...path }: Path): PathFigures => ({ ...projection, ...path })

/** A plan of a path that is chosen, and not the plan that the borrower is in. */
const chooses = ({ planChanges, planType }: Path, plan: string, { currentPlan }: Asked): boolean =>
  (currentPlan === null && planType === plan) || planChanges.some((change) => change.planType === plan)

/** Only the dates of loans show whether the borrower may have the plan. */
const conditionNotes = ({ best, paths }: BestPath, asked: Asked): Notes => {
  if (hasDates(asked.scenario.firstBorrowedOn, asked.loans) || !chooses(best, NEW_BORROWERS, asked)) return []
  const other = paths.find((path) => !chooses(path, NEW_BORROWERS, asked))
  const instead =
    other === undefined
      ? ""
      : `; for others the best is ${pathWords(figuresOf(other), (plan) => plan)}, at ${dollars(other.cost)}`
  return [`${INCOME_BASED_IS_FOR}${instead}`]
}

const leavingNotes = ({ best: { planChanges, planType } }: BestPath): Notes =>
  isMoved({ planChanges, planType })
    ? [
        `${planType} has ended, so every path leaves it in ${longMonth(planChanges[0]!.from)}; servicers move those who do not choose to ${standard.planType}`
      ]
    : []

/** The months tried are no deadlines. */
const tieNotes = ({ best: { latestFrom } }: BestPath): Notes =>
  latestFrom === null ? [] : [`A change in ${longMonth(latestFrom)} costs the same`]

/** A path that pays sooner saves interest, as paying more would under any plan. */
const fasterNotes = ({ best: { paymentAfterChange: after, planChanges, projection } }: BestPath): Notes =>
  after === null || projection.forgivenessType !== "None" || after <= projection.firstMonthPayment
    ? []
    : [
        `It pays ${dollars(after)} in ${longMonth(planChanges[0]!.from)}, and ${dollars(projection.firstMonthPayment)} at first: it saves by paying sooner, which every plan allows`
      ]

const workNotes = ({ best: { projection } }: BestPath): Notes =>
  projection.forgivenessType === "Pslf"
    ? [`It needs work for a qualifying employer until ${month(projection.payoffOrForgivenessDate!)}`]
    : []

type Asked = Pick<PathsRequest, "currentPlan" | "loans"> & {
  readonly scenario: Pick<PathsRequest["scenario"], "firstBorrowedOn">
}

/** What a path asks for, and what could make another one the best. */
export const pathsNotes = (found: BestPath, asked: Asked): Notes => [
  ...leavingNotes(found),
  ...tieNotes(found),
  ...conditionNotes(found, asked),
  ...fasterNotes(found),
  ...workNotes(found),
  CAUTION
]
