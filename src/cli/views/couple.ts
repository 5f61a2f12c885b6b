/** A couple as text: a line for each spouse on each return, and the sums. */
import type { PlanFigures } from "../../../schema/plans.ts"
import { fromCents, toCents } from "../../engine/index.ts"
import { month, wholeDollars } from "../../messages/figures.ts"
import type { CoupleAnswer } from "../../services/answers/local.ts"
import { shortPlanName } from "../calculate/scenarioFlags.ts"
import type { Screen } from "../output.ts"
import { basisLines } from "./provenance.ts"
import { type Column, numbers, tableLines } from "./table.ts"
import { wrap } from "./text.ts"

const RETURNS = ["joint", "separate"] as const
const SPOUSES = ["first", "second"] as const

/** @rule idr-joint-proration */
const SHARE_IS_HELD = "Each one's share of a joint payment stays as it is now, even once the other has paid off."

interface Row {
  readonly of: string
  readonly figures: PlanFigures
}

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { title: "Return", cell: ({ of }) => of },
  { title: "Plan", cell: ({ figures }) => shortPlanName(figures.planType) },
  numbers("First payment", ({ figures }) => wholeDollars(figures.year1MonthlyPayment)),
  numbers("Ends", ({ figures: { payoffOrForgivenessDate: end } }) => month(end!), 2),
  numbers("Forgiven", ({ figures }) => wholeDollars(figures.amountForgiven), 1),
  numbers("Total with tax", ({ figures }) => wholeDollars(figures.lifetimeCost))
]

export const coupleView =
  (answer: CoupleAnswer) =>
  (screen: Screen): string => {
    const rows = RETURNS.flatMap((name) => {
      const one = answer[name]
      return "refused" in one
        ? []
        : SPOUSES.flatMap((spouse) =>
            one[spouse] === null ? [] : [{ of: `${name}, ${spouse}`, figures: one[spouse] }]
          )
    })
    const sentences = RETURNS.map((name) => {
      const one = answer[name]
      if ("refused" in one) return `The ${name} return has no answer. ${one.refused}`
      const tax = one.incomeTax === 0 ? "" : `, of it ${wholeDollars(one.incomeTax)} more federal income tax`
      return `Both on ${name === "joint" ? "a joint return" : "separate returns"}: ${wholeDollars(one.cost)}${tax}.`
    })
    const { joint, separate } = answer
    const less =
      "refused" in joint || "refused" in separate
        ? []
        : [
            `The ${answer.lowest} way costs ${wholeDollars(Math.abs(fromCents(toCents(joint.cost) - toCents(separate.cost))))} less.`
          ]
    return [
      ...tableLines(COLUMNS, rows, screen),
      "",
      ...[...sentences, ...less, SHARE_IS_HELD].flatMap((sentence) => wrap(sentence, screen.columns)),
      ...basisLines(answer.knownOmissions.length, answer.citations.length, screen)
    ].join("\n")
  }
