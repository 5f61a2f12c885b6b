/**
 * The check of the small client (the package without dependencies) in a page of another origin, as
 * a third-party site would use it.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { projection } from "../../test/support/requests.ts"
import { clientModule } from "../client/package.ts"
import { expect } from "./support.ts"

export const checkClient = async (page: Page, base: string): Promise<void> => {
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"))
  await once(site.listen(0, "127.0.0.1"), "listening")
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`)
  site.close()
  await page.evaluate(await clientModule({ minify: true, format: "iife" }))
  const calls = `(async (baseUrl) => {
    const { apiKey } = await client.createClient({ baseUrl }).mintSandboxKey("browser@example.org")
    const mine = client.createClient({ baseUrl, apiKey })
    const answer = await mine.project(${JSON.stringify(projection)})
    const refused = await mine.project({}).catch((error) => client.isProblem(error) && error._tag)
    return [(await mine.check(answer)).matches, refused]
  })(${JSON.stringify(base)})`
  const outcome = JSON.stringify(await page.evaluate(calls))
  expect(
    outcome === '[true,"ValidationProblem"]',
    `the client to project, to check and to be refused in a browser: ${outcome}`
  )
}
