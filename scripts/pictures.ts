/**
 * The `pictures` task: pictures of the pages for those who judge them by eye, in every state, width
 * and color scheme. Without `--out` it renews the few of docs/pictures.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Page } from "playwright-core"
import { plans } from "../test/support/requests.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { Misuse, PROJECT, service, step } from "./harness.ts"
import { answered, shownIn } from "./mcp-gate/view.ts"
import { recordedAnswer } from "./page-check/record.ts"
import { openBrowser, rested, settled, withExample } from "./page-check/support.ts"

const WIDTHS = [320, 390, 768, 1024, 1280, 1920]
const HEIGHT = 860

interface Shown {
  readonly path?: string
  /** What is at the top of a picture of one screen; without it, all of the page is in the picture. */
  readonly of?: string
  readonly show?: (page: Page) => Promise<unknown>
}

const SAMPLE = join(PROJECT, "test/myAidData/samples/01-direct-loans.txt")

const readFile = async (page: Page): Promise<void> => {
  await rested(page)
  await page.locator("#my-aid-data").setInputFiles(SAMPLE)
  await page.locator(".reading").waitFor()
}

const explain = async (page: Page): Promise<void> => {
  await withExample(page)
  await page.locator("li.plan summary .go").first().click()
  await page.locator("li.plan button.fig").first().click()
  await page.locator("dialog[open] .lead").waitFor()
}

/** The view of an answer in a chat program. */
const inChat = async (page: Page): Promise<void> => {
  const { origin } = new URL(page.url())
  const theme = (await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)) ? "dark" : "light"
  await shownIn(page, await answered(`${origin}/mcp/open`, undefined, "auto", "compare_plans", plans), theme)
  await page.frameLocator("iframe").locator("section.plans").waitFor()
}

const LOAN = "loan1.type=DIRECT+STAFFORD+UNSUBSIDIZED&loan1.balance=31500&loan1.rate=6.53"

/** The states of the start page. */
const STATES: Readonly<Record<string, Shown>> = {
  empty: { show: rested },
  example: { show: withExample },
  file: { show: readFile },
  imported: {
    show: async (page) => {
      await readFile(page)
      await page.getByRole("button", { name: "Use these loans" }).click()
    }
  },
  married: {
    path: `/#${LOAN}&income=58000&filing=Married&spouseIncome=41000&state=OH&dependents=1`,
    show: settled
  },
  couple: {
    path: `/#${LOAN}&loan1.balance=120000&loan1.months=60&loan1.pslf=60&service=yes&firstBorrowed=2014&income=62000&filing=Married&spouseIncome=48000&state=WI&growth=3&prices=2.5&spouse.loan1.type=DIRECT+STAFFORD+SUBSIDIZED&spouse.loan1.balance=11000&spouse.loan1.rate=3.73&spouse.loan2.type=DIRECT+STAFFORD+UNSUBSIDIZED&spouse.loan2.balance=20000&spouse.loan2.rate=3.76&spouse.firstBorrowed=2014`,
    show: settled
  },
  student: { path: `/#${LOAN}&income=30000&dependents=1&state=NC&pays=school&until=2027-04`, show: settled },
  vacated: {
    path: `/#${LOAN}&loan1.months=80&loan1.pslf=80&service=yes&income=71000&state=OH&plan=SAVE&pays=paused&until=2026-12&pause=save`,
    show: settled
  },
  ending: {
    path: `/#${LOAN}&loan1.balance=90000&loan1.months=60&firstBorrowed=2014&income=62000&state=TX&plan=PAY+AS+YOU+EARN&budget=600&switchFrom=2028-06&switchTo=REPAYMENT+ASSISTANCE`,
    show: settled
  },
  chat: { show: inChat },
  explained: { show: explain, of: "dialog" },
  printed: {
    show: async (page) => {
      await withExample(page)
      await page.emulateMedia({ media: "print" })
    }
  }
}

const othersOf = async (base: string): Promise<Readonly<Record<string, Shown>>> => ({
  rules: { path: "/rules", of: "body" },
  rule: { path: "/rules/plan-eligibility-matrix" },
  problem: { path: "/problems/artifact-plan" },
  record: { path: `/v1/verify/${(await recordedAnswer(base)).answerId}` },
  docs: { path: "/docs", of: "body", show: (page) => page.locator("h1").first().waitFor() }
})

interface Picture {
  readonly name: string
  readonly state: string
  readonly width: number
  readonly isDark: boolean
  readonly of?: string
}

/** The pictures of docs/pictures. */
const RENEWED: ReadonlyArray<Picture> = [
  { name: "wide", state: "example", width: 1280, isDark: false, of: "h1" },
  { name: "wide-dark", state: "example", width: 1280, isDark: true, of: "h1" },
  { name: "phone", state: "example", width: 320, isDark: false, of: ".goals" },
  { name: "phone-dark", state: "example", width: 320, isDark: true, of: ".goals" },
  { name: "file", state: "file", width: 1280, isDark: false, of: ".reading" },
  { name: "chat", state: "chat", width: 768, isDark: false, of: "body" },
  { name: "why", state: "explained", width: 1280, isDark: false },
  { name: "print", state: "printed", width: 1280, isDark: false, of: "body" }
]

/** Every state at every width in both schemes; paper is wide and white. */
const everyPicture = (states: ReadonlyArray<string>): ReadonlyArray<Picture> =>
  states.flatMap((state) =>
    WIDTHS.flatMap((width) => [false, true].map((isDark) => ({ width, isDark })))
      .filter(({ isDark, width }) => state !== "printed" || (width === 1280 && !isDark))
      .map(({ isDark, width }) => ({
        name: `${state}-${width}${isDark ? "-dark" : ""}`,
        state,
        width,
        isDark
      }))
  )

export default async (args: ReadonlyArray<string>) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: "string" } }
  })
  const { base } = await service(NO_LIMITS)
  const states = { ...STATES, ...(await othersOf(base)) }
  const unknown = positionals.find((name) => !Object.hasOwn(states, name))
  if (unknown !== undefined) throw new Misuse(`${unknown} is not one of ${Object.keys(states).join(", ")}`)
  const browser = await openBrowser()
  const folder = values.out ?? join(PROJECT, "docs/pictures")
  mkdirSync(folder, { recursive: true })

  const take = async ({ isDark, name, state, width, of = states[state]!.of }: Picture): Promise<void> => {
    const { path = "/", show } = states[state]!
    const context = await browser.newContext({
      viewport: { width, height: HEIGHT },
      colorScheme: isDark ? "dark" : "light"
    })
    const page = await context.newPage()
    await page.goto(`${base}${path}`)
    await show?.(page)
    if (of !== undefined)
      await page
        .locator(of)
        .first()
        .evaluate((place) => place.scrollIntoView({ block: "start" }))
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: of === undefined })
    await context.close()
  }

  const chosen = positionals.length === 0 ? Object.keys(states) : positionals
  const pictures = values.out === undefined ? RENEWED : everyPicture(chosen)
  for (const picture of pictures) await step(`${picture.name}.png`, () => take(picture))
}
