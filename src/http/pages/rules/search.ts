/** Search of the rules pages: fields from the query string, and the articles that match. */
import type { Article } from "./articles.ts"

/** Fields of the search form; an empty one matches everything. */
export interface Search {
  readonly q: string
  readonly plan: string
  readonly kind: string
  readonly evidence: string
}

/** Longer values are cut off; the form does not accept them. */
export const MAX_CHARACTERS = 100
const MAX_WORDS = 12

/** Reads the query string of a URL. The first value of a repeated field counts. */
export const searchOf = (url: string): Search => {
  const sent = new URLSearchParams(url.slice(url.indexOf("?") + 1 || url.length))
  const field = (name: keyof Search): string => (sent.get(name) ?? "").slice(0, MAX_CHARACTERS).trim()
  return { q: field("q"), plan: field("plan"), kind: field("kind"), evidence: field("evidence") }
}

export const asksNothing = (search: Search): boolean => Object.values(search).every((field) => field === "")

/** Matches articles that contain every word and have the plan, kind and evidence grade. */
export const finds = ({ evidence, kind, plan, q }: Search): ((article: Article) => boolean) => {
  const words = q.toLowerCase().split(/\s+/, MAX_WORDS)
  return (article) =>
    (plan === "" || article.plans.includes(plan)) &&
    (kind === "" || article.kind === kind) &&
    (evidence === "" || article.evidence === evidence) &&
    words.every((word) => article.text.includes(word))
}
