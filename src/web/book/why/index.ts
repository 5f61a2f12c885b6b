/** Explains the figures of the answer, each by its own function. */
import { ruleById } from "../../../../ledger/index.ts"
import { dateOfMonth } from "../../../engine/index.ts"
import { dialogTexts } from "../../whyTexts.ts"
import { type Asked, lastOf, unfinished } from "./asked.ts"
import { ends, forgiven } from "./end.ts"
import type { Explanation, Figure, Made } from "./explanation.ts"
import { payment } from "./payment.ts"
import { tax } from "./tax.ts"
import { cost, interest, paid, worth } from "./totals.ts"

const MAKERS: Readonly<Record<Figure, (asked: Asked, name: string) => Made>> = {
  first: payment,
  highest: payment,
  paid,
  interest,
  forgiven,
  tax,
  cost,
  worth,
  ends
}

/** The figure's name in its last row, because the reader may ask for another month. */
const nameOf = ({ line, month, start }: Asked, figure: Figure): string => {
  const isOther = (figure === "first" && month !== line.paused) || (figure === "highest" && month !== line.highestMonth)
  return isOther ? dialogTexts.payment(dateOfMonth(start, month)) : dialogTexts.figures[figure]
}

export const explanationOf = (asked: Asked, figure: Figure): Explanation => {
  const made = MAKERS[figure](asked, nameOf(asked, figure))
  return {
    date: dateOfMonth(asked.start, lastOf(asked)),
    notes: unfinished(asked),
    steps: undefined,
    ...made,
    labels: Object.fromEntries(made.rows.flatMap(({ rules }) => rules).map((id) => [id, ruleById(id).label]))
  }
}
