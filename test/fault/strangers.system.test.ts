/**
 * System test of the time to refuse a guessed key: a known prefix makes no difference. It measures
 * times.
 */
import { describe, expect, it } from "vitest"
import { checksumOf, newSecret } from "../../src/services/accounts/apiKey.ts"
import { useService } from "../support/runningService.ts"
import { milliseconds, report, times } from "./scale.ts"

describe("a guessed key with a known prefix", () => {
  const service = useService()
  const ROUNDS = times(120)
  /** Guesses of one kind in a row, before those of the other kind. */
  const IN_A_ROW = 5

  const median = (values: ReadonlyArray<number>) =>
    values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)]!

  it("is refused in the same time as other guesses [F44]", { timeout: milliseconds(30_000) }, async () => {
    const known = (await service().mint()).slice(0, 14)
    const guesses = {
      random: () => newSecret("Sandbox"),
      known: () => {
        const unsummed = known + newSecret("Sandbox").slice(14, -6)
        return unsummed + checksumOf(unsummed)
      }
    }
    const micros = { random: [] as Array<number>, known: [] as Array<number> }
    const guess = async (kind: keyof typeof guesses) => {
      const key = guesses[kind]()
      const begun = performance.now()
      const response = await service().call("GET", "/v1/me", { key })
      await response.arrayBuffer()
      expect(response.status).toBe(401)
      return (performance.now() - begun) * 1000
    }
    for (let round = 0; round < ROUNDS; round++) {
      const kind = round % 2 === 0 ? "known" : "random"
      for (let call = 0; call < IN_A_ROW; call++) micros[kind].push(await guess(kind))
    }
    const half = (values: ReadonlyArray<number>, which: 0 | 1) =>
      median(values.filter((_, index) => index % 2 === which))
    const noise = Math.max(...Object.values(micros).map((all) => Math.abs(half(all, 0) - half(all, 1))))
    const [random, knownPrefix] = [median(micros.random), median(micros.known)]
    report(
      `${ROUNDS * IN_A_ROW} guesses: median ${Math.round(random)} us at random, ${Math.round(knownPrefix)} us behind a known ` +
        `prefix; two halves of one kind differ by ${Math.round(noise)} us`
    )
    // A character-by-character lookup would differ by far more than the noise of a shared machine.
    expect(Math.abs(random - knownPrefix)).toBeLessThan(Math.max(random / 2, 3 * noise))
  })
})
