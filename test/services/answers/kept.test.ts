/** What is kept of answers stays small, however many different ones are asked for. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { memoizeList, unionOf } from "../../../src/services/answers/provenance.ts"
import { until } from "../../support/until.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const heapBytes = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

it("unions hold every id once, in order, and equal ones are one list", () => {
  const [a, b] = [Object.freeze(["x", "y"]), Object.freeze(["y", "z"])]
  expect(unionOf([a, b, a])).toEqual(["x", "y", "z"])
  expect(unionOf([a, b])).toBe(unionOf([a, b, b]))
  expect(unionOf([a, a])).toBe(a)
})

it("50,000 different unions of lists that live on keep less than 4 MB", () => {
  const lists = Array.from({ length: 300 }, (_, list) =>
    Object.freeze(Array.from({ length: 20 }, (_, item) => `rule-${list}-${item}`))
  )
  const before = heapBytes()
  for (let union = 0; union < 50_000; union++)
    unionOf([lists[union % 300]!, lists[(union * 7 + 1) % 299]!, lists[Math.floor(union / 300)]!])
  expect(heapBytes() - before).toBeLessThan(4 * 1024 * 1024)
})

it("what is made of 5,000 lists that live on keeps less than 16 MB", async () => {
  const lists = Array.from({ length: 5_000 }, (_, list) => Object.freeze([`rule-${list}`]))
  const made = memoizeList(([id]) => Buffer.alloc(20_000, id))
  const before = process.memoryUsage().arrayBuffers
  for (const list of lists) expect(made(list)).toBe(made(list))
  // The memory of buffers is given back beside the collection.
  await until(() => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024
  })
  expect(lists).toHaveLength(5_000)
})
