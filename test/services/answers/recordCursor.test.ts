/** Cursors of record pages: each leads back to its row, and reveals no number of rows. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openCursor, sealCursor } from "../../../src/services/answers/recordCursor.ts"

const cursors = {
  seal: (tenant: string, rowId: number) => sealCursor("a pepper", tenant, rowId),
  open: (tenant: string, cursor: bigint) => openCursor("a pepper", tenant, cursor)
}

describe("a cursor", () => {
  it("leads back to its row, for every possible row", () => {
    const rowId = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 2 ** 52 - 1 }), fc.constantFrom(0, 1, 2 ** 52 - 1))
    fc.assert(
      fc.property(rowId, fc.string(), (row, tenant) => {
        const cursor = cursors.seal(tenant, row)
        expect(Number.isSafeInteger(cursor) && cursor >= 1 && cursor <= 2 ** 52).toBe(true)
        expect(cursors.open(tenant, BigInt(cursor))).toBe(BigInt(row))
      }),
      { numRuns: 1000 }
    )
  })

  it("does not grow with the rows, and differs between accounts", () => {
    const rows = Array.from({ length: 200 }, (_, index) => index + 1)
    const sealed = rows.map((row) => cursors.seal("t_a", row))
    const rises = sealed.filter((cursor, index) => index > 0 && cursor > sealed[index - 1]!).length
    expect(rises).toBeGreaterThan(60)
    expect(rises).toBeLessThan(140)
    expect(new Set([...sealed, ...rows.map((row) => cursors.seal("t_b", row))]).size).toBe(400)
  })

  it("is read as a position above all rows if it is invalid", () => {
    for (const cursor of [2n ** 63n - 1n, 2n ** 52n + 1n, 0n, -1n]) expect(cursors.open("t_a", cursor)).toBe(2n ** 52n)
  })
})
