/**
 * The view of an answer in a host of MCP Apps, made of the extension's own package, in a real
 * browser: its figures, its accessibility, and an attack by what a host or another frame sends.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { Frame, Page } from "playwright-core"
import { rolldown } from "rolldown"
import { wholeDollars } from "../../src/messages/figures.ts"
import { comparison, plans } from "../../test/support/requests.ts"
import { accessible, but, expect, openBrowser, WITHIN_MILLIS, watch } from "../page-check/support.ts"

const bundledHost = async (): Promise<string> => {
  const build = await rolldown({ input: "scripts/mcp-gate/host.ts", platform: "browser" })
  const { output } = await build.generate({ format: "iife" })
  await build.close()
  return output[0].code
}

let bundled: Promise<string> | undefined
/** Bundled once, when it is first asked for. */
const hostScript = (): Promise<string> => {
  bundled ??= bundledHost()
  return bundled
}

interface Answered {
  readonly html: string
  readonly result: { readonly structuredContent?: unknown }
}

/** What a host gets: the view that the tool names, and the result of a call. */
export const answered = async (
  url: string,
  key: string | undefined,
  mode: "auto" | "legacy",
  tool: string,
  args: object
): Promise<Answered> => {
  const client = new Client({ name: "host", version: "1" }, { versionNegotiation: { mode } })
  const requestInit = { headers: key === undefined ? {} : { "x-api-key": key } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const { tools } = await client.listTools()
  const { ui } = tools.find(({ name }) => name === tool)!._meta as { readonly ui: { readonly resourceUri: string } }
  const { contents } = await client.readResource({ uri: ui.resourceUri })
  const result = await client.callTool({ name: tool, arguments: { ...args } })
  await client.close()
  return { html: (contents[0] as { readonly text: string }).text, result }
}

/** Shows a result in the host on an empty page. @returns the frame of the view */
export const shownIn = async (page: Page, sent: Answered, theme: "dark" | "light"): Promise<Frame> => {
  await page.goto("about:blank")
  await page.addScriptTag({ content: await hostScript() })
  await page.evaluate((shown) => (globalThis as unknown as { show: (_: object) => void }).show(shown), {
    html: sent.html,
    result: JSON.stringify({ content: [], ...sent.result }),
    args: {},
    theme
  })
  await page.frameLocator("iframe").locator("main > *").first().waitFor({ timeout: WITHIN_MILLIS })
  return page.frames()[1]!
}

const costsOf = ({ result }: Answered): ReadonlyArray<number> => {
  const content = result.structuredContent as Record<string, ReadonlyArray<Record<string, number>>>
  return (content["plans"] ?? content["projections"]!).map(
    ({ forgivenessTaxesOwed, totalOutOfPocket }) => totalOutOfPocket! + forgivenessTaxesOwed!
  )
}

/** Ways to break out of a view, or to break it. */
const ATTACKS: Readonly<Record<string, unknown>> = {
  "no content": undefined,
  "text for content": "plans",
  "a million plans": { plans: Array.from({ length: 1_000_000 }, () => 0) },
  "a deep answer": JSON.parse(`${'{"plans":['.repeat(200)}0${"]}".repeat(200)}`),
  "a long label": { projections: [{ label: "x".repeat(1_000_000) }] }
}

export const checkView = async (base: string, key: string): Promise<void> => {
  const browser = await openBrowser()
  const page = await browser.newPage()
  const { complaints, urls } = watch(page)
  const label = '<img src="https://example.org/x"><script>document.title = "taken"</script>'
  const [first, second] = comparison.arms
  const arms = [{ ...first!, scenario: { ...first!.scenario, label } }, second!]
  const asked = [
    ["/mcp", key, "compare_plans", plans],
    ["/mcp", key, "compare_scenarios", { arms }],
    ["/mcp/open", undefined, "compare_plans", plans]
  ] as const
  for (const [path, ofKey, tool, args] of asked)
    for (const mode of ["auto", "legacy"] as const) {
      const sent = await answered(`${base}${path}`, ofKey, mode, tool, args)
      for (const [width, theme] of [
        [320, "dark"],
        [320, "light"],
        [800, "dark"],
        [800, "light"]
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        const frame = await shownIn(page, sent, theme)
        const text = await frame.locator("main").innerText()
        const missing = costsOf(sent)
          .map(wholeDollars)
          .filter((cost) => !text.includes(cost))
        expect(missing.length === 0, `${path}, ${tool}, ${mode}, ${width}, ${theme}: every total${but(missing)}`)
        await accessible(frame, `${tool}, ${width}, ${theme}`)
        if (tool === "compare_scenarios") expect(text.includes(label), "a label to be text")
      }
    }

  const good = await answered(`${base}/mcp/open`, undefined, "auto", "compare_plans", plans)
  for (const [name, structuredContent] of Object.entries(ATTACKS)) {
    const frame = await shownIn(page, { ...good, result: { structuredContent } }, "light")
    expect(/has no figures to draw/.test(await frame.locator("main").innerText()), `${name}: nothing to be drawn`)
  }
  const frame = await shownIn(page, good, "light")
  const before = await frame.locator("main").innerText()
  await page.evaluate(() => {
    const other = document.createElement("iframe")
    other.srcdoc = `<script>parent.frames[0].postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [] } }, "*")</script>`
    document.body.append(other)
    return new Promise((resolve) => other.addEventListener("load", () => setTimeout(resolve, 500)))
  })
  expect((await frame.locator("main").innerText()) === before, "a message of another frame to change nothing")
  const left = urls.filter((url) => !/^about:/.test(url))
  expect(left.length === 0, `the view to ask for nothing${but(left)}`)
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)
}
