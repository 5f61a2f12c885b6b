/**
 * The check of studentaid.gov files on the start page. What was read is shown before it is used.
 * Damaged and unrelated files get a clear message. Nothing is sent, and the page keeps no name,
 * number or address from the file.
 */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Page } from "playwright-core"
import { PROJECT } from "../harness.ts"
import { but, expect, WITHIN_MILLIS, watch } from "./support.ts"

const samples = globSync(join(PROJECT, "test/myAidData/samples/*.txt")).sort()

/** Personal values of the file, which the page must not keep. */
const PERSONAL = /^(?:Student|Loan Award ID|Loan Attending School|Loan Contact|Grant|Enrolled)[^:]*:\s*(\S.{4,})$/gm

const personalIn = (text: string): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(PERSONAL)].map(([, value]) => value!.trim()))].filter(
    (value) => !/^[\d$.,/ -]*$/.test(value)
  )

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator("#my-aid-data").setInputFiles({ name, mimeType: "text/plain", buffer })

const messageOf = async (page: Page): Promise<string> => {
  const place = page.locator(".reading")
  await place.waitFor({ timeout: WITHIN_MILLIS })
  return place.innerText()
}

/** Everything that the page keeps: its DOM, its storage and its address. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      `${document.documentElement.outerHTML} ${JSON.stringify({ ...sessionStorage, ...localStorage })} ${location.href}`
  )

const tryFile = async (page: Page, file: string): Promise<void> => {
  const bytes = readFileSync(file)
  const clear = page.getByRole("button", { name: "Clear everything" })
  if ((await clear.count()) > 0) await clear.click()
  const before = await kept(page)
  await choose(page, "MyStudentData.txt", bytes)
  const words = await messageOf(page)
  expect(
    (await page.getByLabel("Principal owed").first().inputValue()) === "",
    `${basename(file)}: nothing to be used before it was shown`
  )
  await page.getByRole("button", { name: "Use these loans" }).click()
  await page.getByText("filled in, from your file").waitFor({ timeout: WITHIN_MILLIS })
  await page.getByRole("button", { name: "Hide this" }).click()
  const expected = (
    JSON.parse(readFileSync(file.replace(/txt$/, "json"), "utf8")) as ReadonlyArray<{ principalBalance?: number }>
  ).map(({ principalBalance }) => String(principalBalance ?? ""))
  const balances = await page
    .locator('input[name$=".balance"]')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
  expect(
    JSON.stringify(balances) === JSON.stringify(expected),
    `${basename(file)}: its ${expected.length} loans to be filled in (${words.split("\n", 1)[0]})`
  )
  const all = await kept(page)
  const personal = personalIn(bytes.toString("latin1"))
  // A word of the page, such as GRADUATED, may stand in a file too.
  const shown = personal.filter((value) => all.includes(value) && !before.includes(value))
  expect(
    personal.length > 2 && shown.length === 0,
    `${basename(file)}: none of ${personal.length} personal values to be kept${but(shown)}`
  )
}

export const checkFiles = async (page: Page, base: string): Promise<void> => {
  const { asked, complaints } = watch(page)
  await page.goto(`${base}/`)
  await page.locator('.answer[aria-busy="false"]').waitFor({ timeout: WITHIN_MILLIS })
  const before = asked.length
  for (const file of samples) await tryFile(page, file)
  const whole = readFileSync(samples[0]!)
  const others: Readonly<Record<string, Buffer>> = {
    "empty.txt": Buffer.alloc(0),
    "page.html": Buffer.from("<!doctype html><title>studentaid.gov</title>"),
    "statement.pdf": Buffer.from("%PDF-1.7 \u0000\u0001"),
    "noise.bin": Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 131) % 256)),
    "beginning.txt": whole.subarray(0, 120)
  }
  for (const [name, bytes] of Object.entries(others)) {
    await choose(page, name, bytes)
    const words = await messageOf(page)
    expect(/^This file .+\./.test(words), `a clear word on ${name}: ${words.split("\n", 1)[0]}`)
    await page.getByRole("button", { name: "Leave it" }).click()
  }
  await choose(page, "cut.txt", whole.subarray(0, Math.floor(whole.length * 0.8)))
  const words = await messageOf(page)
  expect(/cut|missing|add up|This file/.test(words), "a file that was cut to be told from a whole one")
  expect(asked.length === before, `nothing to be sent${but(asked.slice(before))}`)
  expect(complaints.length === 0, `no complaint of the browser${but(complaints)}`)
}
