/** The texts of a couple's answer. */
import { counted, wholeDollars } from "../messages/figures.ts"
import type { CoupleShown, Way } from "./book/couple.ts"
import type { Whose } from "./book/spouse.ts"

const rangeOf = (amounts: ReadonlyArray<number>): string =>
  [...new Set([Math.min(...amounts), Math.max(...amounts)].map(wholeDollars))].join(" to ")

const WAYS: Readonly<Record<Way, string>> = {
  joint: "Joint return",
  own: "Separate, own income",
  half: "Separate, split in half"
}

const LEFT_OUT: Readonly<Record<CoupleShown["leavesOut"][number], string>> = {
  changes: "Your later changes are not in these sums, only in each one's own plans below.",
  family: "Other people in your family are not in these sums, only in each one's own plans below."
}

export const coupleTexts = {
  title: "For the two of you",
  best: { cost: "Lowest total cost", both: "Lowest payments now, and lowest total cost" },
  other: "The other way",
  kinds: { joint: "Joint return", separate: "Separate returns" },
  range: rangeOf,
  inAll: "in all",
  aMonth: "a month",
  half: "The lower figure is with your income split in half.",
  own: "The lower figure is with each one's own income.",
  more: (amounts: ReadonlyArray<number>) => `Costs ${rangeOf(amounts)} more.`,
  /** @param saved dollars that the better kind of return saves, for each way to count the income */
  finding: (isJoint: boolean, saved: ReadonlyArray<number>) => {
    const name = isJoint ? "A joint return" : "Separate returns"
    const costs = isJoint ? "costs" : "cost"
    if (saved.some((amount) => amount < 0)) return "Which return costs less depends on how your income is counted."
    if (saved.every((amount) => Math.round(amount) === 0)) return "Both kinds of return cost the same."
    const way = saved.length > 1 ? ", whichever way your income is counted" : ""
    return `${name} ${costs} ${rangeOf(saved)} less${way}.`
  },
  yearly: "You can choose anew every year.",
  wholeTitle: "Both returns, in whole",
  ways: WAYS,
  together: (sum: string) => `${sum} together`,
  each: (own: string, spouse: string) => (own === spouse ? `${own} each` : `${own} and ${spouse}`),
  columns: ["Return", "First payments", "You two pay in all", "Done"],
  both: "both",
  bothAMonth: "both, a month",
  of: { own: "You", spouse: "Spouse" } satisfies Record<Whose, string>,
  first: "First payment",
  paid: "Pays in all, with tax",
  done: "Done",
  forgiven: "Forgiven",
  without: (whose: Whose) =>
    whose === "own"
      ? "You can choose no plan that ends, so this return has no sum."
      : "Your spouse can choose no plan that ends, so this return has no sum.",
  /** @param tax more than jointly, in dollars */
  incomeTax: (tax: number) => {
    if (Math.round(tax) === 0) return "No more federal income tax than jointly."
    return tax > 0
      ? `At least ${wholeDollars(tax)} more federal income tax than jointly, over these years. It is in the sum.`
      : `About ${wholeDollars(-tax)} less federal income tax than jointly, over these years. It is in the sum.`
  },
  forgivenTax: (tax: number) => `${wholeDollars(tax)} of it is tax on what is forgiven.`,
  untaxed: "No tax on what is forgiven: it is for public service.",
  before:
    "Before you choose, work out both tax returns, or ask a tax preparer. These sums have federal tax brackets alone: no state tax, no credits, no deduction of student-loan interest.",
  dependents: (dependents: number) =>
    `On separate returns, ${counted(dependents, "dependent")} ${dependents === 1 ? "is" : "are"} on yours.`,
  leftOut: LEFT_OUT,
  whose: "Whose own plans?",
  ofEach: { own: "Your own plans", spouse: "Your spouse's own plans" } satisfies Record<Whose, string>,
  reads: "From here on, “you” is your spouse.",
  see: "See both returns"
}
