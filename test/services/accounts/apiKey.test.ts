/** The format of an API key. */
import { assert, describe, it } from "@effect/vitest"
import { newSecret, prefixOf, tierOf } from "../../../src/services/accounts/apiKey.ts"

describe("the format of a key [F43]", () => {
  it("reveals any single wrong character", () => {
    const secret = newSecret("Production")
    assert.strictEqual(tierOf(secret), "Production")
    assert.strictEqual(prefixOf(secret), secret.slice(0, 15))
    for (let index = 0; index < secret.length; index++) {
      const mistake = secret.slice(0, index) + (secret[index] === "x" ? "y" : "x") + secret.slice(index + 1)
      assert.isUndefined(tierOf(mistake), mistake)
    }
  })
})
