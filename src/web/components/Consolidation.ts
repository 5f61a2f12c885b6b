/** "What if I consolidated?": the losses, then the gains, then each plan after the consolidation next to today's. */
import { type ComponentChildren, h } from "preact"
import { dollars, percent, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { WhatIf } from "../book/consolidation.ts"
import type { Line } from "../book/line.ts"
import { texts } from "../texts.ts"
import { div, p } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { orderBy, sortOf } from "./goals.ts"
import { endMonthOf, forgivenMonthOf, isPartForgiven, nameOf } from "./lines.ts"
import type { State } from "./state.ts"

const { answer: answerWords, consolidation: words } = texts

const endOf = (line: Line): string => {
  const { forgivenessType } = line.figures
  const end = endMonthOf(line)
  if (end === undefined) return answerWords.never
  const forgiven = forgivenMonthOf(line)
  if (forgiven === undefined || !isPartForgiven(line)) return words.end(words.endings[forgivenessType], end)
  return [words.end(words.endings[forgivenessType], forgiven), words.end(words.rest, end)].join("; ")
}

/** The figures of a plan in one of the two books, or a note that the plan is not open there. */
const Figures = ({ book, line }: { readonly book: "after" | "today"; readonly line: Line | undefined }) =>
  div(
    book,
    h("dt", null, words[book]),
    line === undefined
      ? h("dd", { class: "none" }, words.notOpen)
      : [
          h("dd", { key: "first" }, words.first(dollars(line.figures.firstMonthPayment))),
          h("dd", { key: "cost" }, words.inAll(wholeDollars(line.cost))),
          h("dd", { key: "end" }, endOf(line))
        ]
  )

interface PlansProps {
  readonly title: string
  readonly lines: ReadonlyArray<Line>
  /** Undefined if only today's book has the plans. */
  readonly todayOf?: (key: string) => Line | undefined
}

const Plans = ({ lines, title, todayOf }: PlansProps) =>
  lines.length === 0
    ? null
    : h(
        "div",
        null,
        h("h3", null, title),
        h(
          "ul",
          { class: "as-it-would-be" },
          lines.map((line) =>
            h(
              "li",
              { key: line.key },
              h("h4", null, nameOf(line)),
              h(
                "dl",
                null,
                todayOf !== undefined && h(Figures, { book: "after", line }),
                h(Figures, { book: "today", line: todayOf === undefined ? line : todayOf(line.key) })
              )
            )
          )
        )
      )

const Sentences = ({ sentences, title }: { title: string; sentences: ReadonlyArray<string> }) =>
  sentences.length === 0
    ? null
    : h(
        "div",
        null,
        h("h3", null, title),
        h(
          "ul",
          { class: "changes" },
          sentences.map((sentence) => h("li", { key: sentence }, sentence))
        )
      )

interface OutcomeProps extends Pick<ConsolidationProps, "answer" | "state"> {
  readonly whatIf: WhatIf
}

const Outcome = ({ answer, state, whatIf }: OutcomeProps) => {
  const { gains, indexes, losses, made, todaysKeys } = whatIf
  const order = orderBy(sortOf(state))
  const lines = [...whatIf.lines].sort(order)
  const today = answer.lines.filter(({ key }) => todaysKeys.includes(key)).sort(order)
  const isLeft = ({ key }: Line) => lines.some((line) => line.key === key)
  return div(
    "what-if",
    h(
      "p",
      null,
      words.goIn(indexes.map((index) => index + 1)),
      " ",
      made
        .map(({ interestRate, loanType, principalBalance }) =>
          words.made(texts.book.types[loanType], wholeDollars(principalBalance), percent(interestRate))
        )
        .join(" ")
    ),
    h(Sentences, { title: words.losses, sentences: losses.map(words.loss) }),
    h(Sentences, { title: words.gains, sentences: gains.map(words.gain) }),
    h(Plans, { title: words.plans, lines, todayOf: (key) => today.find((line) => line.key === key) }),
    h(Plans, { title: words.closing, lines: today.filter((line) => !isLeft(line)) })
  )
}

const Section = ({ children, lead, title }: { title: string; lead: string; children?: ComponentChildren }) =>
  h(Fold, { summaryClass: "fold", summary: h("span", null, h("b", null, title), h("small", null, lead)) }, children)

interface ConsolidationProps {
  readonly answer: BookAnswer
  /** One for each choice of loans; none if no loan can go in. */
  readonly consolidations: ReadonlyArray<WhatIf>
  readonly state: State
}

export const Consolidation = ({ answer, consolidations, state }: ConsolidationProps) => {
  const [only, ...others] = consolidations
  if (only === undefined) return null
  return h(
    "section",
    { class: "card consolidation" },
    h(
      Section,
      { title: words.title, lead: words.lead },
      h("p", null, words.advice),
      others.length === 0
        ? h(Outcome, { answer, state, whatIf: only })
        : consolidations.map((whatIf) =>
            h(
              Section,
              { key: whatIf.choice, title: words.choices[whatIf.choice], lead: words.choiceLeads[whatIf.choice] },
              h(Outcome, { answer, state, whatIf })
            )
          ),
      p(
        "small",
        words.rules,
        " ",
        h("a", { href: "/rules/new-loan-plans-2026-07" }, words.rulePlans),
        ", ",
        h("a", { href: "/rules/direct-loan-interest-rate-formula" }, words.ruleRate),
        "."
      )
    )
  )
}
