/**
 * The check of the record page: it tells a genuine answer, pasted or chosen as a file, from a
 * changed one, sends none of it, and names the witnesses of the log.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { callerOf, mintOver } from "../../test/support/calls.ts"
import { projection } from "../../test/support/requests.ts"
import { until } from "../../test/support/until.ts"
import { makeCosigner } from "../../test/support/witness.ts"
import { temporaryFolder } from "../harness.ts"
import { accessible, but, expect, WITHIN_MILLIS, watch } from "./support.ts"

const GOOD = "This is the recorded answer: each figure and each word is as it was recorded."

/** A recorded answer, once the log has its record: until then its receipt is 503, which a browser logs as an error. */
export const recordedAnswer = async (base: string): Promise<{ readonly answer: string; readonly answerId: string }> => {
  const call = callerOf(base)
  const { apiKey: key } = await mintOver(call)
  const answer = await (await call("POST", "/v1/projection", { json: projection, key })).text()
  const { answerId } = (JSON.parse(answer) as { readonly provenance: { readonly answerId: string } }).provenance
  await until(async () => (await fetch(`${base}/v1/verify/${answerId}/receipt`)).ok)
  return { answer, answerId }
}

/** The witness of the service that is checked. */
export const WITNESS = "witness.example"

const says = async (page: Page, id: string, text: string): Promise<void> => {
  const place = page.locator(`#${id}`, { hasText: text })
  await place.waitFor({ timeout: WITHIN_MILLIS })
  expect(true, `the page says: ${(await place.innerText()).replaceAll(/[0-9a-f-]{36}|127[^ ]*/g, "…")}`)
}

/** Types a policy whose check ends, with a failure, after that of the next one, which is empty. */
const outrunPolicy = (page: Page, text: string): Promise<void> =>
  page.evaluate(async (text) => {
    const field = document.querySelector<HTMLTextAreaElement>("#policy")!
    const type = (value: string) => {
      field.value = value
      field.dispatchEvent(new Event("input"))
    }
    const { subtle } = crypto
    let fail = (_: Error): void => undefined
    subtle.digest = () => new Promise((_, reject) => (fail = reject))
    type(text)
    Reflect.deleteProperty(subtle, "digest")
    const newest = new Promise((resolve) => {
      const place = document.querySelector("#witnesses")!
      new MutationObserver(() => place.textContent !== "" && resolve(undefined)).observe(place, { childList: true })
    })
    type("")
    await newest
    fail(new Error("an older policy"))
    await new Promise((resolve) => setTimeout(resolve))
  }, text)

export const checkRecord = async (page: Page, base: string): Promise<void> => {
  const { answer, answerId } = await recordedAnswer(base)
  const { asked, complaints } = watch(page)

  // A moment after the log has the record, the witness has seen it.
  await until(async () => (await (await fetch(`${base}/v1/verify/${answerId}/receipt`)).text()).includes(WITNESS))
  await page.goto(`${base}/v1/verify/${answerId}`)
  await says(page, "log", "in the signed log")
  await says(page, "witnesses", `seen by ${WITNESS} at`)
  await says(page, "witnesses", "named by this service")
  await page.locator("summary").click()
  const policy = page.getByLabel("Your policy")
  const other = `witness other ${(await makeCosigner("other", new Uint8Array(32))).verifierKey}\nquorum other`
  await policy.fill(other)
  await says(page, "witnesses", "No witness of the policy has seen this log yet. The policy also needs other.")
  await policy.fill("quorum other")
  await says(page, "witnesses", "not confirmed: line 1: no earlier line defines other.")
  await outrunPolicy(page, other)
  await says(page, "witnesses", "named by this service")
  const pasted = page.getByLabel("Paste the whole answer")
  await pasted.fill(answer)
  await says(page, "figures", GOOD)
  await pasted.fill(answer.replace('"totalOutOfPocket":', '"totalOutOfPocket":1'))
  await says(page, "figures", "This is not the recorded answer")
  await pasted.fill(JSON.stringify(JSON.parse(answer), null, 2))
  await says(page, "figures", GOOD)
  await pasted.fill(answer.replaceAll(answerId, "00000000-0000-4000-8000-000000000000"))
  await says(page, "figures", "This answer names another record")
  await pasted.fill(answer)
  await says(page, "figures", GOOD)
  await pasted.fill(answer.replace(`"answerId":"${answerId}"`, '"answerId":{"toString":1}'))
  await says(page, "figures", "This is no answer of this service")
  await pasted.fill("a letter about it")
  await says(page, "figures", "This is no answer of this service")

  const file = join(temporaryFolder("page"), "answer.json")
  writeFileSync(file, answer)
  await page.getByLabel("file").setInputFiles(file)
  await says(page, "figures", GOOD)
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new Error("the file has gone"))
  })
  await page.getByLabel("file").setInputFiles([])
  await page.getByLabel("file").setInputFiles(file)
  await says(page, "figures", "This was not checked: the file has gone.")
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme })
    await accessible(page, `the record, ${colorScheme}`)
  }

  const allowed = [
    `/v1/verify/${answerId}`,
    "/verify.js",
    `/v1/verify/${answerId}/receipt`,
    "/log/key",
    "/log/policy",
    "/favicon.ico"
  ]
  const others = asked.filter((one) => !allowed.some((path) => one === `GET ${path}`))
  expect(others.length === 0, `nothing to be sent or fetched but the page and its proof${but(others)}`)
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)

  await page.route("**/log/policy", (route) => route.fulfill({ status: 429 }))
  await page.reload()
  await says(page, "witnesses", "are not shown: /log/policy has status 429.")
  await says(page, "log", "in the signed log")
}
