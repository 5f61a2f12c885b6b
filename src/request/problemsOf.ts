/**
 * Finds the problems of a value that does not decode one after the other, so that whoever reads them can stop: a
 * request of a thousand wrong loans costs no more than the problems that its refusal shows. Of a list that is too long
 * the items are not looked at. What a problem says is not decided here.
 */
import { Predicate, Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { STRICT_PARSE_OPTIONS } from "../../schema/primitives.ts"

type Path = ReadonlyArray<PropertyKey>

/** How the values of one type are judged. */
interface Problems {
  /** The problems of a value, each below the value's own path. */
  readonly find: (value: unknown, path?: Path) => Generator<SchemaIssue.Issue, void>
  /** Whether a list in the value is longer than it may be. */
  readonly isTooLong: (value: unknown) => boolean
}

const below = (path: Path, issue: SchemaIssue.Issue): SchemaIssue.Issue =>
  path.length === 0 ? issue : new SchemaIssue.Pointer(path, issue)

/** A value without lists: all of its problems at once. */
const ofLeaf = (ast: SchemaAST.AST): Problems => {
  const decode = Schema.decodeUnknownResult(Schema.make<Schema.Decoder<unknown>>(ast), STRICT_PARSE_OPTIONS)
  return {
    *find(value, path = []) {
      const decoded = decode(value)
      if (Result.isFailure(decoded)) yield below(path, decoded.failure.issue)
    },
    isTooLong: () => false
  }
}

/** The longest that the checks of a list allow. */
const maximumLength = ({ checks }: SchemaAST.Arrays): number => {
  const maxima = (checks ?? []).flatMap(({ annotations }) => {
    const bounds = Predicate.hasProperty(annotations, "representation") ? annotations.representation : undefined
    const payload = Predicate.hasProperty(bounds, "payload") ? bounds.payload : undefined
    return Predicate.hasProperty(payload, "maximum") ? [Number(payload.maximum)] : []
  })
  if (maxima.length === 0) throw new Error("A list in a request has no longest length")
  return Math.min(...maxima)
}

const ofList = (ast: SchemaAST.Arrays, itemType: SchemaAST.AST): Problems => {
  const anyItems = new SchemaAST.Arrays(ast.isMutable, [], [SchemaAST.unknown], ast.annotations, ast.checks)
  const length = ofLeaf(anyItems)
  const item = problemsOf(itemType)
  const maximum = maximumLength(ast)
  return {
    *find(value, path = []) {
      yield* length.find(value, path)
      if (!Array.isArray(value) || value.length > maximum) return
      for (const [index, element] of value.entries()) yield* item.find(element, [...path, index])
    },
    isTooLong: (value) => Array.isArray(value) && (value.length > maximum || value.some(item.isTooLong))
  }
}

const holdsList = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isArrays(ast) || (SchemaAST.isObjects(ast) && ast.propertySignatures.some(({ type }) => holdsList(type)))

/** Accepts anything; what is said of a missing value stays. */
const anything = ({ context }: SchemaAST.AST): SchemaAST.AST =>
  new SchemaAST.Unknown(undefined, undefined, undefined, context)

const ofObject = (ast: SchemaAST.Objects): Problems => {
  if (ast.checks !== undefined) throw new Error("A check of an object with lists would not be told")
  const apart = ast.propertySignatures.filter(({ type }) => holdsList(type))
  const members = ast.propertySignatures.map((member) =>
    apart.includes(member) ? new SchemaAST.PropertySignature(member.name, anything(member.type)) : member
  )
  const itself = ofLeaf(new SchemaAST.Objects(members, ast.indexSignatures, ast.annotations))
  const inner = apart.map(({ name, type }) => ({ name, problems: problemsOf(type) }))
  return {
    *find(value, path = []) {
      yield* itself.find(value, path)
      if (!Predicate.isReadonlyObject(value)) return
      for (const { name, problems } of inner) {
        if (Object.hasOwn(value, name)) yield* problems.find(value[name], [...path, name])
      }
    },
    isTooLong: (value) =>
      Predicate.isReadonlyObject(value) && inner.some(({ name, problems }) => problems.isTooLong(value[name]))
  }
}

export const problemsOf = (ast: SchemaAST.AST): Problems => {
  const [itemType] = SchemaAST.isArrays(ast) ? ast.rest : []
  if (SchemaAST.isArrays(ast) && itemType !== undefined) return ofList(ast, itemType)
  return SchemaAST.isObjects(ast) && holdsList(ast) ? ofObject(ast) : ofLeaf(ast)
}
