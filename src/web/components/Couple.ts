/** The answer for two with loans: both kinds of return, then each way in whole, then the choice of one's own plans. */
import { type ComponentChild, Fragment, h } from "preact"
import { month, wholeDollars } from "../../messages/figures.ts"
import type { CoupleShown, OnReturn, ReturnRow } from "../book/couple.ts"
import { IN_DEFAULT } from "../book/draft.ts"
import { isShown } from "../book/numbers.ts"
import type { Whose } from "../book/spouse.ts"
import { texts } from "../texts.ts"
import { div, p, span } from "./elements.ts"
import { amount } from "./lines.ts"
import { InDefault } from "./Path.ts"
import { Track } from "./plans/figures.ts"
import type { Actions, State } from "./state.ts"

const { answer: answerWords, couple: words } = texts

const BOTH: ReadonlyArray<Whose> = ["own", "spouse"]

type Answered = ReturnRow & { readonly plans: Readonly<Record<Whose, OnReturn>> }

const isAnswered = (row: ReturnRow): row is Answered => !("without" in row.plans)
const colorOf = ({ way }: ReturnRow): string => (way === "joint" ? "b" : "a")

/** The rows of each kind of return, the kind that costs least first. */
const kindsOf = ({ rows }: Pick<CoupleShown, "rows">) => {
  const open = rows.filter(isAnswered)
  const ofKind = (isJoint: boolean) => open.filter(({ way }) => (way === "joint") === isJoint)
  const kinds = [ofKind(open[0]?.way === "joint"), ofKind(open[0]?.way !== "joint")] as const
  return { best: kinds[0], other: kinds[1] }
}

/** What the better kind saves, for each way to count the income. */
const savedOf = ({ best, other }: ReturnType<typeof kindsOf>): ReadonlyArray<number> =>
  best.flatMap((one) => other.map(({ cost }) => Math.round(cost) - Math.round(one.cost)))

const findingOf = (couple: Pick<CoupleShown, "rows">): string | undefined => {
  const kinds = kindsOf(couple)
  return kinds.other.length === 0 ? undefined : words.finding(kinds.best[0]!.way === "joint", savedOf(kinds))
}

interface KindProps {
  readonly isLater: boolean
  readonly rows: ReadonlyArray<Answered>
  readonly label: string
  readonly more: ReadonlyArray<number>
}

const Kind = ({ isLater, label, more, rows }: KindProps) => {
  const [lowest, ...others] = rows
  if (lowest === undefined) return null
  return div(
    `pick ${colorOf(lowest)}`,
    p("goal", label),
    p("big", words.range(rows.map(({ cost }) => cost)), " ", span("soft", words.inAll)),
    p("big", words.payments(rows.map(({ payments }) => payments)), " ", span("soft", words.aMonth(isLater))),
    p("named", h("b", null, words.kinds[lowest.way === "joint" ? "joint" : "separate"])),
    p(
      "says",
      more.length > 0 && `${words.more(more)} `,
      others.length > 0 && (lowest.way === "half" ? words.half : words.own)
    )
  )
}

const Kinds = ({ couple }: { readonly couple: CoupleShown }) => {
  const { best, other } = kindsOf(couple)
  const saved = savedOf({ best, other })
  const { isLater } = couple
  const [lowest] = best
  const isMixed = saved.some((one) => one < 0)
  return div(
    "cards",
    h(Kind, {
      rows: isMixed ? best.slice(0, 1) : best,
      label: isMixed && lowest !== undefined ? words.bestIf[lowest.way] : words.best,
      more: [],
      isLater
    }),
    h(Kind, { rows: other, label: words.other, more: saved.every((one) => one > 0) ? saved : [], isLater })
  )
}

/** One of the two on a return. */
const One = ({ of: { cost, figures, planType }, whose }: { readonly of: OnReturn; readonly whose: Whose }) => {
  const shown: ReadonlyArray<readonly [string, ComponentChild]> = [
    [words.first, amount(figures.firstMonthPayment)],
    [words.paid, amount(cost)],
    ...(isShown(figures.amountForgiven) ? [[words.forgiven, amount(figures.amountForgiven)] as const] : []),
    [words.done, month(figures.payoffOrForgivenessDate!)]
  ]
  return h(
    "div",
    null,
    h("p", null, h("b", null, `${words.of[whose]}:`), ` ${answerWords.plans[planType]}`),
    h(
      "dl",
      null,
      shown.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value)))
    )
  )
}

