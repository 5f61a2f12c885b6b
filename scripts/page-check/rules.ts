/**
 * The check of the rules pages: the search works by keyboard alone, and the pages fit the narrowest
 * screen.
 */
import type { Page } from "playwright-core"
import { but, expect, WITHIN_MILLIS, watch } from "./support.ts"

const NARROWEST = { width: 320, height: 640 }
/** Limit of Tab presses to reach the search form. */
const MAX_TABS = 5

export const checkRules = async (page: Page, base: string): Promise<void> => {
  const { complaints } = watch(page)
  await page.setViewportSize(NARROWEST)
  const isWithin = async (): Promise<boolean> =>
    (await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")) === true

  await page.goto(`${base}/rules`)
  expect(await isWithin(), `no line of the rules to be wider than ${NARROWEST.width} pixels`)
  for (let tabs = 0; tabs < MAX_TABS && (await page.evaluate("document.activeElement.name")) !== "q"; tabs++)
    await page.keyboard.press("Tab")
  await page.keyboard.type("base payment agi")
  await page.keyboard.press("Enter")
  await page.getByRole("status").filter({ hasText: "entries match" }).waitFor({ timeout: WITHIN_MILLIS })
  await page.getByRole("link", { name: "RAP annual base payment by AGI" }).press("Enter")
  await page.waitForURL(`${base}/rules/rap-base-payment-bands`, { timeout: WITHIN_MILLIS })
  expect(true, "a rule to be found by keyboard")
  await page.goto(`${base}/rules/plan-eligibility-matrix`)
  expect(await isWithin(), "a wide table to scroll in a box of its own")
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)
}
