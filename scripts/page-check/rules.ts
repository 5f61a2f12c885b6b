/**
 * The check of the rules pages and of a problem's: the search works by keyboard alone, and axe finds
 * nothing on the narrowest screen, light and dark.
 */
import type { Page } from "playwright-core"
import { accessibleWhenNarrow, but, expect, WITHIN_MILLIS, watch } from "./support.ts"

/** Limit of Tab presses to reach the search form. */
const MAX_TABS = 7

export const checkRules = async (page: Page, base: string): Promise<void> => {
  const { complaints } = watch(page)
  await accessibleWhenNarrow(page, base, ["/problems/artifact-plan", "/rules/plan-eligibility-matrix", "/rules"])
  for (let tabs = 0; tabs < MAX_TABS && (await page.evaluate("document.activeElement.name")) !== "q"; tabs++)
    await page.keyboard.press("Tab")
  await page.keyboard.type("base payment agi")
  await page.keyboard.press("Enter")
  await page.getByRole("status").filter({ hasText: "entries match" }).waitFor({ timeout: WITHIN_MILLIS })
  await page.getByRole("link", { name: "RAP annual base payment by AGI" }).press("Enter")
  await page.waitForURL(`${base}/rules/rap-base-payment-bands`, { timeout: WITHIN_MILLIS })
  expect(true, "a rule to be found by keyboard")
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)
}
