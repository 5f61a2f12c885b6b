/** Questions of borrowers, each with a short answer and its rule. */
import { Fragment, h } from "preact"
import { texts } from "../texts.ts"

const { questions: words } = texts

const idOf = (rule: string): string => `about-${rule}`

/** The most frequent questions, as links to their answers. */
export const QuestionLinks = () =>
  words.list
    .flatMap(({ rule, short }) => (short === undefined ? [] : [h("a", { key: rule, href: `#${idOf(rule)}` }, short)]))
    .flatMap((link, index) => (index === 0 ? [link] : [" · ", link]))

export const Questions = () =>
  h(
    "section",
    { class: "card questions", "aria-labelledby": "questions" },
    h("h2", { id: "questions" }, words.title),
    h(
      "dl",
      null,
      words.list.map(({ asks, link, rule, says }) =>
        h(
          Fragment,
          { key: rule },
          h("dt", { id: idOf(rule) }, asks),
          h("dd", null, says, " ", h("a", { href: `/rules/${rule}`, target: "_blank" }, link))
        )
      )
    )
  )
