/** What borrowers ask, each with a short answer from the rules and the rule behind it. */
import { Fragment, h } from "preact"
import { texts } from "../texts.ts"

const { questions: words } = texts

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
          h("dt", null, asks),
          h("dd", null, says, " ", h("a", { href: `/rules/${rule}`, target: "_blank" }, link))
        )
      )
    )
  )
