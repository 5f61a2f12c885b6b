/**
 * `npm run page-check`: the pages in a real browser, against the real service: the start page, the page of a record, the
 * pages of the rules, the reference of the API, and the small client in a page of another origin.
 * Needs a Chromium, on Debian `chromium`; CHROMIUM names another. PICTURES=1 renews those of docs/pictures.
 */
import { chromium } from "playwright-core"
import { checkBooks } from "./page-check/books.ts"
import { checkClient } from "./page-check/client.ts"
import { checkFiles } from "./page-check/files.ts"
import { checkRecord } from "./page-check/record.ts"
import { checkReference } from "./page-check/reference.ts"
import { checkRules } from "./page-check/rules.ts"
import { checkStartPage } from "./page-check/start.ts"
import { startService } from "./programs.ts"

/** Thousands of books are compared with what the service answers. */
const UNLIMITED = {
  RATE_LIMIT_KEY: "off",
  RATE_LIMIT_REFUSED: "off",
  RATE_LIMIT_KEYLESS: "off",
  SANDBOX_MONTHLY_CALLS: "1000000"
}

const service = await startService(UNLIMITED)
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"]
})
try {
  await checkStartPage(browser, service.base)
  await checkFiles(await browser.newPage(), service.base)
  await checkBooks(await browser.newPage(), service.base)
  await checkRecord(await browser.newPage(), service.base)
  await checkReference(await browser.newPage(), service.base)
  await checkRules(await browser.newPage(), service.base)
  await checkClient(await browser.newPage(), service.base)
} finally {
  await browser.close()
  await service.stop()
}
