/** Questions about the figures, and links to the short answers. */
import { Fragment, h } from "preact"
import { type Draft, IN_DEFAULT, MARRIED } from "../book/draft.ts"
import type { AnswerName } from "../questionTexts.ts"
import { texts } from "../texts.ts"
import { p } from "./elements.ts"

const { questions: words } = texts

/** The short answers that matter to a draft; a few that many ask for if none does. */
const namesFor = ({ household, loans }: Draft): ReadonlyArray<AnswerName> => {
  const { filing, income, pays, plan, service } = household
  const asks: Readonly<Record<AnswerName, boolean>> = {
    save: plan === "SAVE",
    "paye-and-icr": plan === "PAY AS YOU EARN" || plan === "INCOME CONTINGENT",
    "leaving-school": pays === "school",
    paused: pays === "paused" || loans.some((loan) => loan.pays === "paused"),
    "public-service": service !== "",
    "parent-plus": loans.some(({ type }) => type.includes("PARENT")),
    default: pays === IN_DEFAULT,
    couples: filing === MARRIED,
    "lost-my-job": income === "0"
  }
  const names = (Object.keys(asks) as ReadonlyArray<AnswerName>).filter((name) => asks[name])
  return names.length > 0 ? names : ["save", "lost-my-job", "default"]
}

const answerLink = (href: string, text: string) => h("a", { key: href, href, target: "_blank" }, text)

export const AnswerLinks = ({ draft }: { readonly draft: Draft }) =>
  p(
    "small asks",
    words.lead,
    " ",
    namesFor(draft).map((name) => [answerLink(`/answers/${name}`, words.answers[name]), " · "]),
    answerLink("/answers", words.all)
  )

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
