/** Pages of text in the common frame: escaped text, one inline style sheet, and nothing external. */
import { HttpServerResponse } from "effect/http"
import { DOCUMENT_STYLES, type Operator, pageHtml } from "../../web/index.ts"
import { webText } from "./webFile.ts"

const STYLE = webText(DOCUMENT_STYLES)

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

interface TextPage {
  readonly title: string
  readonly operator: Operator
  /** Content of main, and additions to the head, as HTML in which all text is escaped already. */
  readonly main: string
  readonly head?: string
  readonly headers?: Record<string, string>
}

export const htmlPage = ({ head = "", headers, main, operator, title }: TextPage) =>
  HttpServerResponse.text(
    pageHtml({ title, operator, style: STYLE, head, main: `<main class="text">\n${main}\n</main>` }),
    { contentType: "text/html; charset=utf-8", headers: { "content-security-policy": PAGE_POLICY, ...headers } }
  )
