/** The answer about a couple, and its sentences. */
import { omissionById, ruleById } from "../../ledger/index.ts"
import type { PlanFigures, PlansResult } from "../../schema/plans.ts"
import { type Couple, type CoupleReturn, type NoReturn, WIRE_PLANS } from "../engine/index.ts"
import { OF_THE_API } from "./naming.ts"
import { figuresOf, reasonOf, sentenceOf } from "./plansAnswer.ts"

/** A couple on one kind of return, in US dollars. */
interface ReturnAnswer {
  /** Each spouse under the plan that costs least; null without loans. */
  readonly first: PlanFigures | null
  readonly second: PlanFigures | null
  /** More federal income tax than on a joint return, to the end of the repayment. */
  readonly incomeTax: number
  /** Of both, with both taxes; with a discountRate, what it is worth today. */
  readonly cost: number
}

/** Why a return has no answer. */
interface NoAnswer {
  readonly refused: string
}

export interface CoupleAnswer extends Pick<PlansResult, "asOf" | "citations" | "knownOmissions" | "ruleVersion"> {
  readonly joint: ReturnAnswer | NoAnswer
  readonly separate: ReturnAnswer | NoAnswer
  /** The return that costs less; joint on a tie, null if neither has an answer. */
  readonly lowest: "joint" | "separate" | null
}

const answerOf = (one: CoupleReturn | NoReturn): ReturnAnswer | NoAnswer => {
  if (one._tag === "NoReturn") {
    const reasons = one.closed.map((closed) => sentenceOf(closed.plan.planType, reasonOf(closed, OF_THE_API)))
    const whose = `open to the ${one.spouse} spouse`
    const none = one.closed.length === WIRE_PLANS.length ? `No plan is ${whose}.` : `No plan ${whose} ends in 50 years.`
    return { refused: [none, ...new Set(reasons)].join(" ") }
  }
  const [first, second] = [one.first, one.second].map((spouse) =>
    spouse === null ? null : figuresOf(spouse.label, spouse.projection, spouse.request)
  )
  return { first: first!, second: second!, incomeTax: one.incomeTax, cost: one.cost }
}

const lowestOf = ({ joint, separate }: Pick<Couple, "joint" | "separate">): CoupleAnswer["lowest"] => {
  if (joint._tag === "NoReturn") return separate._tag === "NoReturn" ? null : "separate"
  return separate._tag === "NoReturn" || joint.cost <= separate.cost ? "joint" : "separate"
}

export const coupleAnswer = (
  couple: Couple,
  { asOf, ruleVersion }: Pick<PlansResult, "asOf" | "ruleVersion">
): CoupleAnswer => ({
  asOf,
  ruleVersion,
  joint: answerOf(couple.joint),
  separate: answerOf(couple.separate),
  lowest: lowestOf(couple),
  citations: couple.citations.map((id) => ({ id, label: ruleById(id).label })),
  knownOmissions: couple.omissions.map((id) => ({ id, label: omissionById(id).label }))
})
