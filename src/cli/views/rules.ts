/** The rules ledger as text, and its differences from an older one. */
import type { RulesResponse } from "../../../schema/rules.ts"
import type { ChangedEntry, EntryName, RulesDifference, ValueChange } from "../calculate/rulesDiff.ts"
import type { Screen } from "../output.ts"
import { type Column, tableLines } from "./table.ts"
import { counted, cut, harmless, wrap } from "./text.ts"

type Constant = RulesResponse["constants"][number]
type Omission = RulesResponse["knownOmissions"][number]

const CONSTANTS: ReadonlyArray<Column<Constant>> = [
  { title: "Constant", cell: ({ id }) => id },
  { title: "Plan", cell: ({ plan }) => plan, dropPriority: 2 },
  { title: "Evidence", cell: ({ source }) => source.evidence, dropPriority: 1 },
  { title: "In force", cell: ({ effectiveDate }) => effectiveDate, dropPriority: 3 },
  { title: "Last checked", cell: ({ lastVerified }) => lastVerified, dropPriority: 4 }
]

const OMISSIONS: ReadonlyArray<Column<Omission>> = [
  { title: "Not applied", cell: ({ id }) => id },
  { title: "Evidence", cell: ({ source }) => source.evidence, dropPriority: 1 },
  { title: "In force", cell: ({ effectiveDate }) => effectiveDate, dropPriority: 2 },
  { title: "Until", cell: ({ expiresDate }) => expiresDate, dropPriority: 3 }
]

export const rulesView =
  (rules: RulesResponse) =>
  (screen: Screen): string => {
    const { constants, generatedAtUtc, knownOmissions, version } = rules
    const counts = `${counted(constants.length, "constant")}, ${counted(knownOmissions.length, "rule")} knowingly not applied`
    return [
      screen.style.bold(`Rules ${version}, released ${generatedAtUtc}: ${counts}`),
      "",
      ...tableLines(CONSTANTS, constants, screen),
      "",
      ...tableLines(OMISSIONS, knownOmissions, screen),
      "",
      ...wrap("--json prints values, definitions and sources.", screen.columns).map(screen.style.dim)
    ].join("\n")
  }

/** A value on one line, truncated to the width. */
const shown = (change: ValueChange, side: "before" | "after", columns: number): string =>
  side in change ? cut(harmless(JSON.stringify(change[side]) ?? ""), columns) : "(absent)"

const entryLines = (mark: string, entries: ReadonlyArray<EntryName>): ReadonlyArray<string> =>
  entries.map(({ id, kind, label }) => `${mark} ${kind} ${harmless(id)}: ${harmless(label)}`)

const VALUE_INDENT = "      "

const changeLines = (change: ValueChange, { columns }: Screen): ReadonlyArray<string> => {
  const room = columns - VALUE_INDENT.length - "- ".length
  return [
    `    ${harmless(change.path)}`,
    `${VALUE_INDENT}- ${shown(change, "before", room)}`,
    `${VALUE_INDENT}+ ${shown(change, "after", room)}`
  ]
}

const changedLines = (entries: ReadonlyArray<ChangedEntry>, screen: Screen): ReadonlyArray<string> =>
  entries.flatMap((entry) => [
    ...entryLines("~", [entry]),
    ...entry.changes.flatMap((change) => changeLines(change, screen))
  ])

/** Whether figures may differ, and why, apart from changed entries. */
const figureLines = (difference: RulesDifference): ReadonlyArray<string> => {
  const { cameIntoForce, engineRevision, figuresMayDiffer, superseded } = difference
  const { after, before } = engineRevision
  return [
    figuresMayDiffer
      ? "Figures may differ."
      : `Figures are the same: engine revision ${after}, the same values in force.`,
    ...(before === after ? [] : [`  engine revision: ${before ?? "unknown"} before, ${after} now`]),
    ...entryLines("  in force now:", cameIntoForce),
    ...superseded.flatMap((entry) => entryLines("  superseded:", [entry]).map((line) => `${line}, by ${entry.by}`))
  ]
}

export const rulesDifferenceView =
  (difference: RulesDifference) =>
  (screen: Screen): string => {
    const { added, cameIntoForce, changed, engineRevision, from, removed, to } = difference
    const isSameEngine = engineRevision.before === engineRevision.after
    if (isSameEngine && added.length + changed.length + removed.length + cameIntoForce.length === 0)
      return `Nothing changed: ${harmless(from)} and ${to} contain the same rules.`
    const reworded = changed.filter(({ valueChanged }) => !valueChanged)
    return [
      screen.style.bold(
        `From ${harmless(from)} to ${to}: ${changed.length} changed, ${added.length} added, ${removed.length} removed`
      ),
      ...figureLines(difference),
      ...changedLines(
        changed.filter(({ valueChanged }) => valueChanged),
        screen
      ),
      ...entryLines("+", added),
      ...entryLines("-", removed),
      ...(reworded.length === 0 ? [] : ["Only reworded:", ...changedLines(reworded, screen)])
    ].join("\n")
  }
