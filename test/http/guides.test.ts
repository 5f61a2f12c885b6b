/** The guides: each file of docs as a page and as Markdown, the index, and links that lead somewhere. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { marked } from "marked"
import { describe, expect, it } from "vitest"
import { render } from "../../src/http/pages/guides/render.ts"
import { expectProblem } from "../support/answers.ts"
import { PUBLIC_URL, useService } from "../support/runningService.ts"

const service = useService()
const ask = (path: string, headers: Record<string, string> = {}) => service().call("GET", path, { headers })
const textOf = async (path: string) => {
  const response = await ask(path)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

const FILES = globSync("docs/**/*.md").sort()
const sourceOf = (file: string): string => file.replace(/^docs(\/answers)?/, (_, answers) => answers ?? "/docs/guides")
const pathOf = (file: string): string => sourceOf(file).replace(/(\/README)?\.md$/, "")
const addressesIn = (html: string): ReadonlyArray<string> => [...html.matchAll(/ href="([^"]+)"/g)].map(([, to]) => to!)
const linksOf = (markdown: string): ReadonlyArray<string> => {
  const links: Array<string> = []
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === "link") links.push(String(token.href))
  })
  return links
}
const idsIn = (html: string): ReadonlyArray<string> => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

describe("each file of docs", () => {
  it("is served as Markdown, and as a page under the same address without .md", async () => {
    expect(FILES.length).toBeGreaterThan(50)
    for (const file of FILES) {
      const source = await ask(sourceOf(file))
      expect(source.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
      expect((await source.text()).split("\n", 3)).toEqual(readFileSync(file, "utf8").split("\n", 3))
      const page = await ask(pathOf(file))
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(page.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; base-uri 'none'"
      )
      expect(await page.text()).toContain(`href="${sourceOf(file)}"`)
    }
  })

  it("is in the index of docs/README.md, and with its headings in that of the service", async () => {
    const readme = readFileSync("docs/README.md", "utf8")
    const listed = FILES.filter((file) => !/README|answers|decisions\/\d/.test(file))
    expect(listed.filter((file) => !readme.includes(`](${file.slice("docs/".length)})`))).toEqual([])
    const links = new Set(addressesIn(await textOf("/docs/guides")))
    for (const file of FILES.filter((one) => !one.endsWith("README.md"))) {
      expect(links).toContain(pathOf(file))
      for (const { id } of render({
        file: file.slice("docs/".length),
        text: readFileSync(file, "utf8")
      }).headings.slice(1))
        expect(links).toContain(`${pathOf(file)}#${id}`)
    }
    expect(addressesIn(await textOf("/docs/guides/decisions"))).toContain(
      "/docs/guides/decisions/0002-compensated-sums"
    )
  })

  it("calls this service in the examples, in both forms", async () => {
    for (const path of ["/docs/guides/guides", "/docs/guides/guides.md", "/docs/guides/mcp"]) {
      const text = await textOf(path)
      expect(text).toContain(`${PUBLIC_URL}/mcp`)
      expect(text).not.toMatch(/127\.0\.0\.1:8080|localhost:8080/)
    }
  })

  it("has links, in both forms, that lead to a page of the service and a heading of it", async () => {
    const idsOf = new Map<string, ReadonlyArray<string>>()
    const links = new Map<string, string>()
    const add = (path: string, targets: ReadonlyArray<string>) => {
      for (const link of targets) links.set(new URL(link, `${PUBLIC_URL}${path}`).href, path)
    }
    for (const file of FILES) {
      const path = pathOf(file)
      const html = await textOf(path)
      idsOf.set(path, idsIn(html))
      expect(new Set(idsIn(html)).size, path).toBe(idsIn(html).length)
      add(path, addressesIn(html))
      const source = sourceOf(file)
      add(source, linksOf(await textOf(source)))
    }
    for (const [link, path] of links) {
      const { hash, origin, pathname } = new URL(link)
      if (origin !== PUBLIC_URL) continue
      const page = pathname.replace(/(\/README)?\.md$/, "")
      const ids = idsOf.get(page) ?? idsIn(await textOf(pathname))
      if (hash !== "") expect(ids, `${path} links ${link}`).toContain(hash.slice(1))
    }
  })

  it("comes with an ETag, and not again to a client that has it", async () => {
    for (const path of ["/docs/guides", "/docs/guides/mcp", "/docs/guides/mcp.md"]) {
      const etag = (await ask(path)).headers.get("etag")!
      expect(etag).toMatch(/^"[\w-]{43}"$/)
      const again = await ask(path, { "if-none-match": etag })
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""])
      expect((await ask(path, { "if-none-match": '"other"' })).status).toBe(200)
    }
  })
})

