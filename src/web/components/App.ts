/** The start page without its frame: the form on one side, the answer on the other. */
import { type ComponentChildren, Fragment, h } from "preact"
import { month as monthName, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Outcome, OwnAnswer } from "../book/compute.ts"
import type { WhatIf } from "../book/consolidation.ts"
import { type Draft, exampleDraft, IN_DEFAULT, OF_SPOUSE } from "../book/draft.ts"
import type { FieldProblem } from "../book/problems.ts"
import { draftFor, isCouple, type Whose } from "../book/spouse.ts"
import { texts } from "../texts.ts"
import { Loans } from "./Book.ts"
import { Cards, ComparedPlans, GhostCards } from "./Cards.ts"
import { Changes } from "./Changes.ts"
import { Consolidation } from "./Consolidation.ts"
import { Couple, CoupleGlance } from "./Couple.ts"
import { Extra } from "./Extra.ts"
import { div, p, quiet, span } from "./elements.ts"
import { idOf } from "./fields.ts"
import { labelOfField, problemsByField, wordsOfProblem } from "./fieldWords.ts"
import { type Card, cardsOf, rowsOf, spokenOf } from "./goals.ts"
import { Household, OwnQuestions } from "./Household.ts"
import { dateOf, nameOf } from "./lines.ts"
import { MyAidData } from "./MyAidData.ts"
import { CheaperPath, DoingNothing, InDefault, OwnChange } from "./Path.ts"
import { DonePlans, Plans, Remarks } from "./plans/Plans.ts"
import { PrintedPlans } from "./plans/PrintedPlans.ts"
import { Plots } from "./plots/Plots.ts"
import { AnswerLinks, Questions } from "./Questions.ts"
import type { Actions, State } from "./state.ts"
import { Why } from "./Why.ts"

interface PageProps {
  readonly state: State
  readonly actions: Readonly<Record<Whose, Actions>>
}

interface AppProps {
  readonly state: State
  readonly actions: Actions
}

/** The text of each problem, by field. What a date leaves open is said at its field, too. */
const problemsOf = (outcome: Outcome | undefined): Readonly<Record<string, string>> => {
  if (outcome?._tag === "Answered") return problemsByField([...outcome.open, ...(outcome.couple?.spouse.open ?? [])])
  return outcome?._tag === "Wrong" ? problemsByField(outcome.problems) : {}
}

/** The answer to the reader, or to the spouse if there is one. */
const answerFor = (outcome: Extract<Outcome, { readonly _tag: "Answered" }>, whose: Whose): OwnAnswer =>
  (whose === "own" ? undefined : outcome.couple?.spouse) ?? outcome

/** Numbers of the loans with a rate that no federal loan has. */
const oddRatesOf = (outcome: Outcome | undefined, whose: Whose): ReadonlyArray<number> =>
  outcome?._tag === "Answered"
    ? answerFor(outcome, whose).answer.remarks.flatMap((one) => (one._tag === "OddRate" ? [one.loan] : []))
    : []

const FieldLink = ({ field }: { readonly field: string }) => h("a", { href: `#${idOf(field)}` }, labelOfField(field))

interface ProblemsProps {
  readonly problems: ReadonlyArray<FieldProblem>
}

const ProblemList = ({ problems }: ProblemsProps) =>
  h(
    "ul",
    { class: "need" },
    problems.map((one) => h("li", { key: one.field }, h(FieldLink, one), `: ${wordsOfProblem(one)}`))
  )

/** Fields with problems, each with its text. */
const Wrong = ({ problems }: ProblemsProps) =>
  h(
    "section",
    { class: "card warn" },
    h("h2", { id: "plans", class: "lead" }, texts.answer.title),
    h("p", { role: "status" }, texts.problem.summary(problems.length)),
    h(ProblemList, { problems })
  )

const Missing = ({ actions, draft, fields }: { actions: Actions; draft: Draft; fields: ReadonlyArray<string> }) =>
  h(
    "section",
    { class: "card note" },
    h("h2", { id: "plans", class: "lead" }, texts.missing.title),
    h("p", null, texts.missing.lead),
    h(
      "ol",
      { class: "need steps" },
      fields.map((field) => h("li", { key: field }, h(FieldLink, { field })))
    ),
    h(AnswerLinks, { draft }),
    p(
      "row",
      quiet(texts.missing.example, () => actions.replace(exampleDraft))
    )
  )

