/** What a reader of the rules asks for, read from the query of the address, and which articles that is. */
import type { Article } from "./articles.ts"

/** As the form has them; empty where nothing is asked. */
export interface Search {
  readonly q: string
  readonly plan: string
  readonly kind: string
  readonly evidence: string
}

/** What is longer is cut off: the form takes no more. */
export const MOST_CHARACTERS = 100
const MOST_WORDS = 12

/** Of a field that is sent more than once, the first one. */
export const searchOf = (url: string): Search => {
  const sent = new URLSearchParams(url.slice(url.indexOf("?") + 1 || url.length))
  const field = (name: keyof Search): string => (sent.get(name) ?? "").slice(0, MOST_CHARACTERS).trim()
  return { q: field("q"), plan: field("plan"), kind: field("kind"), evidence: field("evidence") }
}

export const asksNothing = (search: Search): boolean => Object.values(search).every((field) => field === "")

/** Whether an article is asked for: it holds every word, anywhere, and is of the plan, kind and grade. */
export const finds = ({ evidence, kind, plan, q }: Search): ((article: Article) => boolean) => {
  const words = q.toLowerCase().split(/\s+/, MOST_WORDS)
  return (article) =>
    (plan === "" || article.plans.includes(plan)) &&
    (kind === "" || article.kind === kind) &&
    (evidence === "" || article.evidence === evidence) &&
    words.every((word) => article.text.includes(word))
}
