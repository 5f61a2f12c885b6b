/**
 * `npm run page-check`: the page of a record in a real browser, against the real service: an answer that is pasted or
 * chosen as a file is told from a changed one, nothing of it leaves the browser, and nothing offends the page's policy. The
 * reference of the API sends a request at another name than the public one; the small client is tried in a page of another
 * origin.
 * Needs a Chromium, on Debian `chromium`; CHROMIUM names another.
 */
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { chromium, type Page } from "playwright-core"
import { projection } from "../test/support/requests.ts"
import { clientModule } from "./client/package.ts"
import { startService } from "./programs.ts"

const WITHIN_MILLIS = 15_000
const POLL_MILLIS = 200
const GOOD = "This is the recorded answer: each figure and each word is as it was recorded."

const expect = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`expected ${what}`)
  console.log(`ok   ${what}`)
}

const send = (base: string, path: string, body: object, key = "") =>
  fetch(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(body)
  })

const mint = async (base: string): Promise<string> => {
  const minted = await send(base, "/v1/keys/sandbox", { email: "page@example.org" })
  return ((await minted.json()) as { readonly apiKey: string }).apiKey
}

/** A recorded answer, as it was received. */
const recordedAnswer = async (base: string): Promise<string> =>
  (await send(base, "/v1/projection", projection, await mint(base))).text()

/** A browser complains of a 503, which the page expects of a record that is this young. */
const untilLogged = async (base: string, answerId: string): Promise<void> => {
  const deadline = performance.now() + WITHIN_MILLIS
  while (performance.now() < deadline) {
    if ((await fetch(`${base}/v1/verify/${answerId}/receipt`)).ok) return
    await setTimeout(POLL_MILLIS)
  }
  throw new Error("the record does not enter the log")
}

const says = async (page: Page, id: string, text: string): Promise<void> => {
  const place = page.locator(`#${id}`, { hasText: text })
  await place.waitFor({ timeout: WITHIN_MILLIS })
  expect(true, `the page says: ${(await place.innerText()).replaceAll(/[0-9a-f-]{36}|127[^ ]*/g, "…")}`)
}

const checkPage = async (page: Page, base: string, answer: string, folder: string): Promise<void> => {
  const { answerId } = (JSON.parse(answer) as { readonly provenance: { readonly answerId: string } }).provenance
  const asked: Array<string> = []
  const complaints: Array<string> = []
  page.on("request", (request) =>
    asked.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ""}`.trim())
  )
  page.on("console", (message) => complaints.push(message.text()))
  page.on("pageerror", (error) => complaints.push(error.message))

  await untilLogged(base, answerId)
  await page.goto(`${base}/v1/verify/${answerId}`)
  await says(page, "log", "in the signed log")
  const pasted = page.getByLabel("Paste the whole answer")
  await pasted.fill(answer)
  await says(page, "figures", GOOD)
  await pasted.fill(answer.replace('"totalOutOfPocket":', '"totalOutOfPocket":1'))
  await says(page, "figures", "This is not the recorded answer")
  await pasted.fill(JSON.stringify(JSON.parse(answer), null, 2))
  await says(page, "figures", GOOD)
  await pasted.fill(answer.replaceAll(answerId, "00000000-0000-4000-8000-000000000000"))
  await says(page, "figures", "This answer names another record")
  await pasted.fill("a letter about it")
  await says(page, "figures", "This is no answer of this service")

  const file = join(folder, "answer.json")
  writeFileSync(file, answer)
  await page.getByLabel("file").setInputFiles(file)
  await says(page, "figures", GOOD)

  const allowed = [`/v1/verify/${answerId}`, "/verify.js", `/v1/verify/${answerId}/receipt`, "/log/key", "/favicon.ico"]
  const others = asked.filter((one) => !allowed.some((path) => one === `GET ${path}`))
  expect(
    others.length === 0,
    `nothing to be sent or fetched but the page and its proof${others.map((one) => `, not ${one}`)}`
  )
  expect(complaints.length === 0, `no complaint of the browser${complaints.map((one) => `, not ${one}`)}`)
}

const LEADS_AWAY = /powered by|scalar|open api client|generate sdks|share|ask ai/i

/** The reference at another name than the one that the service calls its public address: a key is all that one has to fill in. */
const checkReference = async (page: Page, base: string): Promise<void> => {
  const elsewhere = base.replace("127.0.0.1", "localhost")
  const key = await mint(base)
  const strangers: Array<string> = []
  const complaints: Array<string> = []
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${elsewhere}/`))
      strangers.push(request.url())
  })
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()))
  page.on("pageerror", (error) => complaints.push(error.message))

  await page.goto(`${elsewhere}/docs`)
  await page.locator(".scalar-password-input").first().fill(key)
  await page.getByRole("button", { name: "Test Request (post /v1/projection)" }).click()
  const controls = async () => (await page.locator("a:visible, button:visible").allInnerTexts()).join("\n")
  const before = await controls()
  const [answer] = await Promise.all([
    page.waitForResponse(`${elsewhere}/v1/projection`, { timeout: WITHIN_MILLIS }),
    page.getByRole("button", { name: /^Send post/ }).click({ timeout: WITHIN_MILLIS })
  ])
  expect(answer.status() === 200, "a test request from /docs at another host name to be answered")
  expect(strangers.length === 0, `nothing to be asked of other hosts${strangers.map((one) => `, not ${one}`)}`)
  expect(complaints.length === 0, `no complaint of the browser${complaints.map((one) => `, not ${one}`)}`)
  const found = LEADS_AWAY.exec(`${before}\n${await controls()}`)?.[0]
  expect(found === undefined, `no button or link of the viewer's maker${found === undefined ? "" : `, not "${found}"`}`)
}

/** The small client in a page of another origin, as a site would have it. */
const checkClient = async (page: Page, base: string): Promise<void> => {
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"))
  await once(site.listen(0, "127.0.0.1"), "listening")
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`)
  site.close()
  await page.evaluate(await clientModule({ minify: true, format: "iife" }))
  const calls = `(async (baseUrl) => {
    const { apiKey } = await client.createClient({ baseUrl }).mintSandboxKey("browser@example.org")
    const mine = client.createClient({ baseUrl, apiKey })
    const answer = await mine.project(${JSON.stringify(projection)})
    const refused = await mine.project({}).catch((error) => client.isProblem(error) && error._tag)
    return [(await mine.check(answer)).matches, refused]
  })(${JSON.stringify(base)})`
  const said = JSON.stringify(await page.evaluate(calls))
  expect(
    said === '[true,"ValidationProblem"]',
    `the client to project, to check and to be refused in a browser: ${said}`
  )
}

const folder = mkdtempSync(join(tmpdir(), "page-"))
const service = await startService({})
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"]
})
try {
  await checkPage(await browser.newPage(), service.base, await recordedAnswer(service.base), folder)
  await checkReference(await browser.newPage(), service.base)
  await checkClient(await browser.newPage(), service.base)
} finally {
  await browser.close()
  await service.stop()
  rmSync(folder, { recursive: true })
}
