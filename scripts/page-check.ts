/**
 * The `page-check` task: tests the pages in a real browser against the real service. Needs Chromium
 * (Debian: `chromium`), or CHROMIUM for another one.
 */
import { NO_LIMITS } from "../test/support/settings.ts"
import { startWitness } from "../test/support/witness.ts"
import { atEnd, service, step } from "./harness.ts"
import { checkBooks, checkCouples } from "./page-check/books.ts"
import { checkClient } from "./page-check/client.ts"
import { checkFiles } from "./page-check/files.ts"
import { checkGuides } from "./page-check/guides.ts"
import { checkRecord, WITNESS } from "./page-check/record.ts"
import { checkReference } from "./page-check/reference.ts"
import { checkRules } from "./page-check/rules.ts"
import { checkStartPage } from "./page-check/start.ts"
import { openBrowser } from "./page-check/support.ts"
import { checkTranslated } from "./page-check/translated.ts"

const CHECKS = {
  "files of studentaid.gov": checkFiles,
  "random books": checkBooks,
  "random couples": checkCouples,
  "the page of a record": checkRecord,
  "the reference of the API": checkReference,
  "the rules": checkRules,
  "the guides": checkGuides,
  "the small client": checkClient
}

export default async () => {
  // The quota must allow a comparison of the page with the service for thousands of loan books.
  const { stop, url, verifierKey } = await startWitness(WITNESS, 1)
  atEnd(stop)
  const LOG_WITNESSES_TEXT = `witness ${WITNESS} ${verifierKey} ${url}\nquorum ${WITNESS}`
  const witnesses = { LOG_WITNESSES_TEXT, LOG_WITNESS_SECONDS: "1" }
  const { base } = await service({ ...NO_LIMITS, ...witnesses, SANDBOX_MONTHLY_CALLS: "1000000" })
  const browser = await openBrowser()
  await step("the start page works by mouse, keyboard, link, phone and print", () => checkStartPage(browser, base))
  await step("the start page when a translator changes it", () => checkTranslated(browser, base))
  for (const [name, check] of Object.entries(CHECKS)) await step(name, async () => check(await browser.newPage(), base))
}
