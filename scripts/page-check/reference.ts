/**
 * The check of the API reference at another host name than the configured public one. A user must
 * need to fill in nothing but a key.
 */
import type { Page } from "playwright-core"
import { callerOf, mintOver } from "../../test/support/calls.ts"
import { but, expect, WITHIN_MILLIS, watch } from "./support.ts"

const LEADS_AWAY = /powered by|scalar|open api client|generate sdks|share|ask ai/i

export const checkReference = async (page: Page, base: string): Promise<void> => {
  const elsewhere = base.replace("127.0.0.1", "localhost")
  const { apiKey } = await mintOver(callerOf(base))
  const { complaints, urls } = watch(page)

  await page.goto(`${elsewhere}/docs`)
  await page.locator(".scalar-password-input").first().fill(apiKey)
  await page.getByRole("button", { name: "Test Request (post /v1/projection)" }).click()
  const controls = async () => (await page.locator("a:visible, button:visible").allInnerTexts()).join("\n")
  const before = await controls()
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().startsWith(`${elsewhere}/v1/projection`), {
      timeout: WITHIN_MILLIS
    }),
    page.getByRole("button", { name: /^Send post/ }).click({ timeout: WITHIN_MILLIS })
  ])
  expect(answer.status() === 200, "a test request from /docs at another host name to be answered")
  const strangers = urls.filter((url) => !url.startsWith(`${elsewhere}/`))
  expect(strangers.length === 0, `nothing to be asked of other hosts${but(strangers)}`)
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)
  const found = LEADS_AWAY.exec(`${before}\n${await controls()}`)?.[0]
  expect(found === undefined, `no button or link of the viewer's maker${found === undefined ? "" : `, not "${found}"`}`)
}
