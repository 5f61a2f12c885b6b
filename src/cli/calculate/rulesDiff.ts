/**
 * Differences between two published rules ledgers: entries added, removed and changed (with the
 * path of each changed value), and whether figures can move. It finds no reasons or amounts.
 */
import { hasBegun } from "../../../ledger/entry.ts"

type Kind = "constant" | "omission"

/**
 * The members of a ledger that are compared; entries are compared whole, so a ledger of any release
 * works. Ledgers older than engine revisions have none.
 */
interface SavedRules {
  readonly version: string
  readonly generatedAtUtc: string
  readonly engineRevision?: number
  readonly constants: ReadonlyArray<{
    readonly id: string
    readonly label: string
    readonly effectiveDate: string
    readonly value: unknown
  }>
  readonly knownOmissions: ReadonlyArray<{ readonly id: string; readonly label: string }>
}

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

export interface ChangedEntry extends EntryName {
  /** False when only its wording changed, which moves no figure. */
  readonly valueChanged: boolean
  readonly changes: ReadonlyArray<ValueChange>
}

/** Constants in force, each ledger taken at its release instant. */
interface ForceDifference {
  /** In force in the newer ledger and not in the older one. */
  readonly cameIntoForce: ReadonlyArray<EntryName>
  /** In force in the older ledger; `by` is the id of the constant in force now. */
  readonly superseded: ReadonlyArray<EntryName & { readonly by: string }>
}

export interface RulesDifference extends ForceDifference {
  readonly from: string
  readonly to: string
  /** False when, as far as the ledgers show, both give the same figures. */
  readonly figuresMayDiffer: boolean
  /** `before` is null where the older ledger has none. */
  readonly engineRevision: { readonly before: number | null; readonly after: number }
  readonly added: ReadonlyArray<EntryName>
  readonly removed: ReadonlyArray<EntryName>
  readonly changed: ReadonlyArray<ChangedEntry>
}

/** An object or an array, which are both compared member by member. */
const isComposite = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const step = (path: string, key: string, inArray: boolean): string => {
  if (inArray) return `${path}[${key}]`
  return path === "" ? key : `${path}.${key}`
}

/** Differing values below `path`; arrays are compared by index. */
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

type Constant = SavedRules["constants"][number]
type Entry = Constant | SavedRules["knownOmissions"][number]

const nameOf = (kind: Kind, { id, label }: Entry): EntryName => ({ kind, id, label })

const entriesOf = (rules: SavedRules): ReadonlyMap<string, { readonly name: EntryName; readonly entry: Entry }> => {
  const named = (kind: Kind, entries: ReadonlyArray<Entry>) =>
    entries.map((entry) => [`${kind} ${entry.id}`, { name: nameOf(kind, entry), entry }] as const)
  return new Map([...named("constant", rules.constants), ...named("omission", rules.knownOmissions)])
}

/** The id shared by the constants of a rule, which differ only in year, or in year and month. */
export const ruleIdOf = (id: string): string => id.replace(/-20\d{2}(-\d{2})?\b/, "")

/** The newest constant of each rule in force at the release instant, by the rule's id. */
const inForce = ({ constants, generatedAtUtc }: SavedRules): ReadonlyMap<string, Constant> => {
  const date = generatedAtUtc.slice(0, "YYYY-MM-DD".length)
  const begun = constants.filter((constant) => hasBegun(constant, date))
  const byDate = begun.toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
  return new Map(byDate.map((constant) => [ruleIdOf(constant.id), constant]))
}

type InForce = ReturnType<typeof inForce>

const forceDifferenceOf = (before: InForce, after: InForce): ForceDifference => ({
  cameIntoForce: [...after]
    .filter(([rule, { id }]) => before.get(rule)?.id !== id)
    .map(([, constant]) => nameOf("constant", constant)),
  superseded: [...before].flatMap(([rule, constant]) => {
    const by = after.get(rule)?.id ?? constant.id
    return by === constant.id ? [] : [{ ...nameOf("constant", constant), by }]
  })
})

const changedEntry = (name: EntryName, changes: ReadonlyArray<ValueChange>): ChangedEntry => ({
  ...name,
  valueChanged: name.kind === "constant" && changes.some(({ path }) => /^value\b/.test(path)),
  changes
})

/** Whether both ledgers have the same value in force for every rule. */
const sameValues = (before: InForce, after: InForce): boolean =>
  before.size === after.size &&
  [...before].every(([rule, { value }]) => {
    const constant = after.get(rule)
    return constant !== undefined && changesOf(value, constant.value).length === 0
  })

export const differenceOf = (
  older: SavedRules,
  newer: SavedRules & { readonly engineRevision: number }
): RulesDifference => {
  const before = entriesOf(older)
  const after = entriesOf(newer)
  const [lawBefore, lawAfter] = [inForce(older), inForce(newer)]
  return {
    from: older.version,
    to: newer.version,
    figuresMayDiffer: older.engineRevision !== newer.engineRevision || !sameValues(lawBefore, lawAfter),
    engineRevision: { before: older.engineRevision ?? null, after: newer.engineRevision },
    ...forceDifferenceOf(lawBefore, lawAfter),
    added: [...after].filter(([key]) => !before.has(key)).map(([, { name }]) => name),
    removed: [...before].filter(([key]) => !after.has(key)).map(([, { name }]) => name),
    changed: [...after].flatMap(([key, { entry, name }]) => {
      const earlier = before.get(key)
      const changes = earlier === undefined ? [] : changesOf(earlier.entry, entry)
      return changes.length === 0 ? [] : [changedEntry(name, changes)]
    })
  }
}
