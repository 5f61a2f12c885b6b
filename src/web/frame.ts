/** The frame of every page: its header, and a footer that names the operator. */
import { releasedAtUtc } from "../../ledger/release.ts"
import { escapeHtml } from "../messages/escapeHtml.ts"
import { frameTexts } from "./frameTexts.ts"

/** Styles of the API reference, of all pages of text, and of the start page, in src/web. */
export const FRAME_STYLES = ["frame.css"]
export const DOCUMENT_STYLES = [...FRAME_STYLES, "shared.css", "documents.css"]
export const STYLES = [...FRAME_STYLES, "shared.css", "form.css", "answer.css", "why.css", "consolidation.css"]

/** Styles of the view in a chat program. */
export const CHAT_STYLES = [...FRAME_STYLES, "shared.css", "answer.css"]

/** The operator of the installation; null if not configured. */
export interface Operator {
  readonly name: string | null
  readonly url: string | null
}

export const UNNAMED: Operator = { name: null, url: null }

export const linkHtml = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

export const headerHtml = `<header class="bar"><a class="brand" href="/"><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><rect x="2" y="2" width="20" height="20" rx="6"/><path d="M7 12.5l3.2 3.2L17 8.5"/></svg>${frameTexts.brand}</a>
<nav aria-label="${frameTexts.site}">${frameTexts.links.map(([href, text]) => linkHtml(href, text)).join("")}</nav></header>`

const runBy = ({ name, url }: Operator): string =>
  name === null ? frameTexts.unnamed : `${frameTexts.runBy} ${url === null ? escapeHtml(name) : linkHtml(url, name)}.`

const footerHtml = (operator: Operator): string => `<footer class="small">
<p>${runBy(operator)} ${frameTexts.about}</p>
<p>${frameTexts.lawAsOf(releasedAtUtc)}. ${linkHtml("/rules", frameTexts.rules)}</p>
</footer>`

interface Page {
  readonly title: string
  readonly operator: Operator
  readonly style: string
  /** HTML: additions to the head, elements before the header, and the main element. */
  readonly head: string
  readonly before?: string
  readonly main: string
}

export const pageHtml = ({ before = "", head, main, operator, style, title }: Page): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>${head}<style>${style}</style></head>
<body>
${before}${headerHtml}
${main}
${footerHtml(operator)}
</body>
</html>
`
