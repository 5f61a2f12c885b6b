/**
 * The generator of schema/generated/shapes.ts: the shapes by which the library decodes requests.
 * Limits and names come from the OpenAPI document. The messages for missing and invalid values come
 * from the contract's own schemas.
 */
import { Effect, Result } from "effect"
import { CALCULATOR_LOAN_TYPES, KeylessLoanRequest } from "../../schema/calculator.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import calculateLoan from "../../schema/examples/calculateLoan.json" with { type: "json" }
import compareScenarios from "../../schema/examples/compareScenarios.json" with { type: "json" }
import explainPayment from "../../schema/examples/explainPayment.json" with { type: "json" }
import getEligiblePlans from "../../schema/examples/getEligiblePlans.json" with { type: "json" }
import runProjection from "../../schema/examples/runProjection.json" with { type: "json" }
import { ExplainRequest } from "../../schema/explanation.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { FILING_ALIASES } from "../../schema/scenario.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { decodeStrictly, type StrictSchema } from "../../src/request/decode.ts"
import { fieldPath } from "../../src/request/fieldPath.ts"
import { comment } from "./types.ts"

type Path = ReadonlyArray<string | number>

/** The part of JSON Schema that the contract uses. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly default?: null | boolean | number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
}

/** Each request schema with a valid request, in which one value at a time is replaced. */
const REQUESTS: Readonly<Record<string, { readonly schema: StrictSchema; readonly valid: unknown }>> = {
  ProjectionRequest: { schema: ProjectionRequest, valid: runProjection.request },
  ComparisonRequest: { schema: ComparisonRequest, valid: compareScenarios.request },
  ExplainRequest: { schema: ExplainRequest, valid: explainPayment.request },
  EligibilityRequest: { schema: EligibilityRequest, valid: getEligiblePlans.request },
  KeylessLoanRequest: { schema: KeylessLoanRequest, valid: calculateLoan.request }
}

const { schemas } = (
  openApiDocument("http://127.0.0.1") as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  }
).components

const ABSENT = Symbol("absent")

/** A copy with the value at a path replaced, or removed if ABSENT. */
const withValue = (of: unknown, [first, ...rest]: Path, value: unknown): unknown => {
  if (first === undefined) return value
  if (Array.isArray(of)) return of.map((item, index) => (index === first ? withValue(item, rest, value) : item))
  const { [first]: own, ...others } = of as Record<string, unknown>
  const inner = withValue(own, rest, value)
  return inner === ABSENT ? others : { ...others, [first]: inner }
}

/** Decodes variants of a request with the contract's schema. */
const judgeOf = ({ schema, valid }: (typeof REQUESTS)[string]) => {
  const decode = decodeStrictly(schema)
  const decoded = (path: Path, value: unknown) => Effect.runSync(Effect.result(decode(withValue(valid, path, value))))
  return {
    /** The error message for a value at a path; undefined if it is accepted. */
    says: (path: Path, value: unknown): string | undefined => {
      const result = decoded(path, value)
      return Result.isSuccess(result) ? undefined : result.failure[fieldPath(path)]?.[0]
    },
    /** The decoded value at a path; undefined if it is refused. */
    makes: (path: Path, value: unknown): unknown => {
      const result = decoded(path, value)
      if (Result.isFailure(result)) return undefined
      return path.reduce((of, key) => (of as Record<string | number, unknown>)[key], result.success)
    }
  }
}

type Judge = ReturnType<typeof judgeOf>

/** Aliases that fields may accept in addition to canonical names. */
const ALIASES = [...Object.keys(FILING_ALIASES), ...Object.keys(CALCULATOR_LOAN_TYPES)]

/** A value whose type is wrong for every field. */
const WRONG = [[]]

const isNull = ({ type }: JsonSchema): boolean => type === "null"

/** The members of an object literal, without its braces. */
const written = (members: object): string => JSON.stringify(members).slice(1, -1)

