/**
 * The shape of a request, derived from its schema. Basic types carry their own shape. Lists
 * contribute bounds, objects their members, and all their messages.
 */
import { Predicate, SchemaAST } from "effect"
import { BY_DEFAULT, IS_ADDITION, LEFT_OUT_BELOW, NOT_TAKEN, SHAPE } from "../../schema/primitives.ts"
import type { ListShape, Member, ObjectShape, Shape } from "../../schema/shape.ts"

const messageOf = ({ annotations }: SchemaAST.AST, byDefault: string): string =>
  String(annotations?.["message"] ?? byDefault)

/** The encoded form of a type, such as text for a canonical name. */
const sentOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  const link = ast.encoding?.at(-1)
  return link === undefined ? ast : sentOf(link.to)
}

/** The lengths that a check allows, and its message. */
const lengthsOf = ({ checks }: SchemaAST.Arrays) => {
  for (const { annotations } of checks ?? []) {
    const bounds = Predicate.hasProperty(annotations, "representation") ? annotations.representation : undefined
    const payload = Predicate.hasProperty(bounds, "payload") ? bounds.payload : undefined
    if (Predicate.hasProperty(payload, "maximum") && Predicate.hasProperty(payload, "minimum"))
      return {
        min: Number(payload.minimum),
        max: Number(payload.maximum),
        lengthMessage: String(annotations?.message)
      }
  }
  throw new Error("A list of a request has no bounds")
}

const listOf = (ast: SchemaAST.Arrays): ListShape => {
  const [item] = ast.rest
  if (item === undefined) throw new Error("A list of a request says nothing of its items")
  return { kind: "list", message: messageOf(ast, "must be a JSON array"), ...lengthsOf(ast), item: shapeOf(item) }
}

/** Null or a basic type. */
const nullableOf = (ast: SchemaAST.Union): Member => {
  const inner = ast.types.find((type) => !SchemaAST.isNull(sentOf(type)))!
  const message = ast.annotations?.["message"]
  const nullMessage = typeof message === "string" ? { nullMessage: message } : {}
  return { shape: shapeOf(inner), isNullable: true, ...nullMessage }
}

const isNullable = (ast: SchemaAST.AST): ast is SchemaAST.Union =>
  SchemaAST.isUnion(ast) && ast.types.some((type) => SchemaAST.isNull(sentOf(type)))

const memberOf = (type: SchemaAST.AST): Member => {
  const {
    messageMissingKey: required,
    [BY_DEFAULT]: byDefault,
    [IS_ADDITION]: isAddition,
    [LEFT_OUT_BELOW]: leftOutBelow
  } = type.context?.annotations ?? {}
  const sent = isNullable(type) ? nullableOf(type) : { shape: shapeOf(type) }
  if (typeof required === "string") return { ...sent, required }
  const optional = { ...sent, byDefault: byDefault as Exclude<Member["byDefault"], undefined> }
  if (isAddition !== true) return optional
  return typeof leftOutBelow === "number" ? { ...optional, isAddition, leftOutBelow } : { ...optional, isAddition }
}

const objectOf = (ast: SchemaAST.Objects): ObjectShape => ({
  kind: "object",
  message: messageOf(ast, "must be a JSON object"),
  members: Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [String(name), memberOf(type)])),
  ...(ast.annotations?.[NOT_TAKEN] === undefined
    ? {}
    : { notTaken: ast.annotations[NOT_TAKEN] as Readonly<Record<string, string>> }),
  ...(ast.indexSignatures.length > 0 ? { isOpen: true } : {})
})

/** @throws Error for a kind of schema that requests do not use */
export const shapeOf = (ast: SchemaAST.AST): Shape => {
  const sent = sentOf(ast)
  const own = sent.annotations?.[SHAPE] ?? ast.annotations?.[SHAPE]
  if (own !== undefined) return own as Shape
  if (SchemaAST.isArrays(ast)) return listOf(ast)
  if (SchemaAST.isObjects(ast)) return objectOf(ast)
  throw new Error(`A request has a type without a shape: ${ast._tag}`)
}
