/**
 * The pages in a real browser, against the real service: the start page, the page of a record, the
 * pages of the rules, the reference of the API, and the small client in a page of another origin.
 * Needs a Chromium, on Debian `chromium`; CHROMIUM names another. PICTURES=1 renews those of
 * docs/pictures.
 */
import { chromium } from "playwright-core"
import { NO_LIMITS } from "../test/support/settings.ts"
import { atEnd, service, step } from "./harness.ts"
import { checkBooks } from "./page-check/books.ts"
import { checkClient } from "./page-check/client.ts"
import { checkFiles } from "./page-check/files.ts"
import { checkRecord } from "./page-check/record.ts"
import { checkReference } from "./page-check/reference.ts"
import { checkRules } from "./page-check/rules.ts"
import { checkStartPage } from "./page-check/start.ts"

const ON_A_PAGE = {
  "files of studentaid.gov": checkFiles,
  "random books": checkBooks,
  "the page of a record": checkRecord,
  "the reference of the API": checkReference,
  "the rules": checkRules,
  "the small client": checkClient
}

export default async () => {
  // Thousands of books are compared with what the service answers.
  const { base } = await service({ ...NO_LIMITS, SANDBOX_MONTHLY_CALLS: "1000000" })
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  atEnd(() => browser.close())
  await step("the start page", () => checkStartPage(browser, base))
  for (const [name, check] of Object.entries(ON_A_PAGE))
    await step(name, async () => check(await browser.newPage(), base))
}