/** The content in place of an answer, before the first answer. */
const Waiting = ({ actions, state: { draft, hasFailed, outcome } }: AppProps) => {
  const { answer, missing } = texts
  if (!hasFailed && outcome?._tag === "Missing") return h(Missing, { fields: outcome.fields, actions, draft })
  if (!hasFailed && outcome?._tag === "Wrong") return h(Wrong, outcome)
  const sentence = hasFailed ? answer.failed : outcome?._tag === "NothingOwed" ? texts.nothingOwed : undefined
  return h(
    "section",
    { class: sentence === undefined ? "card note" : "card warn" },
    h("h2", { id: "plans", class: "lead" }, sentence === undefined ? missing.title : answer.title),
    h("p", { role: "status" }, sentence ?? answer.computing)
  )
}

const Tools = ({ actions, notice }: { readonly actions: Actions; readonly notice: string }) =>
  div(
    "row tools",
    quiet(texts.tools.print, actions.print),
    quiet(texts.tools.link, actions.copyLink),
    h("a", { class: "quiet keep", href: "/calculator.html", download: "" }, texts.tools.keep),
    h("p", { role: "status", class: "small" }, notice)
  )

interface AnsweredProps extends AppProps {
  readonly answer: BookAnswer
  readonly cards: ReadonlyArray<Card>
  readonly consolidations: ReadonlyArray<WhatIf>
  /** Whether it is the answer to the fields as they are now. */
  readonly isCurrent: boolean
  /** Dates that leave open what the law asks. */
  readonly open: ReadonlyArray<FieldProblem>
  readonly children?: ComponentChildren
}

/** Opens the fold around a link's target. */
const openChanges = (): void => {
  const fold = document.getElementById("changes")?.closest("details")
  if (fold) fold.open = true
}

/** The assumptions of the figures, in sentences, each with a way to change it. */
const Assumed = ({ actions, answer }: Pick<AnsweredProps, "actions" | "answer">) => {
  const { assumes, firstMonth, indexes, isInSchool, later, lines, owed, paused } = answer
  const { hasInterest, incomeGrowth, isPaid, isWithoutIncome, priceGrowth } = assumes
  const isOnIncome = lines.some(({ isByIncome }) => isByIncome)
  const words = texts.answer
  return p(
    "assumes",
    span("on-paper", words.printed(wholeDollars(owed), indexes.length, monthName(dateOf(firstMonth, paused))), " "),
    isOnIncome ? words.assumes(assumes) : words.fixedOnly,
    " ",
    isOnIncome && [h("a", { key: "change", href: "#changes", onClick: openChanges }, words.change), " "],
    words.firstPayment(monthName(dateOf(firstMonth, paused))),
    " ",
    later.map(({ loans, month }) => `${words.dueLater(loans, monthName(dateOf(firstMonth, month)))} `),
    !((isPaid || isInSchool) && hasInterest) && [
      words.uncounted(assumes, isInSchool),
      " ",
      h("a", { key: "add", href: `#loan${indexes[0]! + 1}-interest` }, words.count)
    ],
    isOnIncome &&
      incomeGrowth * priceGrowth === 0 && [
        " ",
        ...(isWithoutIncome
          ? [words.noIncome]
          : [incomeGrowth === 0 && words.raise, quiet(texts.changes.try, actions.tryGrowth, { key: "try" })])
      ]
  )
}

const Answered = ({ actions, answer, cards, children, consolidations, isCurrent, open, state }: AnsweredProps) => {
  const line = spokenOf(cards, state)
  const ownLine = answer.lines.find(({ planType }) => planType === answer.currentPlan)
  const isChosen = state.goal !== undefined || state.sort !== undefined
  const props = { answer, cards, state, actions }
  return h(
    Fragment,
    null,
    isCurrent && h("h2", { id: "plans", class: "vh", tabIndex: -1 }, texts.answer.heading),
    children,
    open.length > 0 && div("card warn", p("lead", texts.answer.openDates), h(ProblemList, { problems: open })),
    h(Remarks, answer),
    answer.done.length > 0 && h(DonePlans, answer),
    line === undefined
      ? p("card", texts.answer.none)
      : h(
          Fragment,
          null,
          state.draft.household.pays !== IN_DEFAULT
            ? h(DoingNothing, { answer })
            : children === undefined && h(InDefault, null),
          h(Cards, props),
          h(Assumed, props),
          h(AnswerLinks, { draft: state.draft }),
          h(CheaperPath, { answer }),
          h(OwnChange, { answer, line: ownLine ?? line, state, actions }),
          h(Plots, props, h(Extra, { answer, line: isChosen ? line : (ownLine ?? line), state, actions })),
          h(Plans, props),
          h(Consolidation, { answer, consolidations, state }),
          h(PrintedPlans, props)
        ),
    isCurrent && h(Tools, { actions, notice: state.notice })
  )
}

