/**
 * Helpers of the browser checks: expectations, recorded requests and console errors of a page, and
 * pictures.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { insist, PROJECT, say } from "../harness.ts"

export const WITHIN_MILLIS = 15_000
const PICTURES = join(PROJECT, "docs/pictures")

export const expect = (holds: boolean, what: string): void => {
  insist(holds, `expected ${what}`)
  say(`     ${what}`)
}

/** The first few unexpected items, as the end of a message. */
export const but = (found: ReadonlyArray<string>): string =>
  found
    .slice(0, 5)
    .map((one) => `, not ${one}`)
    .join("")

export interface Watched {
  /** Method, path and body of every request, except for data: and blob: URLs. */
  readonly asked: Array<string>
  readonly urls: Array<string>
  /** Console errors and warnings (policy violations included), and uncaught script errors. */
  readonly complaints: Array<string>
}

/** Records a page's requests and errors. Call it before the page opens. */
export const watch = (page: Page): Watched => {
  const watched: Watched = { asked: [], urls: [], complaints: [] }
  page.on("request", (request) => {
    if (/^(data|blob):/.test(request.url())) return
    watched.urls.push(request.url())
    watched.asked.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ""}`.trim())
  })
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) watched.complaints.push(message.text())
  })
  page.on("pageerror", (error) => watched.complaints.push(error.message))
  return watched
}

/** Takes a documentation picture if PICTURES is set, scrolled to the element of a selector. */
export const picture = async (page: Page, name: string, of?: string): Promise<void> => {
  if (process.env["PICTURES"] === undefined) return
  if (of !== undefined) await page.locator(of).evaluate((place) => place.scrollIntoView({ block: "start" }))
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: false })
}
