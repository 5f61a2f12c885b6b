/** What the checks in a browser share: what they expect, and what a page asks for and complains of while they try it. */
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

/** Of things that must not be, the first few as part of a sentence. */
export const but = (found: ReadonlyArray<string>): string =>
  found
    .slice(0, 5)
    .map((one) => `, not ${one}`)
    .join("")

export interface Watched {
  /** Method, path and body of every request, but of those that stay in the browser. */
  readonly asked: Array<string>
  readonly urls: Array<string>
  /** Errors and warnings of the console, scripts that failed, and what offended the policy of the page. */
  readonly complaints: Array<string>
}

/** Listens to a page before it is opened. */
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

/** Renews a picture of the documentation, if pictures were asked for; of the place that a selector names. */
export const picture = async (page: Page, name: string, of?: string): Promise<void> => {
  if (process.env["PICTURES"] === undefined) return
  if (of !== undefined) await page.locator(of).evaluate((place) => place.scrollIntoView({ block: "start" }))
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: false })
}
