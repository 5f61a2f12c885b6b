/**
 * Helpers of tasks with a browser: expectations, recorded requests and console errors of a page, and
 * the states of the start page.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Browser, chromium, type Frame, type Page } from "playwright-core"
import { atEnd, insist, say } from "../harness.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

export const WITHIN_MILLIS = 15_000

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

interface Watched {
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

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

/** A page, or a frame in one. */
type Drawn = Pick<Frame, "evaluate">

/** Pairs of words in a plot of which one covers the other. */
const covered = (page: Drawn): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".plot .word")].map((word) => ({
      text: word.textContent,
      box: word.getBoundingClientRect()
    }))
    return boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(
          ({ box }) =>
            box.left < one.box.right - 1 &&
            one.box.left < box.right - 1 &&
            box.top < one.box.bottom - 1 &&
            one.box.top < box.bottom - 1
        )
        .map(({ text }) => `${one.text} / ${text}`)
    )
  })

/** Expects that axe finds nothing, that no words overlap, and that nothing is wider than the screen. */
export const accessible = async (page: Drawn, name: string): Promise<void> => {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate("axe.run()")) as { readonly violations: ReadonlyArray<Violation> }
  expect(
    violations.length === 0,
    `${name}: axe to find nothing${but(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`))}`
  )
  const words = await covered(page)
  expect(words.length === 0, `${name}: no word of a plot to cover another${but(words)}`)
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(beyond <= 0, `${name}: the page to be no wider than the screen${beyond > 0 ? `, not ${beyond} px wider` : ""}`)
}

const NARROWEST = { width: 320, height: 640 }

/** Expects that pages are accessible on the narrowest screen, light and dark. */
export const accessibleWhenNarrow = async (
  page: Page,
  base: string,
  paths: ReadonlyArray<string>,
  prepare: () => Promise<unknown> = async () => undefined
): Promise<void> => {
  await page.setViewportSize(NARROWEST)
  for (const path of paths)
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${base}${path}`)
      await prepare()
      await accessible(page, `${path}, ${colorScheme}`)
    }
}

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

export const hasBrowser = (): boolean => existsSync(CHROMIUM)

/** Chromium, closed at the end of the task. */
export const openBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] })
  atEnd(() => browser.close())
  return browser
}

/** Waits until the start page's answer belongs to the current input. */
export const rested = (page: Page): Promise<void> =>
  page.locator('.answer[aria-busy="false"]').waitFor({ timeout: WITHIN_MILLIS })

/** Waits until there is an answer, with plans. */
export const settled = async (page: Page): Promise<void> => {
  await rested(page)
  await page.locator("section.plans").waitFor({ timeout: WITHIN_MILLIS })
}

export const withExample = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Show an example" }).click()
  await settled(page)
}

/** Milliseconds to the first contentful paint of the start page, in a browser without a cache. */
export const firstPaint = async (browser: Browser, base: string): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await page.goto(`${base}/`)
  const millis = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName("first-contentful-paint")[0]
          if (paint !== undefined) resolve(paint.startTime)
        }).observe({ type: "paint", buffered: true })
      })
  )
  await context.close()
  return millis
}
