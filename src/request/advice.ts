/**
 * Advice on an unknown property, a null, or an object that was sent as text. It is found by the
 * names of the shape, and by common other names for them. It accepts nothing and repeats nothing
 * that was sent. A problem without advice stays unchanged.
 */
import { PROPERTY_NAMES } from "../../schema/otherNames.ts"
import type { Shape } from "../../schema/shape.ts"
import { meantBy } from "../../schema/suggestion.ts"
import { fieldPath } from "./fieldPath.ts"
import { type Path, type Problem, REMOVE_IT } from "./read.ts"

/** An object of a request: its path, with 0 for each index, and the names that a wrong name may mean. */
interface Place {
  readonly path: Path
  readonly meant: (name: string) => ReadonlyArray<string>
}

/** Finds the properties of an object that a wrong name may mean. */
export const meantAmong = (names: ReadonlyArray<string>, others = PROPERTY_NAMES): Place["meant"] => {
  const used = Object.entries(others).map(
    ([name, properties]) => [name, properties.filter((property) => names.includes(property))] as const
  )
  return meantBy(names, Object.fromEntries(used.filter(([, properties]) => properties.length > 0)))
}

/** Every object of a request, from the outside in. */
const placesOf = (shape: Shape, path: Path = []): ReadonlyArray<Place> => {
  if (shape.kind === "list") return placesOf(shape.item, [...path, 0])
  if (shape.kind !== "object") return []
  const inner = Object.entries(shape.members).flatMap(([name, member]) => placesOf(member.shape, [...path, name]))
  return [{ path, meant: meantAmong(Object.keys(shape.members)) }, ...inner]
}

const isSame = (one: string | number, other: string | number | undefined): boolean =>
  typeof one === "number" ? typeof other === "number" : one === other

const isAt = (path: Path, { path: other }: Place): boolean =>
  path.length === other.length && path.every((segment, index) => isSame(segment, other[index]))

/** The path of another object, with the indices of this path as far as both are the same. */
const asFrom = (here: Path, { path }: Place): Path => {
  const shared = path.findIndex((segment, index) => !isSame(segment, here[index]))
  return path.map((segment, index) => (shared === -1 || index < shared ? (here[index] ?? segment) : segment))
}

/** Names properties of an object, with its path if it is not the owner. */
const named = (names: ReadonlyArray<string>, owner: Path, place: Place): string => {
  if (isAt(owner, place)) return names.join(" or ")
  const where = asFrom(owner, place)
  return where.length === 0
    ? `${names.join(" or ")} at the top`
    : names.map((name) => fieldPath([...where, name])).join(" or ")
}

/** Searches the property's own object first, then the others from the outside in. */
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
  path.reduce(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value
  )

const shapeAt = (shape: Shape, path: Path): Shape | undefined => {
  let at: Shape | undefined = shape
  for (const key of path) {
    if (at?.kind === "list") at = at.item
    else at = at?.kind === "object" && Object.hasOwn(at.members, key) ? at.members[key]!.shape : undefined
  }
  return at
}

/** Whether an object or a list was sent as JSON text. Some programs do that with tool arguments. */
const isInText = (shape: Shape, value: unknown, path: Path): boolean => {
  const text = valueAt(value, path)
  if (typeof text !== "string") return false
  const wanted = shapeAt(shape, path)?.kind
  return (wanted === "object" && /^\s*\{/.test(text)) || (wanted === "list" && /^\s*\[/.test(text))
}

/** Whether null was sent for an optional property. */
const isNullForNothing = (shape: Shape, value: unknown, path: Path): boolean => {
  const owner = shapeAt(shape, path.slice(0, -1))
  const member = owner?.kind === "object" ? owner.members[String(path.at(-1))] : undefined
  return member !== undefined && member.required === undefined && valueAt(value, path) === null
}

/** Adds advice to a problem, if the shape has any. */
export const adviceOf = (shape: Shape): ((value: unknown) => (problem: Problem) => string) => {
  const places = placesOf(shape)
  return (value) =>
    ([path, message]) => {
      if (message === REMOVE_IT) return ofUnknown(places, path)
      if (isNullForNothing(shape, value, path)) return `${message}, or leave it out`
      return isInText(shape, value, path)
        ? `${message}; it is text: send the JSON itself, not text that holds it`
        : message
    }
}
