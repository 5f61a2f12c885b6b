/**
 * The check of the guides: on the narrowest screen, light and dark, axe finds nothing and nothing
 * scrolls sideways; the index works without JavaScript, and its search finds a heading by keyboard.
 */
import type { Page } from "playwright-core"
import { accessibleWhenNarrow, but, expect, WITHIN_MILLIS, watch } from "./support.ts"

const LONG = "/docs/guides/operating"

export const checkGuides = async (page: Page, base: string): Promise<void> => {
  const { complaints } = watch(page)
  await accessibleWhenNarrow(page, base, ["/docs/guides", LONG], () =>
    page.evaluate('document.querySelector("details")?.setAttribute("open", "")')
  )
  await page.goto(`${base}/docs/guides`)
  await page.getByLabel("Find a heading").focus()
  await page.keyboard.type("python engine")
  await page.getByRole("status").filter({ hasText: "1 page matches." }).waitFor({ timeout: WITHIN_MILLIS })
  await page.getByRole("link", { name: "Python" }).press("Enter")
  await page.waitForURL(`${base}/docs/guides/library#python`, { timeout: WITHIN_MILLIS })
  expect(true, "a heading to be found by keyboard")
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)

  const scriptless = await page.context().browser()!.newPage({ javaScriptEnabled: false })
  await scriptless.goto(`${base}/docs/guides`)
  expect(!(await scriptless.getByRole("searchbox").isVisible()), "no search without JavaScript")
  await scriptless.locator("summary").click()
  await scriptless.getByRole("link", { name: "Python" }).last().click()
  await scriptless.waitForURL(/#python$/, { timeout: WITHIN_MILLIS })
  expect(true, "the index to lead to a heading without JavaScript")
}
