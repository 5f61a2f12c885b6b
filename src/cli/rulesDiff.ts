/**
 * The differences between two published rules ledgers: entries added, removed and changed, each change with the path of
 * the value inside the entry. Knows nothing of the reasons.
 */
type Kind = "constant" | "omission"

export interface EntryName {
  readonly kind: Kind
  readonly id: string
  readonly label: string
}

/** `before` or `after` is absent where the value was added or removed. */
export interface ValueChange {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface RulesDifference {
  readonly from: string
  readonly to: string
  readonly added: ReadonlyArray<EntryName>
  readonly removed: ReadonlyArray<EntryName>
  readonly changed: ReadonlyArray<EntryName & { readonly changes: ReadonlyArray<ValueChange> }>
}

/** An object or an array: both are compared member by member. */
const isComposite = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const step = (path: string, key: string, inArray: boolean): string => {
  if (inArray) return `${path}[${key}]`
  return path === "" ? key : `${path}.${key}`
}

/** Values that differ below `path`; arrays are compared index by index. */
const changesOf = (before: unknown, after: unknown, path = ""): ReadonlyArray<ValueChange> => {
  if (Object.is(before, after)) return []
  if (!isComposite(before) || !isComposite(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before, after }]
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key): ReadonlyArray<ValueChange> => {
    const place = step(path, key, Array.isArray(before))
    if (!Object.hasOwn(before, key)) return [{ path: place, after: after[key] }]
    if (!Object.hasOwn(after, key)) return [{ path: place, before: before[key] }]
    return changesOf(before[key], after[key], place)
  })
}

interface Entry {
  readonly id: string
  readonly label: string
}

/** What of a ledger is compared. Of an entry every member is, so that the ledger of another release may be given. */
interface Ledger {
  readonly version: string
  readonly constants: ReadonlyArray<Entry>
  readonly knownOmissions: ReadonlyArray<Entry>
}

const entriesOf = (rules: Ledger): ReadonlyMap<string, { readonly name: EntryName; readonly entry: Entry }> => {
  const named = (kind: Kind, entries: ReadonlyArray<Entry>) =>
    entries.map(
      (entry) => [`${kind} ${entry.id}`, { name: { kind, id: entry.id, label: entry.label }, entry }] as const
    )
  return new Map([...named("constant", rules.constants), ...named("omission", rules.knownOmissions)])
}

export const differenceOf = (older: Ledger, newer: Ledger): RulesDifference => {
  const before = entriesOf(older)
  const after = entriesOf(newer)
  return {
    from: older.version,
    to: newer.version,
    added: [...after].filter(([key]) => !before.has(key)).map(([, { name }]) => name),
    removed: [...before].filter(([key]) => !after.has(key)).map(([, { name }]) => name),
    changed: [...after].flatMap(([key, { entry, name }]) => {
      const earlier = before.get(key)
      const changes = earlier === undefined ? [] : changesOf(earlier.entry, entry)
      return changes.length === 0 ? [] : [{ ...name, changes }]
    })
  }
}