/** The canonical names, and the aliases that the schema decodes to one of them. */
const namesOf = (judge: Judge, path: Path, sent: ReadonlyArray<string>): string => {
  const made = [...new Set([...sent, ...ALIASES])].map((name) => [name, judge.makes(path, name)] as const)
  const names = made.flatMap(([name, one]) => (one === name ? [name] : []))
  const others = made.filter(([name, one]) => typeof one === "string" && one !== name)
  return `byKey(${JSON.stringify(names)}${others.length === 0 ? "" : `, ${JSON.stringify(Object.fromEntries(others))}`})`
}

const shapeWriter = () => {
  const declarations = new Map<string, string>()

  const list = (schema: JsonSchema, judge: Judge, path: Path): string => {
    const { items, maxItems: most, minItems: least } = schema
    const item = reference(items!, judge, [...path, 0])
    const says = { says: judge.says(path, {}), saysOfLength: judge.says(path, []) }
    return `{ kind: "list", item: ${item}, ${written({ least, most, ...says })} }`
  }

  const member = (owner: JsonSchema, name: string, judge: Judge, path: Path): string => {
    const schema = owner.properties![name]!
    const inner = schema.anyOf?.find((one) => !isNull(one)) ?? schema
    const isRequired = owner.required?.includes(name) === true
    const absent = isRequired ? { required: judge.says(path, ABSENT) } : { otherwise: schema.default }
    const isNullable = schema.anyOf?.some(isNull) === true
    return `${name}: { shape: ${reference(inner, judge, path)}, ${written({ isNullable, ...absent })} }`
  }

  const object = (schema: JsonSchema, judge: Judge, path: Path): string => {
    const members = Object.keys(schema.properties!).map((name) => member(schema, name, judge, [...path, name]))
    return `{ kind: "object", ${written({ says: judge.says(path, WRONG) })}, members: { ${members.join(", ")} } }`
  }

  const leaf = (schema: JsonSchema, judge: Judge, path: Path): string => {
    const { maximum: most, minimum: least, type } = schema
    const says = (wrong: unknown) => written({ says: judge.says(path, wrong) })
    if (type === "boolean") return `{ kind: "flag", ${says(WRONG)} }`
    if (schema.enum !== undefined) return `{ kind: "name", ${says("?")}, names: ${namesOf(judge, path, schema.enum)} }`
    if (type === "string") return `{ kind: "text", ${says(WRONG)}, ${written({ mostCharacters: schema.maxLength })} }`
    return `{ kind: "number", ${says(Number.NaN)}, ${written({ least, most, isWhole: type === "integer" })} }`
  }

  /** Equal leaf shapes are declared once, under the name of the first field. */
  const leaves = new Map<string, string>()
  const leafName = (text: string, field: string): string => {
    const known = leaves.get(text)
    if (known !== undefined) return known
    const name = declarations.has(field) ? `${field}${declarations.size}` : field
    leaves.set(text, name)
    declarations.set(name, `const ${name}: Shape = ${text}\n`)
    return name
  }

  const shape = (schema: JsonSchema, judge: Judge, path: Path): string => {
    if (schema.type === "array") return list(schema, judge, path)
    if (schema.type === "object") return object(schema, judge, path)
    return leafName(leaf(schema, judge, path), String(path.at(-1)))
  }

  const reference = (schema: JsonSchema, judge: Judge, path: Path): string => {
    const name = schema.$ref?.split("/").at(-1)
    if (name === undefined) return shape(schema, judge, path)
    declare(name, judge, path)
    return name
  }

  /** Declares a named schema after those that it refers to. */
  const declare = (name: string, judge: Judge, path: Path): void => {
    if (declarations.has(name)) return
    const text = `const ${name}: Shape = ${shape(schemas[name]!, judge, path)}\n`
    declarations.set(name, Object.hasOwn(REQUESTS, name) ? `export ${text}` : text)
  }

  return { declare, declarations }
}

/** The text of the file before formatting. */
export const shapesText = (writtenBy: string): string => {
  const { declarations, declare } = shapeWriter()
  for (const [name, request] of Object.entries(REQUESTS)) declare(name, judgeOf(request), [])
  return [
    comment(`What the requests of the contract may hold, for the library. ${writtenBy}`),
    'import { byKey, type Shape } from "../shape.ts"\n\n',
    [...declarations.values()].join("\n")
  ].join("")
}
