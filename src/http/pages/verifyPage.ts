/**
 * HTML page of a recorded answer. It shows the fields of the JSON form, and checks a pasted answer
 * in the page. Its content security policy allows only its own script, and requests to this
 * service, but no form.
 */
import type { VerifiedAnswer } from "../../../schema/records.ts"
import { escapeHtml } from "../../messages/escapeHtml.ts"
import type { Operator } from "../../web/index.ts"
import { getRoutes } from "../routes.ts"
import { htmlPage } from "./html.ts"
import { webFile } from "./webFile.ts"

const SCRIPT = "/verify.js"
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'"

export const VERIFY_PAGE_ROUTES = getRoutes(SCRIPT)

export const VerifyPageScript = webFile(
  { path: SCRIPT, file: "generated/verify.bundle.js", type: "text/javascript" },
  { "cache-control": "public, max-age=300" }
)

const LABELS: ReadonlyArray<readonly [keyof VerifiedAnswer, string]> = [
  ["answerId", "Answer"],
  ["recordedAtUtc", "Recorded (UTC)"],
  ["source", "Source"],
  ["endpoint", "Endpoint"],
  ["eventType", "Event"],
  ["ruleVersion", "Rules version"],
  ["inputsHash", "Inputs hash"],
  ["answerHash", "Answer hash"]
]

const CHECK = `<h2>Is your answer this one?</h2>
<p><label for="answer">Paste the whole answer, as it was received, in JSON</label>, or choose its <label for="file">file</label>.
This page checks it in your browser and sends it nowhere.</p>
<textarea id="answer" rows="8" spellcheck="false" autocomplete="off"></textarea>
<p><input id="file" type="file" accept=".json,application/json,text/plain"></p>
<p id="figures" role="status"></p>
<noscript><p>Without JavaScript: <code>repay verify answer.json</code> does the same.</p></noscript>`

const WORDS = `<h2>What this proves, and what it does not</h2>
<p>The service wrote the record before it returned the answer. The answer hash commits to every figure and every word of the answer, and
reveals none of them. The log lets anyone check the service itself: if you have kept a
<a href="/log/checkpoint">checkpoint</a>, you can see whether a record was changed, removed or added since.</p>
<p>The record does not prove that the inputs were true: the figures follow from what was sent. It contains no inputs, and does not say who
asked. To check a figure against the law, send the same inputs to the same endpoint again. While the rules version is
unchanged, the figures are the same, and the new record has the same inputs hash. If the rules version differs, a rule has
changed since, and the citations of the new answer name its source.</p>`

export const verifyPage = (answer: VerifiedAnswer, operator: Operator, headers: Record<string, string>) => {
  const rows = LABELS.map(
    ([field, label]) => `<dt>${label}</dt><dd><code>${escapeHtml(String(answer[field]))}</code></dd>`
  ).join("\n")
  const id = escapeHtml(answer.answerId)
  return htmlPage({
    title: "Recorded answer",
    operator,
    headers: { "content-security-policy": POLICY, ...headers },
    main: `<h1>This answer is recorded</h1>
<dl id="record" data-answer-id="${id}" data-answer-hash="${escapeHtml(answer.answerHash)}">
${rows}
</dl>
<p id="log" role="status"></p>
<p id="witnesses" role="status"></p>
<details><summary>Use a policy of your own</summary>
<p><label for="policy">Your policy (C2SP tlog-policy): the witnesses you trust, and how many must have seen the log</label></p>
<textarea id="policy" rows="4" spellcheck="false" autocomplete="off"></textarea>
</details>
<p><a href="/v1/verify/${id}/receipt" download="${id}.tlog-proof">Keep the receipt</a>: with it and the
<a href="/log/key">key of the log</a> the record can be proven without this service, now or in years.</p>
${CHECK}
${WORDS}
<script type="module" src="${SCRIPT}"></script>`
  })
}
