/** The comparison of two portfolio results as text. */

import { grouped, wholeDollars } from "../../messages/figures.ts"
import type { Alone, PlanDifference, PortfolioDifference, Side } from "../../portfolio/index.ts"
import type { RulesDifference } from "../calculate/rulesDiff.ts"
import type { Screen } from "../output.ts"
import { rulesDifferenceView } from "./rules.ts"
import { type Column, numbers, table } from "./table.ts"
import { harmless } from "./text.ts"

const COLUMNS: ReadonlyArray<Column<PlanDifference>> = [
  { title: "Plan", cell: ({ planType }) => harmless(planType) },
  numbers("Same", ({ unchanged }) => grouped(unchanged), 1),
  numbers("Cost less", ({ costLower }) => grouped(costLower.borrowers)),
  numbers("by", ({ costLower }) => wholeDollars(costLower.dollars)),
  numbers("Cost more", ({ costHigher }) => grouped(costHigher.borrowers)),
  numbers("by", ({ costHigher }) => wholeDollars(costHigher.dollars)),
  numbers("Pay less", ({ paymentLower }) => grouped(paymentLower.borrowers), 4),
  numbers("Pay more", ({ paymentHigher }) => grouped(paymentHigher.borrowers), 4),
  numbers("Open now", ({ gained }) => grouped(gained), 3),
  numbers("Closed now", ({ lost }) => grouped(lost), 3),
  numbers("Forgiven", ({ forgivenMore }) => wholeDollars(forgivenMore), 2),
  numbers("Tax", ({ taxMore }) => wholeDollars(taxMore), 2)
]

const unshown = ({ dropped }: { readonly dropped: ReadonlyArray<string> }): ReadonlyArray<string> =>
  dropped.length === 0 ? [] : [`Too wide for the screen: ${dropped.join(", ")}. --json has them.`]

const sideText = ({ file, repaymentStarts, rows, ruleVersions }: Side): string =>
  `${file}: ${grouped(rows)} rows under ${ruleVersions.join(", ")}, repaid from ${repaymentStarts.join(", ")}`

const aloneIn = ({ file }: Side, { borrowers, rows }: Alone): ReadonlyArray<string> =>
  rows === 0 ? [] : [`Only in ${file}, and so not compared: ${grouped(rows)} rows (borrowers: ${grouped(borrowers)}).`]

const cautions = ({ after, before, onlyAfter, onlyBefore }: PortfolioDifference): ReadonlyArray<string> => [
  ...(before.repaymentStarts.join() === after.repaymentStarts.join()
    ? []
    : ["Repayment begins in different months, so the rules alone do not explain the changes."]),
  ...aloneIn(before, onlyBefore),
  ...aloneIn(after, onlyAfter)
]

export const portfolioDiffView =
  (difference: PortfolioDifference, rules: RulesDifference | null) =>
  (screen: Screen): string => {
    const { columns, style } = screen
    const shown = table(COLUMNS, difference.plans, columns)
    return [
      `Before  ${sideText(difference.before)}`,
      `After   ${sideText(difference.after)}`,
      `${grouped(difference.borrowersChanged)} borrowers have other figures under at least one plan.`,
      ...cautions(difference),
      "",
      style.bold(shown.head),
      ...shown.rows,
      ...unshown(shown),
      ...(rules === null ? [] : ["", rulesDifferenceView(rules)(screen)])
    ].join("\n")
  }