/** The answer. What can't be computed leaves the earlier one, under its reason. */
const Outcomes = ({ actions: of, state }: PageProps) => {
  const { answered, hasFailed, outcome } = state
  const props = { state, actions: of.own }
  const isCurrent = !hasFailed && outcome?._tag === "Answered"
  if (!isCurrent && (hasFailed || answered === undefined))
    return h(Fragment, null, h(Waiting, props), h(GhostCards, null), h(ComparedPlans, null))
  const shown = isCurrent ? outcome : answered!
  const whose = shown.couple === undefined ? "own" : state.whose
  const { answer, consolidations, open } = answerFor(shown, whose)
  const own = { actions: of[whose], state: { ...state, draft: draftFor(state.draft, whose) } }
  return h(
    Fragment,
    null,
    !isCurrent && [h(Waiting, { key: "why", ...props }), p("soft", texts.answer.earlier)],
    h(
      Answered,
      { key: whose, ...own, answer, consolidations, cards: cardsOf(answer), isCurrent, open },
      shown.couple && h(Couple, { ...props, couple: shown.couple })
    )
  )
}

/** On a phone, the link from the form to the plans. It precedes the plans, so it scrolls away when they appear. */
const Glance = ({ state }: Pick<AppProps, "state">) => {
  const { goal, outcome } = state
  if (outcome?._tag !== "Answered" || outcome.answer.lines.length === 0) return null
  if (outcome.couple !== undefined) return div("glance", h(CoupleGlance, outcome))
  const card = cardsOf(outcome.answer).find(({ goals }) => goal !== undefined && goals.includes(goal))
  const { glance } = texts.answer
  const { figures, cost } = card?.line ?? {}
  return div(
    "glance",
    card !== undefined &&
      figures !== undefined &&
      h(
        "span",
        null,
        span("small", nameOf(card.line)),
        h("b", null, `${wholeDollars(figures.firstMonthPayment)} ${texts.answer.cards.units.first}`),
        `, ${wholeDollars(cost!)} ${texts.answer.cards.units.cost}`
      ),
    h(
      "a",
      { class: "do", href: "#plans" },
      card === undefined ? glance.see(rowsOf(outcome.answer.lines, state).length) : glance.all
    )
  )
}

const Inputs = ({ actions: of, state }: PageProps) => {
  const { generation, outcome } = state
  const { spouse } = state.draft
  const problems = problemsOf(outcome)
  const bookOf = (whose: Whose, draft: Draft, prefix: "" | typeof OF_SPOUSE) => {
    const book = { draft, generation, problems, reading: state.readings[whose], actions: of[whose], prefix }
    return { ...book, oddRates: oddRatesOf(outcome, whose), file: h(MyAidData, book) }
  }
  const book = bookOf("own", state.draft, "")
  const ofSpouse = spouse !== undefined && isCouple(state.draft) && bookOf("spouse", spouse, OF_SPOUSE)
  const splits = outcome?._tag === "Answered" && outcome.couple?.splits === true
  return h(
    "form",
    // The form sends nothing. It has no submit button, and the page's policy forbids sending.
    { class: "you inputs", noValidate: true, onSubmit: (event: Event) => event.preventDefault() },
    p("small", texts.isPrivate),
    h(Loans, { ...book, canUndo: state.before !== undefined }),
    ofSpouse && h(Loans, { ...ofSpouse, canUndo: false }, h(OwnQuestions, ofSpouse)),
    h(Household, { ...book, splits }),
    h(Changes, book)
  )
}

export const App = (props: PageProps) => {
  const { actions, state } = props
  const { outcome, whose, why } = state
  return div(
    "columns",
    h(Inputs, props),
    h(Glance, props),
    h(
      "section",
      { class: "answer", "aria-labelledby": "plans", "aria-busy": state.isBusy },
      h(Outcomes, props),
      h(Questions, null)
    ),
    why !== undefined &&
      outcome?._tag === "Answered" &&
      h(Why, { answer: answerFor(outcome, whose).answer, why, actions: actions[whose] })
  )
}
