/** The texts of a couple's answer. */
import { counted, dollarRange, dollars, wholeDollars } from "../messages/figures.ts"
import type { Way } from "./book/couple.ts"
import type { Whose } from "./book/spouse.ts"

const WAYS: Readonly<Record<Way, string>> = {
  joint: "Joint return",
  own: "Separate, own income",
  half: "Separate, split in half"
}

export const coupleTexts = {
  title: "For the two of you",
  best: "Lowest total cost",
  /** If the other way to count the income costs more than the other kind of return. */
  bestIf: {
    joint: "Lowest total cost",
    own: "Lowest, with own incomes",
    half: "Lowest, with incomes split in half"
  } satisfies Record<Way, string>,
  other: "The other kind of return",
  kinds: { joint: "Joint return", separate: "Separate returns" },
  range: dollarRange,
  inAll: "in all",
  aMonth: (isLater: boolean) => (isLater ? "a month once both pay" : "a month at first"),
  /** In the order of the totals. */
  payments: (amounts: ReadonlyArray<number>) => [...new Set(amounts.map(wholeDollars))].join(" or "),
  half: "The lower total is with your incomes split in half.",
  own: "The lower total is with each one's own income.",
  more: (amounts: ReadonlyArray<number>) => `Costs ${dollarRange(amounts)} more.`,
  /** @param saved dollars that the better kind of return saves, for each way to count the income */
  finding: (isJoint: boolean, saved: ReadonlyArray<number>) => {
    const name = isJoint ? "A joint return" : "Separate returns"
    const costs = isJoint ? "costs" : "cost"
    if (saved.some((amount) => amount < 0)) return "Which return costs less depends on how your income is counted."
    if (saved.every((amount) => Math.round(amount) === 0)) return "Both kinds of return cost the same."
    const way = saved.length > 1 ? ", whichever way your income is counted" : ""
    return `${name} ${costs} ${dollarRange(saved)} less${way}.`
  },
  yearly: "You can choose anew every year.",
  wholeTitle: "Each way to file, in whole",
  ways: WAYS,
  together: (sum: string) => `${sum} together`,
  each: (own: string, spouse: string) => (own === spouse ? `${own} each` : `${own} and ${spouse}`),
  columns: ["Return", "First payments", "You two pay in all", "Done"],
  both: "both done",
  bothAMonth: (isLater: boolean) => (isLater ? "once both pay" : "both, a month"),
  of: { own: "You", spouse: "Spouse" } satisfies Record<Whose, string>,
  first: "First payment",
  paid: "Pays in all, with tax",
  done: "Done",
  forgiven: "Forgiven",
  without: (whose: Whose) =>
    whose === "own"
      ? "You can choose no plan that ends, so this return has no sum."
      : "Your spouse can choose no plan that ends, so this return has no sum.",
  /** The sum with its cents. @param tax more than jointly, negative if less */
  sum: (own: number, spouse: number, tax: number, cost: number) =>
    `${dollars(own)} + ${dollars(spouse)}${tax === 0 ? "" : ` ${tax < 0 ? "-" : "+"} ${dollars(Math.abs(tax))} income tax`} = ${dollars(cost)}.`,
  /** @param tax more than jointly, in dollars */
  incomeTax: (tax: number) => {
    if (Math.round(tax) === 0) return "No more federal income tax than jointly."
    return tax > 0
      ? `At least ${wholeDollars(tax)} more federal income tax than jointly until both are done. You may go back to a joint return sooner.`
      : `About ${wholeDollars(-tax)} less federal income tax than jointly until both are done.`
  },
  forgivenTax: (tax: number) => `${wholeDollars(tax)} of what you two pay is tax on what is forgiven.`,
  untaxed: "No tax on what is forgiven: it is for public service.",
  /** @rule idr-joint-proration */
  before:
    "Before you choose, work out both tax returns, or ask a tax preparer. The income tax in these sums goes by federal brackets alone: no state tax, no credits, no deduction of student-loan interest. Each one's share of a joint payment stays as it is now, even once the other has paid off.",
  /** @param whose return they are on */
  dependents: (dependents: number, whose: Whose) =>
    `On separate returns, ${counted(dependents, "dependent")} ${dependents === 1 ? "is" : "are"} on ${whose === "own" ? "yours" : "your spouse's"}.`,
  changes: "Your later changes are not in these sums, only in each one's own plans below.",
  whose: "Whose own plans?",
  ofEach: { own: "Your own plans", spouse: "Your spouse's own plans" } satisfies Record<Whose, string>,
  reads: "From here on, “you” is your spouse.",
  halfIncomes: "Separate returns below count half of both incomes. To see the other way, choose “Own income”.",
  see: "See both returns"
}
