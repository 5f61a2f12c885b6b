/** The script of the page of a record, as browsers load it, is the one of src/web and src/proof. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { pageScript } from "../../scripts/page.ts"

it("is bundled of the sources as they are", async () =>
  expect(readFileSync("src/web/verify.bundle.js", "utf8"), "run `npm run page`").toBe(await pageScript()))
