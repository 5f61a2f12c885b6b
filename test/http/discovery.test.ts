/** Descriptions for programs that do not know the service: llms.txt, server card, registry file. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import packageJson from "../../package.json" with { type: "json" }
import { PUBLIC_URL, useService } from "../support/runningService.ts"

const service = useService()

const textOf = async (path: string) => {
  const response = await service().call("GET", path)
  expect(response.status).toBe(200)
  return { text: await response.text(), type: response.headers.get("content-type") }
}

it("llms.txt names the calls and the tool servers, and each of its links leads somewhere", async () => {
  const { text, type } = await textOf("/llms.txt")
  expect(type).toBe("text/plain; charset=utf-8")
  expect(text).toMatch(/^# Repayment of Record\n\n> /)
  expect(text.match(/^- `(?:GET|POST) /gm)).toHaveLength(10)
  expect(text).toContain(`\`${PUBLIC_URL}/mcp/open\``)
  const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link]) => link!)
  expect(links.length).toBeGreaterThan(15)
  for (const link of links) {
    expect(link.startsWith(`${PUBLIC_URL}/`)).toBe(true)
    expect((await service().call("GET", link.slice(PUBLIC_URL.length))).status).toBe(200)
  }
})

interface Described {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly remotes: ReadonlyArray<{ readonly type: string; readonly url: string; readonly headers?: object }>
}
/** What the schemas of the card and of the registry ask of both. */
const expectDescribed = ({ description, name, remotes, version }: Described, base: string) => {
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(description.length).toBeLessThanOrEqual(100)
  expect(version).toBe(packageJson.version)
  expect(remotes.map(({ type, url }) => [type, url])).toEqual([
    ["streamable-http", `${base}/mcp`],
    ["streamable-http", `${base}/mcp/open`]
  ])
  expect(remotes[0]!.headers).toMatchObject([{ name: "X-Api-Key", isRequired: true, isSecret: true }])
  expect(remotes[1]).not.toHaveProperty("headers")
}

it("the server card and the registry's file describe both tool servers", async () => {
  const card = JSON.parse((await textOf("/.well-known/mcp/server-card.json")).text)
  expectDescribed(card, PUBLIC_URL)
  expect(card.name).toBe("test.example.service/repayment-of-record")
  for (const { supportedProtocolVersions } of card.remotes)
    expect(supportedProtocolVersions).toEqual(expect.arrayContaining(["2026-07-28", "2025-11-25"]))
  const file = JSON.parse(readFileSync("deploy/mcp-registry/server.json", "utf8"))
  expectDescribed(file, "https://api.example.org")
  // The registry looks for its name of the server in the package.
  expect(file.name).toBe(packageJson.mcpName)
  expect(file.packages).toMatchObject([{ identifier: packageJson.name, version: packageJson.version }])
})

it("without a payment link, answers lead to a page that says that no keys are sold", async () => {
  const minted = await service().call("POST", "/v1/keys/sandbox", { json: { email: "grace@example.org" } })
  const { claimHow, upgradeUrl } = (await minted.json()) as { claimHow: string; upgradeUrl: string }
  expect(claimHow).toContain("This service sells no keys.")
  const { text } = await textOf(upgradeUrl.slice(PUBLIC_URL.length))
  expect(text).toContain("This installation sells no keys")
  expect(text).toContain("subscriptions pay")
  expect(text).not.toContain("grace@example.org")
})
