/**
 * What to send instead of a property that a request does not have, or of an object that was sent as text: found by the
 * names that the schema has, and by those that people use for them. It accepts nothing and repeats nothing of what was
 * sent; refusals without advice stay as they are.
 */
import { Predicate, SchemaAST } from "effect"
import { PROPERTY_NAMES } from "../../schema/otherNames.ts"
import { meantBy } from "../../schema/suggestion.ts"
import { fieldPath } from "./fieldPath.ts"

/** The message of a property that is not known, to which advice may be added. */
export const REMOVE_IT = "is not a known property; remove it"

type Path = ReadonlyArray<PropertyKey>

/** An object of a request: where it stands, with 0 for each index, and which of its names another one may mean. */
interface Place {
  readonly path: Path
  readonly meant: (name: string) => ReadonlyArray<string>
}

/** Of the names that people use, those for properties of this object. */
export const meantAmong = (names: ReadonlyArray<string>, others = PROPERTY_NAMES): Place["meant"] => {
  const used = Object.entries(others).map(
    ([name, properties]) => [name, properties.filter((property) => names.includes(property))] as const
  )
  return meantBy(names, Object.fromEntries(used.filter(([, properties]) => properties.length > 0)))
}

/** Every object of a request, from the outside in. */
const placesOf = (ast: SchemaAST.AST, path: Path = []): ReadonlyArray<Place> => {
  if (SchemaAST.isArrays(ast)) return ast.rest.flatMap((item) => placesOf(item, [...path, 0]))
  if (!SchemaAST.isObjects(ast)) return []
  const names = ast.propertySignatures.map(({ name }) => String(name))
  const inner = ast.propertySignatures.flatMap(({ name, type }) => placesOf(type, [...path, name]))
  return [{ path, meant: meantAmong(names) }, ...inner]
}

const isSame = (one: PropertyKey, other: PropertyKey | undefined): boolean =>
  typeof one === "number" ? typeof other === "number" : one === other

const isAt = (path: Path, { path: other }: Place): boolean =>
  path.length === other.length && path.every((segment, index) => isSame(segment, other[index]))

/** The path of another place as it is from here: with the same indices, as far as both go the same way. */
const asFrom = (here: Path, { path }: Place): Path => {
  const shared = path.findIndex((segment, index) => !isSame(segment, here[index]))
  return path.map((segment, index) => (shared === -1 || index < shared ? (here[index] ?? segment) : segment))
}

/** The properties of a place, as they are named from another one. */
const named = (names: ReadonlyArray<string>, owner: Path, place: Place): string => {
  if (isAt(owner, place)) return names.join(" or ")
  const where = asFrom(owner, place)
  return where.length === 0
    ? `${names.join(" or ")} at the top`
    : names.map((name) => fieldPath([...where, name])).join(" or ")
}

/** Its own object comes first, then the others from the outside in. */
const ofUnknown = (places: ReadonlyArray<Place>, path: Path): string => {
  const owner = path.slice(0, -1)
  const own = places.filter((place) => isAt(owner, place))
  for (const place of [...own, ...places]) {
    const meant = place.meant(String(path.at(-1)))
    if (meant.length > 0) return `${REMOVE_IT}, or send it as ${named(meant, owner, place)}`
  }
  return REMOVE_IT
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((inner, key) => (Predicate.isObjectOrArray(inner) ? Reflect.get(inner, key) : undefined), value)

const schemaAt = (ast: SchemaAST.AST, path: Path): SchemaAST.AST | undefined => {
  let at: SchemaAST.AST | undefined = ast
  for (const key of path) {
    if (at === undefined) return undefined
    if (SchemaAST.isArrays(at)) at = at.rest[0]
    else at = SchemaAST.isObjects(at) ? at.propertySignatures.find(({ name }) => name === key)?.type : undefined
  }
  return at
}

/** An object or a list that was sent as the text of one, as some programs do with the arguments of a tool. */
const isInText = (ast: SchemaAST.AST, value: unknown, path: Path): boolean => {
  const text = valueAt(value, path)
  const wanted = typeof text === "string" ? schemaAt(ast, path) : undefined
  if (typeof text !== "string" || wanted === undefined) return false
  return (SchemaAST.isObjects(wanted) && /^\s*\{/.test(text)) || (SchemaAST.isArrays(wanted) && /^\s*\[/.test(text))
}

/** What a problem says of a value, once what to send is added. */
export type Advise = (path: Path, message: string) => string

/** The advice that a schema can give. */
export const adviceOf = (ast: SchemaAST.AST): ((value: unknown) => Advise) => {
  const places = placesOf(ast)
  return (value) => (path, message) => {
    if (message === REMOVE_IT) return ofUnknown(places, path)
    return isInText(ast, value, path) ? `${message}; it is text: send the JSON itself, not text that holds it` : message
  }
}