const sumSentences = ({ cost, incomeTax, plans, way }: Answered): string => {
  const figures = BOTH.map((whose) => plans[whose].figures)
  const tax = figures.reduce((sum, { forgivenessTaxesOwed }) => sum + forgivenessTaxesOwed, 0)
  const forgiven = figures.filter(({ amountForgiven }) => isShown(amountForgiven))
  const isOfService = forgiven.length > 0 && forgiven.every(({ forgivenessType }) => forgivenessType === "Pslf")
  return [
    words.sum(plans.own.cost, plans.spouse.cost, incomeTax, cost),
    ...(way === "joint" ? [] : [words.incomeTax(incomeTax)]),
    ...(isShown(tax) ? [words.forgivenTax(tax)] : []),
    ...(isOfService ? [words.untaxed] : [])
  ].join(" ")
}

const Whole = ({
  isLater,
  most,
  row
}: {
  readonly isLater: boolean
  readonly most: number
  readonly row: ReturnRow
}) => {
  const { own, spouse } = row.incomes
  const incomes =
    row.way === "joint"
      ? words.together(wholeDollars(own + spouse))
      : words.each(wholeDollars(own), wholeDollars(spouse))
  const who = div("who", h("b", { class: "dot" }, words.ways[row.way]), " ", span("small", incomes))
  if (!isAnswered(row))
    return h(
      "li",
      { class: "whole g" },
      who,
      div("catches", "without" in row.plans && words.without(row.plans.without))
    )
  return h(
    "li",
    { class: `whole ${colorOf(row)}` },
    who,
    span(
      "pay",
      span("vh", words.columns[1]),
      h("b", null, amount(row.payments)),
      span("then", words.bothAMonth(isLater))
    ),
    span(
      "cost",
      h(Track, { most, parts: { debt: row.cost } }),
      h("b", null, amount(row.cost), span("k", ` ${words.inAll}`))
    ),
    span("end", span("vh", words.columns[3]), h("b", null, month(row.endsOn)), span("small", words.both)),
    div(
      "catches",
      div(
        "two-of",
        BOTH.map((whose) => h(One, { key: whose, whose, of: row.plans[whose] }))
      ),
      p("catch", sumSentences(row))
    )
  )
}

interface CoupleProps {
  readonly couple: CoupleShown
  readonly state: State
  readonly actions: Actions
}

type OwnPlansProps = Omit<CoupleProps, "couple"> & { readonly isBothWays: boolean }

const OwnPlans = ({ actions, isBothWays, state }: OwnPlansProps) =>
  h(
    "fieldset",
    { class: "whose" },
    h("legend", { class: "q" }, words.whose),
    div(
      "ways",
      BOTH.map((whose) =>
        h(
          "label",
          { key: whose },
          h("input", {
            type: "radio",
            name: "whose",
            checked: whose === state.whose,
            onChange: () => actions.showAnswerOf(whose)
          }),
          words.ofEach[whose]
        )
      )
    ),
    p("on-paper lead", words.ofEach[state.whose]),
    state.whose === "spouse" && p("soft", words.reads),
    isBothWays && p("soft", words.halfIncomes)
  )

export const Couple = ({ couple, ...props }: CoupleProps) => {
  const finding = findingOf(couple)
  const { claims, split, ...household } = props.state.draft.household
  const isInDefault = [household, props.state.draft.spouse?.household].some((one) => one?.pays === IN_DEFAULT)
  const dependents = Number(household.dependents)
  return h(
    Fragment,
    null,
    h("h2", null, words.title),
    isInDefault && h(InDefault, null),
    h(Kinds, { couple }),
    finding !== undefined && h("p", null, h("b", null, finding), ` ${words.yearly}`),
    h(
      "section",
      { class: "card couple", "aria-labelledby": "both" },
      div("top", h("h2", { id: "both" }, words.wholeTitle)),
      h(
        "div",
        { class: "cols small", "aria-hidden": "true" },
        words.columns.map((column, index) => h("span", { key: column, class: index === 1 ? "pay" : undefined }, column))
      ),
      h(
        "ol",
        null,
        couple.rows.map((row) =>
          h(Whole, {
            key: row.way,
            isLater: couple.isLater,
            row,
            most: Math.max(...couple.rows.map(({ cost }) => cost))
          })
        )
      ),
      p(
        "lead-in",
        words.before,
        dependents > 0 && ` ${words.dependents(dependents, claims === "" ? "own" : "spouse")}`,
        couple.hasChanges && ` ${words.changes}`
      )
    ),
    h(OwnPlans, { ...props, isBothWays: couple.splits && split === "" })
  )
}

/** The finding, next to the link to the answer. */
export const CoupleGlance = ({ couple }: { readonly couple?: CoupleShown }) =>
  h(
    Fragment,
    null,
    couple !== undefined && span("small", findingOf(couple) ?? ""),
    h("a", { class: "do", href: "#plans" }, words.see)
  )
