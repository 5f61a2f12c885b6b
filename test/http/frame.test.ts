/** The frame of all pages: one header, and a footer with the operator and the date of the law; the operator elsewhere. */
import { describe, expect, it } from "vitest"
import { releasedAtUtc } from "../../ledger/release.ts"
import { headerHtml } from "../../src/web/frame.ts"
import { texts } from "../../src/web/texts.ts"
import { projection } from "../support/requests.ts"
import { PUBLIC_URL, type RunningService, useService } from "../support/runningService.ts"

const pagesOf = async ({ call, mint }: RunningService): Promise<ReadonlyArray<string>> => {
  const answer = await call("POST", "/v1/projection", { json: projection, key: await mint() })
  const { answerId } = ((await answer.json()) as { readonly provenance: { readonly answerId: string } }).provenance
  const paths = [
    "/",
    "/rules",
    "/rules?q=spouse",
    "/rules/interest-accrual",
    "/problems/validation",
    "/docs/guides/mcp"
  ]
  const headers = { accept: "text/html" }
  const asked = [...paths, `/v1/verify/${answerId}`].map((path) => call("GET", path, { headers }))
  return Promise.all(asked.map(async (page) => (await page).text()))
}

const footersOf = async (service: RunningService): Promise<ReadonlyArray<string>> =>
  (await pagesOf(service)).map((page) => /<footer[\s\S]*<\/footer>/.exec(page)?.[0] ?? page)

describe("every page", () => {
  const unnamed = useService()
  const named = useService({ OPERATOR_NAME: "Aid & <Sons>", OPERATOR_URL: "mailto:loans@example.org" })

  it("has the same header, and a footer with the date of the law", async () => {
    const pages = await pagesOf(unnamed())
    expect(pages.filter((page) => !page.includes(headerHtml))).toEqual([])
    expect(pages.filter((page) => !page.includes(`<p>${texts.frame.lawAsOf(releasedAtUtc)}.`))).toEqual([])
  })

  it("says that its operator is not named, or names and links the operator, as text", async () => {
    for (const footer of await footersOf(unnamed())) expect(footer).toContain(texts.frame.unnamed)
    for (const footer of await footersOf(named()))
      expect(footer).toContain('run by <a href="mailto:loans@example.org">Aid &amp; &lt;Sons&gt;</a>.')
  })

  it("has a contact for programs, too: in the OpenAPI document, and in security.txt if there is one", async () => {
    const { info } = await (await named().call("GET", "/openapi.json")).json()
    expect(info.contact).toEqual({ name: "Aid & <Sons>", email: "loans@example.org" })
    const [text, none] = await Promise.all(
      [named, unnamed].map((service) => service().call("GET", "/.well-known/security.txt"))
    )
    const lines = (await text!.text()).split("\n")
    const expires = Date.parse(lines[1]!.replace("Expires: ", ""))
    expect(lines.toSpliced(1, 1)).toEqual([
      "Contact: mailto:loans@example.org",
      "Preferred-Languages: en",
      `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
      ""
    ])
    expect(Math.round((expires - Date.now()) / 86_400_000)).toBe(30)
    expect(none!.status).toBe(404)
  })

  it("has the same header above the API reference", async () =>
    expect(await (await unnamed().call("GET", "/docs")).text()).toContain(headerHtml))
})
