/** Damage to valid requests: up to three members or items, anywhere, are replaced, removed or added. */
import fc from "fast-check"
import type { Json } from "../support/edges.ts"

/** Every object and list in a value, starting with the value itself. */
const containersIn = (value: Json): ReadonlyArray<object> =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(containersIn)] : []

interface Change {
  readonly where: number
  readonly which: number
  readonly how: "replace" | "remove" | "add"
  readonly wrong: Json
}

/** Up to three changes. @param wrong values that take the place of others */
export const changesTo = (wrong: ReadonlyArray<Json>): fc.Arbitrary<ReadonlyArray<Change>> => {
  const how = fc.constantFrom<Array<Change["how"]>>("replace", "replace", "remove", "add")
  const change = fc.record({ where: fc.nat(), which: fc.nat(), how, wrong: fc.constantFrom(...wrong) })
  return fc.array(change, { maxLength: 3 })
}

/** A copy in which members or items, anywhere, are replaced, removed or added. */
export const changed = (request: Json, all: ReadonlyArray<Change>): Json => {
  const copy = structuredClone(request)
  for (const { how, where, which, wrong } of all) {
    const containers = containersIn(copy)
    const container = containers[where % Math.max(1, containers.length)] as Record<string, Json> | undefined
    if (container === undefined) continue
    const names = Object.keys(container)
    const name = how === "add" || names.length === 0 ? "income" : names[which % names.length]!
    if (how === "remove" && !Array.isArray(container)) delete container[name]
    else if (!Array.isArray(container) || how === "replace") container[name] = structuredClone(wrong)
  }
  return copy
}
