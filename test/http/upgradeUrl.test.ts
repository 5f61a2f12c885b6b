/** The payment link of one sandbox key. */
import { assert, describe, it } from "@effect/vitest"
import { upgradeUrl } from "../../src/http/upgradeUrl.ts"

describe("the payment link", () => {
  it("contains the address and the key, and keeps its own parameters", () => {
    const url = new URL(upgradeUrl("https://buy.example.test/x?locale=en", "a+b&c@example.org", "key-1"))
    assert.deepStrictEqual(
      [...url.searchParams],
      [
        ["locale", "en"],
        ["prefilled_email", "a+b&c@example.org"],
        ["client_reference_id", "key-1"]
      ]
    )
  })
})
