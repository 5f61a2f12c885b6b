/** The bundles that browsers load: made from the current sources, and small. */
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import {
  bundleFile,
  CHAT_FILE,
  chatHtml,
  PAGE_SCRIPTS,
  type PageScript,
  pageScript
} from "../../scripts/generate/bundles.ts"
import { STYLES } from "../../src/web/frame.ts"

const MAX_GZIPPED_BYTES = 175_000

const scripts = Object.keys(PAGE_SCRIPTS) as ReadonlyArray<PageScript>

it.each(scripts)("%s is bundled from the current sources", async (name) =>
  expect(
    readFileSync(bundleFile(name), "utf8") === (await pageScript(name)),
    "run `npm run x -- generate bundles`"
  ).toBe(true)
)

it("the start page is under 175 KB in total", () => {
  const files = [bundleFile("page"), bundleFile("worker"), ...STYLES.map((name) => `src/web/${name}`)]
  const bytes = files.map((file) => gzipSync(readFileSync(file)).byteLength)
  expect(bytes.reduce((all, one) => all + one)).toBeLessThan(MAX_GZIPPED_BYTES)
})

it("the view in a chat program is made from the current sources, and is under 300 KB", async () => {
  const html = readFileSync(CHAT_FILE, "utf8")
  expect(html === (await chatHtml()), "run `npm run x -- generate bundles`").toBe(true)
  expect(Buffer.byteLength(html)).toBeLessThan(300_000)
})
