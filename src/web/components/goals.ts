/** The winner of each goal, the order of the plans, and the plans that depend on an unknown date. */
import type { EnginePlan } from "../../engine/index.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Line } from "../book/line.ts"
import type { LineNote } from "../book/standing.ts"
import { conditionOf, isOpenByPayment, isSure } from "../book/sure.ts"
import { GOALS, type Goal, type State } from "./state.ts"

/** A plan on a card has a color, which its line, bar and name share. */
const COLORS = ["a", "b", "c"] as const
type Color = (typeof COLORS)[number]

/** A plan that wins one goal or more. */
export interface Card {
  readonly goals: ReadonlyArray<Goal>
  readonly line: Line
  readonly color: Color
  /** For each goal, other plans with the same shown figure. */
  readonly ties: Readonly<Record<Goal, ReadonlyArray<Line>>>
  /** A plan that would win the card's first goal under a condition, and one under the opposite condition. */
  readonly maybe: ReadonlyArray<Line>
}

/** A plan of the list. A married borrower may have it on a joint return and on separate returns. */
export interface PlanRow {
  readonly planType: EnginePlan
  readonly lines: ReadonlyArray<Line>
  /** The line whose details are shown. */
  readonly chosen: Line
}

/**
 * A separate return is no choice if a joint one asks for no more: it would save tax on what is
 * forgiven alone, and its own income tax is not counted.
 */
const isWorthFiling = (line: Line, lines: ReadonlyArray<Line>): boolean =>
  line.filing !== "MarriedFilingSeparately" ||
  !lines.some(
    ({ figures, filing }) =>
      filing === "MarriedFilingJointly" &&
      figures.firstMonthPayment <= line.figures.firstMonthPayment &&
      figures.totalOutOfPocket <= line.figures.totalOutOfPocket
  )

/** The lines that are surely open, as far as the page can tell. */
export const sureOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const open = lines.filter(isSure)
  return open.filter((line) => isWorthFiling(line, open))
}

/** How much less a separate return costs that is no choice, in dollars; 0 if none costs less. */
export const apartSaves = ({ cost }: Line, lines: ReadonlyArray<Line>): number =>
  Math.max(
    0,
    ...lines
      .filter((line) => line.filing === "MarriedFilingSeparately" && conditionOf(line) === undefined)
      .map((line) => cost - line.cost)
  )

/** The number of payments; infinite if the loans stay open. */
export const paymentsOf = ({ figures: { monthsToFinish }, paused }: Pick<Line, "figures" | "paused">): number =>
  monthsToFinish === null ? Number.POSITIVE_INFINITY : monthsToFinish + 1 - paused

/** The figure of a goal as it is shown: in whole dollars or months. */
const shownBy: Readonly<Record<Goal, (line: Line) => number>> = {
  first: ({ figures }) => Math.round(figures.firstMonthPayment),
  cost: ({ cost }) => Math.round(cost),
  soonest: paymentsOf
}

/** The order of goals that decides between plans with the same shown figure. */
const THEN: Readonly<Record<Goal, ReadonlyArray<Goal>>> = {
  first: ["first", "cost", "soonest"],
  cost: ["cost", "first", "soonest"],
  soonest: ["soonest", "cost", "first"]
}

/** Infinite figures are equal to each other. */
const difference = (one: number, other: number): number => (one === other ? 0 : one - other)

export const orderBy =
  (goal: Goal) =>
  (one: Line, other: Line): number =>
    THEN[goal].reduce((found, by) => (found === 0 ? difference(shownBy[by](one), shownBy[by](other)) : found), 0)

const winners = (lines: ReadonlyArray<Line>): Readonly<Record<Goal, ReadonlyArray<Line>>> => {
  const of = (goal: Goal) => {
    const sorted = [...lines].sort(orderBy(goal))
    return sorted.filter((line) => shownBy[goal](line) === shownBy[goal](sorted[0]!))
  }
  return { first: of("first"), cost: of("cost"), soonest: of("soonest") }
}

