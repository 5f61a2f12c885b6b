/**
 * The generator of schema/generated/shapes.ts: the shapes of the contract's requests, for the
 * library, which loads no schemas. Suggestions for unknown names are left out, because they are
 * large.
 */
import { KeylessLoanRequest } from "../../schema/calculator.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { CoupleRequest } from "../../schema/couple.ts"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import { ExplainRequest } from "../../schema/explanation.ts"
import { PathsRequest } from "../../schema/paths.ts"
import { PlansRequest } from "../../schema/plans.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import type { LeafShape, Member, NameShape, Shape } from "../../schema/shape.ts"
import { shapeOf } from "../../src/request/shape.ts"
import { comment } from "./types.ts"

const REQUESTS = {
  ProjectionRequest,
  ComparisonRequest,
  CoupleRequest,
  PathsRequest,
  PlansRequest,
  ExplainRequest,
  EligibilityRequest,
  KeylessLoanRequest
}

/** Members of an object as source text, without the braces. */
const written = (members: object): string => JSON.stringify(members).slice(1, -1)

/** The canonical names, and a map of the other accepted names to the canonical ones. */
const namesText = ({ kind, names, message }: NameShape): string => {
  const canonical = [...new Set(names.values())]
  const keys = new Set(canonical.map((name) => name.trim().toUpperCase()))
  const others = [...names].filter(([key]) => !keys.has(key))
  const known = [canonical, ...(others.length === 0 ? [] : [Object.fromEntries(others)])]
  return `{ ${written({ kind, message })}, names: byKey(${known.map((one) => JSON.stringify(one)).join(", ")}) }`
}

const leafText = (shape: LeafShape): string => (shape.kind === "name" ? namesText(shape) : JSON.stringify(shape))

/**
 * Writes each distinct shape once, named after the first member that has it. A shape comes after
 * those that it refers to.
 */
const shapeWriter = () => {
  const names = new Map<string, string>()
  const declarations = new Map<string, string>()

  const declared = (text: string, wanted: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const name = declarations.has(wanted) ? `${wanted}${declarations.size}` : wanted
    names.set(text, name)
    declarations.set(name, `const ${name}: Shape = ${text}\n`)
    return name
  }

  const memberText = ([name, { shape, ...member }]: readonly [string, Member]): string =>
    `${name}: { shape: ${reference(shape, name)}, ${written(member)} }`

  const textOf = (shape: Shape, name: string): string => {
    if (shape.kind === "list") {
      const { item, ...list } = shape
      return `{ ${written(list)}, item: ${reference(item, `${name}Item`)} }`
    }
    if (shape.kind !== "object") return leafText(shape)
    const { members, ...object } = shape
    return `{ ${written(object)}, members: { ${Object.entries(members).map(memberText).join(", ")} } }`
  }

  const reference = (shape: Shape, name: string): string => declared(textOf(shape, name), name)

  return { declarations, textOf }
}

/** The text of the file, before it is formatted. */
export const shapesText = (writtenBy: string): string => {
  const { declarations, textOf } = shapeWriter()
  const requests = Object.entries(REQUESTS).map(
    ([name, { ast }]) => `export const ${name}: Shape = ${textOf(shapeOf(ast), name)}\n`
  )
  return [
    comment(`What the requests of the contract may hold, for the library. ${writtenBy}`),
    'import { byKey, type Shape } from "../shape.ts"\n\n',
    [...declarations.values(), ...requests].join("\n")
  ].join("")
}
