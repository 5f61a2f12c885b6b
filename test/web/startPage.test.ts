/** The start page as the server sends it: nothing that is typed can leave the browser. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { useService } from "../support/runningService.ts"

const service = useService()

const startPage = async () => {
  const response = await service().call("GET", "/")
  return { policy: response.headers.get("content-security-policy")!, html: await response.text() }
}

describe("the start page", () => {
  it("may run its own scripts, but may not connect to a server or send a form", async () => {
    const { html, policy } = await startPage()
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'none'")
    expect(policy).not.toMatch(/unsafe|connect-src|https?:|\*/)
    expect(html).not.toMatch(/<script(?![^>]* src="\/page\.js")|\son\w+=|\sstyle=/)
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html)!
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}';`)
  })

  it("has no button that sends what is typed, and no address to send it to", async () => {
    const { html } = await startPage()
    expect(html).toContain('name="loan1.balance"')
    expect(html.match(/<form[^>]* (?:action|method)=|<button(?![^>]* type="button")|formaction/g) ?? []).toEqual([])
    const sent = { body: "income=60000", headers: { "content-type": "application/x-www-form-urlencoded" } }
    const refused = await service().call("POST", "/", sent)
    expect(refused.headers.get("allow")).toBe("GET, HEAD, OPTIONS")
    await expectProblem(refused, 405, "method-not-allowed")
  })

  it("names the command and the rules to a browser without JavaScript, and shows no form there", async () => {
    const { html } = await startPage()
    const [, said = ""] = /<noscript>([\s\S]*?)<\/noscript>/.exec(html) ?? []
    expect(said).toContain("<code>npm run repay -- compare</code>")
    expect(said).toContain('<a href="/rules">')
    expect(html).toContain("@media (scripting: none) { #app { display: none } }")
  })
})
