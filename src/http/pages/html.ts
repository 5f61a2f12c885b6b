/** Layout of plain pages: escaped text, one inline style sheet, and nothing external. */
import { HttpServerResponse } from "effect/http"
import { escapeHtml } from "../../messages/escapeHtml.ts"

const STYLE = `
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1rem } dt { color: #565656 } dd { margin: 0; overflow-wrap: anywhere }
pre { padding: .8rem; overflow-x: auto; background: #f4f4f4; border: 1px solid #ddd; border-radius: .3rem }
code { font: .9em ui-monospace, monospace } a { color: #0b5394 } textarea { width: 100%; box-sizing: border-box; font: .85em ui-monospace, monospace }
.good { color: #12682c } .bad { color: #a51d1d; font-weight: 600 }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } dt { color: #aaa } pre { background: #222; border-color: #444 } a { color: #8ab4f8 } .good { color: #7fd69a } .bad { color: #ff9d94 } }
`

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** `body` and `head` (additions to the head) are HTML in which all text is already escaped. */
export const htmlPage = (title: string, body: string, headers: Record<string, string> = {}, head = "") =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style>${head}</head>
<body>
${body}
</body>
</html>
`,
    { contentType: "text/html; charset=utf-8", headers: { "content-security-policy": PAGE_POLICY, ...headers } }
  )