const OTHERWISE: Readonly<Partial<Record<LineNote, LineNote>>> = {
  ifSince2014: "ifBefore2014",
  ifBefore2014: "ifSince2014"
}

/** Two lines of which one is open whatever the date is, or else the best line. @param lines the best first */
const bestOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const pairs = lines.flatMap((line, index) => {
    const opposite = OTHERWISE[conditionOf(line)!]
    const other = lines.slice(index).find((one) => one.filing === line.filing && conditionOf(one) === opposite)
    return other === undefined ? [] : [[line, other]]
  })
  return pairs[0] ?? lines.slice(0, 1)
}

/** The cards in the order of the goals; a plan that wins two goals is one card. */
export const cardsOf = ({ lines }: Pick<BookAnswer, "lines">): ReadonlyArray<Card> => {
  const sure = sureOf(lines)
  const candidates = sure.length > 0 ? sure : lines
  if (candidates.length === 0) return []
  const equal = winners(candidates)
  // Among equal plans, one that also wins another goal comes first.
  const cost = equal.cost.find((line) => equal.first[0] === line) ?? equal.cost[0]!
  const first = equal.first.find((line) => line === cost) ?? equal.first[0]!
  const soonest = equal.soonest.find((line) => line === cost || line === first) ?? equal.soonest[0]!
  const winnerOf: Readonly<Record<Goal, Line>> = { first, cost, soonest }
  return [...new Set(GOALS.map((goal) => winnerOf[goal]))].map((line, index) => {
    const goals = GOALS.filter((goal) => winnerOf[goal] === line)
    const goal = goals[0]!
    const better = lines
      .filter((one) => conditionOf(one) !== undefined && isOpenByPayment(one))
      .filter((one) => sure.length > 0 && shownBy[goal](one) < shownBy[goal](line))
      .sort(orderBy(goal))
    return {
      goals,
      line,
      color: COLORS[index]!,
      ties: {
        first: equal.first.filter((one) => one !== line),
        cost: equal.cost.filter((one) => one !== line),
        soonest: equal.soonest.filter((one) => one !== line)
      },
      maybe: bestOf(better)
    }
  })
}

/** The winner of a goal. Each goal is on a card. */
export const winnerOf = (cards: ReadonlyArray<Card>, goal: Goal): Line =>
  cards.find(({ goals }) => goals.includes(goal))!.line

export const cardOf = (line: Line, cards: ReadonlyArray<Card>): Card | undefined =>
  cards.find((card) => card.line.key === line.key)

/** A plan that is on no card is gray. */
export const colorOf = (line: Line, cards: ReadonlyArray<Card>): Color | "g" => cardOf(line, cards)?.color ?? "g"

/** The order of the list: that of the goal, until the reader chooses another. */
export const sortOf = ({ goal, sort }: Pick<State, "goal" | "sort">): Goal => sort ?? goal ?? "cost"

/** Each plan once, sorted by the better of its returns. */
export const rowsOf = (
  lines: ReadonlyArray<Line>,
  state: Pick<State, "goal" | "sort" | "returns">
): ReadonlyArray<PlanRow> => {
  const order = orderBy(sortOf(state))
  const plans = [...new Set(lines.map(({ planType }) => planType))]
  const rows = plans.map((planType) => {
    const own = lines.filter((line) => line.planType === planType)
    const worth = own.filter((line) => isWorthFiling(line, own))
    const best = worth.sort(order)[0]!
    const chosen = own.find(({ filing }) => filing !== null && filing === state.returns[planType])
    return { row: { planType, lines: own, chosen: chosen ?? best }, best }
  })
  return rows.sort((one, other) => order(one.best, other.best)).map(({ row }) => row)
}

/** The plan in focus: the winner of the goal by which the list is sorted. */
export const spokenOf = (cards: ReadonlyArray<Card>, state: Pick<State, "goal" | "sort">): Line | undefined =>
  cards.find(({ goals }) => goals.includes(sortOf(state)))?.line