it.each(["zap", "mcp/", "zap.md", "README", "..%2FREADME.md", "%6Dcp.md", "MCP.md", "examples/projection.json", ""])(
  "there is no guide at %j",
  async (name) => {
    await expectProblem(await ask(`/docs/guides/${name}`), 404, "not-found")
  }
)

it("/docs and llms.txt link the guides", async () => {
  expect(await textOf("/docs")).toContain(`${PUBLIC_URL}/docs/guides`)
  const llms = await textOf("/llms.txt")
  for (const file of FILES.filter((one) => !/decisions\/\d/.test(one)))
    expect(llms).toContain(`](${PUBLIC_URL}${sourceOf(file)})`)
})

describe("a rendered page", () => {
  const htmlOf = (text: string) => render({ file: "mcp.md", text }).html

  it("shows raw HTML as text, and follows no link but to the web and to guides", () => {
    expect(htmlOf("a <b>c</b>\n\n<script>x</script>")).toBe(
      "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n&lt;script&gt;x&lt;/script&gt;"
    )
    expect(htmlOf("[a](javascript:alert(1)) [b](../deploy/README.md#x) [c](decisions)")).toBe(
      '<p>a b <a href="/docs/guides/decisions">c</a></p>\n'
    )
    expect(htmlOf('[a](https://example.org/?a=1&b="c")')).toContain(
      'href="https://example.org/?a=1&amp;b=&quot;c&quot;"'
    )
  })

  it("has the text of a picture in its place, in both forms", () => {
    const { html, markdown } = render({ file: "mcp.md", text: "![Costs & tax](pictures/costs.svg)" })
    expect([html, markdown]).toEqual(["<p>(Picture: Costs &amp; tax)</p>\n", "(Picture: Costs & tax)"])
  })

  it("keeps the text of other links in its Markdown", () => {
    const text =
      "[a](../deploy/README.md#x) [b](decisions)\n\n| [`c`](../test/c.test.ts) | [a](../deploy/README.md#x) |\n|---|---|\n"
    expect(render({ file: "mcp.md", text }).markdown).toBe("a [b](decisions)\n\n| `c` | a |\n|---|---|\n")
  })

  it("has the ids of GitHub's headings, each once", () => {
    const text = "# `repay`: a *file* of studentaid.gov\n\n## Q & A\n\n## Q & A\n\n### Größe_1-2"
    expect(idsIn(htmlOf(text))).toEqual(["repay-a-file-of-studentaidgov", "q--a", "q--a-1", "größe_1-2"])
  })

  it("has tables and code in boxes that scroll, and no empty header", () => {
    const html = htmlOf("# T\n\n| | b |\n|---|---|\n| `<a>` | c |\n\n```sh\nls && cd\n```")
    expect(html.replaceAll(/\n(?!ls)/g, "")).toContain(
      '<div class="wide" tabindex="0" role="group" aria-label="Table: T"><table><thead><tr><td></td><th>b</th></tr></thead><tbody><tr><td><code>&lt;a&gt;</code></td><td>c</td></tr></tbody></table></div><pre tabindex="0"><code>'
    )
    expect(html).toContain("<code>ls &amp;&amp; cd</code>")
  })
})

it("each link of the project's Markdown leads to a file and a heading of it", () => {
  for (const file of [...FILES, ...globSync(["*.md", "deploy/**/*.md"])])
    for (const href of linksOf(readFileSync(file, "utf8"))) {
      if (/^(https?|mailto):/.test(href)) continue
      const [target = "", anchor] = href.split("#")
      const path = target === "" ? file : join(dirname(file), target)
      expect(existsSync(path), `${file} links ${href}`).toBe(true)
      if (anchor === undefined) continue
      const { headings } = render({ file: path, text: readFileSync(path, "utf8") })
      expect(
        headings.map(({ id }) => id),
        `${file} links ${href}`
      ).toContain(anchor)
    }
})
