/** A recorded answer as an HTML page: the same fields as the JSON form, and how to check a number. */
import type { VerifiedAnswer } from "../../../schema/records.ts"
import { escapeHtml, htmlPage } from "./html.ts"

const LABELS: ReadonlyArray<readonly [keyof VerifiedAnswer, string]> = [
  ["answerId", "Answer"],
  ["recordedAtUtc", "Recorded (UTC)"],
  ["source", "Source"],
  ["endpoint", "Endpoint"],
  ["eventType", "Event"],
  ["ruleVersion", "Rules version"],
  ["inputsHash", "Inputs hash"]
]

export const verifyPage = (answer: VerifiedAnswer, headers: Record<string, string>) => {
  const rows = LABELS.map(
    ([field, label]) => `<dt>${label}</dt><dd><code>${escapeHtml(String(answer[field]))}</code></dd>`
  ).join("\n")
  return htmlPage(
    "Recorded answer",
    `<h1>This answer is recorded</h1>
<p>The service wrote this record before it returned the answer.</p>
<dl>
${rows}
</dl>
<h2>To check a number</h2>
<p>Send the same inputs to the same endpoint again. While the rules version is unchanged, the new answer has the same
rules version and its record the same inputs hash. If the rules version differs, a rule has changed since, and the
citations of the new answer name its source. The record holds no inputs and does not say who asked.</p>`,
    headers
  )
}
