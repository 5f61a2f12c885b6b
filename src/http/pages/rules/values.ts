/**
 * Rule values as HTML: tables with captions and headers, numbers with units. Numbers and names also
 * appear as in the ledger in `data` elements, and dates in `time` elements. No entry is
 * special-cased by its id, so a new one needs no change here.
 */
import type { RulesResponse } from "../../../../schema/rules.ts"
import { escapeHtml } from "../../../messages/escapeHtml.ts"
import { longDate } from "../../../messages/figures.ts"
import { amountText, isName, memberName, nothingText } from "../../../messages/rules/members.ts"

type Value = RulesResponse["constants"][number]["value"]
type Members = Readonly<Record<string, Value>>

/** Longer tables are collapsed. */
const MAX_OPEN_ROWS = 14
/** Longer lists have one item per line. */
const MAX_INLINE_ITEMS = 3

const DATE = /^\d{4}-\d\d-\d\d$/
const ABSENT = "&ndash;"

export const dateHtml = (date: string): string => `<time datetime="${date}">${longDate(date)}</time>`

const textHtml = (text: string): string => {
  if (DATE.test(text)) return dateHtml(text)
  return isName(text) ? `<data value="${text}">${escapeHtml(memberName(text))}</data>` : escapeHtml(text)
}

const isMembers = (value: Value): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a value has no members of its own, and so fits into one cell. */
const isPlain = (value: Value): boolean =>
  Array.isArray(value) ? value.every((item) => !isMembers(item) && isPlain(item)) : !isMembers(value)

/** Renderer of the values of one entry, in its unit. */
class ValueRenderer {
  private readonly unit: string

  constructor(unit: string) {
    this.unit = unit
  }

  cell(value: Value | undefined, member: string): string {
    if (value === undefined) return ABSENT
    if (value === null) return nothingText(member)
    if (typeof value === "boolean") return value ? "yes" : "no"
    if (typeof value === "number")
      return `<data value="${value}">${escapeHtml(amountText(value, member, this.unit))}</data>`
    if (typeof value === "string") return textHtml(value)
    return this.list(value as ReadonlyArray<Value>, member)
  }

  private list(items: ReadonlyArray<Value>, member: string): string {
    if (items.length === 0) return "none"
    const cells = items.map((item) => this.cell(item, member))
    return cells.length > MAX_INLINE_ITEMS
      ? `<ul>${cells.map((one) => `<li>${one}</li>`).join("")}</ul>`
      : cells.join(", ")
  }

  /** A whole value, each table with a caption; `name` is empty for the entry's own value. */
  blocks(value: Value, name: string): string {
    if (isPlain(value)) return `<div>${this.cell(value, name)}</div>`
    if (Array.isArray(value)) return this.rows(value as ReadonlyArray<Members>, name)
    const members = Object.entries(value as Members)
    const deep = members.filter(([, inner]) => !isPlain(inner))
    if (deep.length === members.length && areAlike(deep)) return this.grid(deep, name)
    const plain = members.filter(([, inner]) => isPlain(inner))
    return [
      ...(plain.length === 0 ? [] : [this.properties(plain, name)]),
      ...groupsOf(deep).map((group) =>
        group.length > 1
          ? this.grid(group, within(name, group.map(([member]) => memberName(member)).join(", ")))
          : this.blocks(group[0]![1], within(name, memberName(group[0]![0])))
      )
    ].join("\n")
  }

  private properties(members: ReadonlyArray<readonly [string, Value]>, caption: string): string {
    const rows = members.map(([name, value]) => [nameHtml(name), this.cell(value, name)])
    return table(caption, [], rows)
  }

  private rows(items: ReadonlyArray<Members>, caption: string): string {
    const names = namesOf(items).toSorted((a, b) => placeOf(a) - placeOf(b))
    return table(
      caption,
      names.map(memberName),
      items.map((item) => names.map((name) => this.cell(item[name], name)))
    )
  }

  /** Members of one shape as rows of a table. Nested members get tables of their own. */
  private grid(members: ReadonlyArray<readonly [string, Value]>, caption: string): string {
    const rows = members as ReadonlyArray<readonly [string, Members]>
    const names = namesOf(rows.map(([, inner]) => inner))
    const flat = names.filter((name) => rows.every(([, inner]) => isPlain(inner[name] ?? null)))
    const deep = names.filter((name) => !flat.includes(name))
    const inside = deep.map((name) =>
      this.blocks(Object.fromEntries(rows.map(([outer, inner]) => [outer, inner[name] ?? null])), memberName(name))
    )
    const cells = rows.map(([outer, inner]) => [nameHtml(outer), ...flat.map((name) => this.cell(inner[name], name))])
    const flatTable = flat.length === 0 ? [] : [table(caption, ["", ...flat.map(memberName)], cells)]
    return [...inside, ...flatTable].join("\n")
  }
}

const within = (outer: string, inner: string): string => (outer === "" ? inner : `${outer}: ${inner}`)

const nameHtml = (member: string): string => escapeHtml(memberName(member))

const firstMember = (value: Value): string | undefined => (isMembers(value) ? Object.keys(value)[0] : undefined)

const namesOf = (items: ReadonlyArray<Members>): ReadonlyArray<string> => [
  ...new Set(items.flatMap((item) => Object.keys(item)))
]

/** Columns that come first, because a bracket table is read by the bounds of its rows. */
const BOUNDS = ["over", "notOver", "from", "below", "agi"]
const placeOf = (name: string): number => (BOUNDS.includes(name) ? BOUNDS.indexOf(name) : BOUNDS.length)

type Named = readonly [string, Value]

const areAlike = (members: ReadonlyArray<Named>): boolean =>
  members.every(([, inner]) => isMembers(inner) && firstMember(inner) === firstMember(members[0]![1]))

const isFlat = (value: Value): boolean => isMembers(value) && Object.values(value).every(isPlain)

/** Groups members that fit into one table: flat objects that begin with the same member. */
const groupsOf = (members: ReadonlyArray<Named>): ReadonlyArray<ReadonlyArray<Named>> => {
  const groups = new Map<string, Array<Named>>()
  for (const [name, value] of members) {
    const key = isFlat(value) ? `begins with ${firstMember(value)}` : name
    groups.set(key, [...(groups.get(key) ?? []), [name, value]])
  }
  return [...groups.values()]
}

const headRow = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? ""
    : `<thead><tr>${names.map((name) => (name === "" ? "<td></td>" : `<th scope="col">${escapeHtml(name)}</th>`)).join("")}</tr></thead>`

/** Wider tables scroll in a box of their own, which must be reachable by keyboard. */
const MAX_NARROW_COLUMNS = 4

/** The first cell of a row is its header. Cells are HTML already. */
const table = (name: string, head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const caption = escapeHtml(name === "" ? "Values" : name)
  const body = rows.map(
    ([first, ...cells]) => `<tr><th scope="row">${first}</th>${cells.map((one) => `<td>${one}</td>`).join("")}</tr>`
  )
  const box = head.length > MAX_NARROW_COLUMNS ? ` tabindex="0" role="group" aria-label="${caption}"` : ""
  const whole = `<div class="wide"${box}><table><caption>${caption}</caption>${headRow(head)}<tbody>${body.join("")}</tbody></table></div>`
  if (rows.length <= MAX_OPEN_ROWS) return whole
  return `<details><summary>${caption}: ${rows.length} rows</summary>${whole}</details>`
}

export const valueHtml = (value: Value, unit: string): string => new ValueRenderer(unit).blocks(value, "")
