/** The bounded map: which entry it evicts, and that it leaks no memory. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RecentMap } from "../../../src/services/scheduling/RecentMap.ts"

describe("a bounded map [F37]", () => {
  it("contains the entries set last, like an ordered list", () => {
    const operation = fc.tuple(fc.constantFrom("set", "set", "set", "delete"), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const map = new RecentMap<number>(5)
        let list: Array<string> = []
        for (const [index, [what, number]] of operations.entries()) {
          const key = `k${number}`
          list = list.filter((kept) => kept !== key)
          if (what === "set") list.push(key)
          if (what === "set") map.set(key, index)
          else map.delete(key)
          list = list.slice(-5)
          expect(map.size).toBe(list.length)
        }
        for (let number = 0; number <= 12; number++)
          expect(map.get(`k${number}`) !== undefined).toBe(list.includes(`k${number}`))
      })
    )
  })

  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }

  it("leaks no memory if entries are set repeatedly while it is far from full", () => {
    const map = new RecentMap<object>(1_000_000)
    for (let call = 0; call < 1000; call++) map.set(`k${call % 100}`, { call })
    const before = used()
    for (let call = 0; call < 400_000; call++) map.set(`k${call % 100}`, { call })
    expect(used() - before).toBeLessThan(4_000_000)
    expect(map.size).toBe(100)
  })

  it("leaks no memory if few entries are set two million times", () => {
    const map = new RecentMap<number>(10_000)
    for (let call = 0; call < 1000; call++) map.set(`k${call % 100}`, call)
    const before = used()
    for (let call = 0; call < 2_000_000; call++) map.set(`k${call % 100}`, call)
    expect(used() - before).toBeLessThan(20_000_000)
    expect(map.size).toBe(100)
  })

  it("leaks no memory if the same entries are set repeatedly while it is full", () => {
    const map = new RecentMap<number>(1000)
    for (let call = 0; call < 2000; call++) map.set(`k${call}`, call)
    const before = used()
    for (let call = 0; call < 400_000; call++) map.set(`k${1000 + (call % 1000)}`, call)
    expect(used() - before).toBeLessThan(4_000_000)
    expect(map.size).toBe(1000)
  })
})
