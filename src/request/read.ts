/**
 * Reads a value by its shape. `readerOf` returns the value in the engine's form. `problemsIn` yields
 * the faults of a value one by one, so that a caller can stop. Neither keeps the value that was sent.
 */
import {
  dateMessage,
  dateProblems,
  type LeafShape,
  type ListShape,
  type Member,
  nameOf,
  nameProblem,
  numberMessage,
  numberProblems,
  type ObjectShape,
  type Shape,
  textProblems
} from "../../schema/shape.ts"

export type Path = ReadonlyArray<string | number>
/** Stands for a value that does not fit the shape. */
const NOTHING = undefined

/** Returns the value with canonical names and defaults; undefined if the value does not fit the shape. */
export type Reader = (value: unknown) => unknown

const leafReader = (shape: LeafShape): Reader => {
  switch (shape.kind) {
    case "number":
      return (value) => (typeof value === "number" && numberProblems(shape, value).length === 0 ? value : NOTHING)
    case "flag":
      return (value) => (typeof value === "boolean" ? value : NOTHING)
    case "date":
      return (value) => (typeof value === "string" && dateProblems(shape, value).length === 0 ? value : NOTHING)
    case "text":
      return (value) => (typeof value === "string" && textProblems(shape, value).length === 0 ? value : NOTHING)
    case "name":
      return (value) => (typeof value === "string" ? nameOf(shape, value) : NOTHING)
  }
}

const listReader = ({ item, min, max }: ListShape): Reader => {
  const readItem = readerOf(item)
  return (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return NOTHING
    const read: Array<unknown> = []
    for (const one of value) {
      const known = readItem(one)
      if (known === NOTHING) return NOTHING
      read.push(known)
    }
    return read
  }
}

const memberReader = ({ isNullable = false, byDefault, shape }: Member): Reader => {
  const read = readerOf(shape)
  return (value) => (value === undefined ? byDefault : value === null && isNullable ? null : read(value))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The path of a number that JSON cannot hold, such as 1e999 as JSON.parse reads it. */
const infiniteIn = (value: unknown, path: Path): Path | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = infiniteIn(inner, [...path, Array.isArray(value) ? Number(key) : key])
    if (found !== undefined) return found
  }
  return undefined
}

const objectReader = ({ isOpen = false, members }: ObjectShape): Reader => {
  const readers = Object.entries(members).map(([name, member]) => ({ name, read: memberReader(member) }))
  return (sent) => {
    if (!isObject(sent)) return NOTHING
    const known: Record<string, unknown> = isOpen ? { ...sent } : {}
    let unknown = Object.keys(sent).length
    for (const { name, read } of readers) {
      const isSent = Object.hasOwn(sent, name)
      if (isSent) unknown--
      const one = read(isSent ? sent[name] : undefined)
      if (one === NOTHING) return NOTHING
      known[name] = one
    }
    if (isOpen) return infiniteIn(known, []) === undefined ? known : NOTHING
    return unknown === 0 ? known : NOTHING
  }
}

/** Makes the reader of a shape. Make it once per shape, because that is slow. */
export const readerOf = (shape: Shape): Reader => {
  if (shape.kind === "list") return listReader(shape)
  if (shape.kind === "object") return objectReader(shape)
  return leafReader(shape)
}

/** The path of a problem, and what to send. */
export type Problem = readonly [path: Path, message: string]

/** The message for an unknown property, to which advice may be added. */
export const REMOVE_IT = "is not a known property; remove it"

const leafProblems = (shape: LeafShape, value: unknown, ofType = messageOf(shape)): ReadonlyArray<string> => {
  switch (shape.kind) {
    case "number":
      return typeof value === "number" ? numberProblems(shape, value) : [ofType]
    case "flag":
      return typeof value === "boolean" ? [] : [ofType]
    case "date":
      return typeof value === "string" ? dateProblems(shape, value) : [ofType]
    case "text":
      return typeof value === "string" ? textProblems(shape, value) : [ofType]
    case "name":
      if (typeof value !== "string") return [ofType]
      return nameOf(shape, value) === undefined ? [nameProblem(shape, value)] : []
  }
}

const messageOf = (shape: LeafShape): string => {
  if (shape.kind === "number") return numberMessage(shape)
  return shape.kind === "date" ? dateMessage(shape) : shape.message
}

const WORDS = {
  number: "a number",
  flag: "true or false",
  date: "a date such as 2019-08-26",
  text: "text",
  name: "text"
} as const

/** The message for a value that is neither null nor of the type. */
const nullableMessage = ({ nullMessage, shape }: Member): string =>
  nullMessage ??
  (shape.kind === "list" || shape.kind === "object" ? shape.message : `must be ${WORDS[shape.kind]} or null`)

const holdsList = ({ shape }: Member): boolean =>
  shape.kind === "list" || (shape.kind === "object" && Object.values(shape.members).some(holdsList))

function* memberProblems(member: Member, value: unknown, path: Path): Generator<Problem> {
  const { isNullable = false, required, shape } = member
  if (value === undefined) {
    if (required !== undefined) yield [path, required]
  } else if (!isNullable) yield* problemsIn(shape, value, path)
  else if (value !== null) yield* problemsIn(shape, value, path, nullableMessage(member))
}

const valueOf = (sent: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(sent, name) ? sent[name] : undefined

/** Unknown members come first, then the members in the order of the shape, those with lists last. */
function* objectProblems(
  { isOpen, members, message, notTaken = {} }: ObjectShape,
  sent: unknown,
  path: Path
): Generator<Problem> {
  if (!isObject(sent)) return yield [path, message]
  for (const name of Object.keys(sent)) {
    if (Object.hasOwn(members, name)) continue
    if (!isOpen) yield [[...path, name], Object.hasOwn(notTaken, name) ? notTaken[name]! : REMOVE_IT]
    else {
      const infinite = infiniteIn(sent[name], [...path, name])
      if (infinite !== undefined) yield [infinite, "is not of the right type"]
    }
  }
  const withLists: Array<string> = []
  for (const [name, member] of Object.entries(members)) {
    const value = valueOf(sent, name)
    if (value !== undefined && holdsList(member)) withLists.push(name)
    else yield* memberProblems(member, value, [...path, name])
  }
  for (const name of withLists) yield* memberProblems(members[name]!, sent[name], [...path, name])
}

/** Does not check the items of a list that is too long. */
function* listProblems(
  { item, min, max, message, lengthMessage }: ListShape,
  list: unknown,
  path: Path
): Generator<Problem> {
  if (!Array.isArray(list)) return yield [path, message]
  if (list.length < min || list.length > max) yield [path, lengthMessage]
  if (list.length > max) return
  for (const [index, element] of list.entries()) yield* problemsIn(item, element, [...path, index])
}

/** @param ofType message for a value of the wrong type, in place of the shape's own */
export function* problemsIn(shape: Shape, value: unknown, path: Path = [], ofType?: string): Generator<Problem> {
  if (shape.kind === "object") yield* objectProblems(shape, value, path)
  else if (shape.kind === "list") yield* listProblems(shape, value, path)
  else for (const message of leafProblems(shape, value, ofType)) yield [path, message]
}
