/**
 * The generator of docs/generated/differences-explained.md: every published example next to the
 * engine's figure, to the cent, with the cause of each gap. All figures come from the case data and
 * a run of the engine.
 */
import { agrees, type Case, DISPOSITIONS, dispositionOf, published } from "../../test/cases/case.ts"
import { measure } from "../../test/cases/measure.ts"

export const DIFFERENCES_FILE = "docs/generated/differences-explained.md"

interface Row {
  readonly of: string
  readonly id: string
  readonly title: string
  readonly figure: string
  readonly printed: number
  readonly ours: number | undefined
  readonly cause: string
}

const NAMES: Readonly<Record<string, string>> = {
  firstPayment: "first payment",
  lastPayment: "last payment",
  payments: "payments",
  totalOutOfPocket: "paid in all",
  amountForgiven: "forgiven",
  interestAccrued: "interest",
  interestWaived: "interest waived",
  principalMatched: "principal match",
  spouseFirstPayment: "spouse's payment",
  coupleMonthlyPayment: "couple's payment",
  "yearly.1.paymentsThisYear": "paid in year 1"
}

const nameOf = (figure: string): string => {
  const name = NAMES[figure]
  if (name === undefined) throw new Error(`no name for ${figure}`)
  return name
}

const causeOf = (one: Case, figure: string, printed: number, ours: number | undefined): string => {
  if (one.notRunBecause !== undefined) return one.notRunBecause
  const written = one.cause?.[figure]
  if (written !== undefined) return written
  if (ours === undefined || !agrees(printed, ours)) throw new Error(`no cause for ${figure} of ${one.id}`)
  return printed === ours ? "" : "printed in whole dollars"
}

const rowsOf = (one: Case): ReadonlyArray<Row> => {
  const figures = one.notRunBecause === undefined ? measure(one) : undefined
  return Object.entries(one.published ?? {}).map(([figure, printed]) => {
    const value = figure in one.expect ? figures?.(figure) : undefined
    const ours = typeof value === "number" ? value : undefined
    const cause = causeOf(one, figure, printed, ours)
    return { of: one.of, id: one.id, title: one.title, figure: nameOf(figure), printed, ours, cause }
  })
}

const money = (value: number, isCount: boolean): string =>
  value.toLocaleString("en-US", isCount ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const asPrinted = (value: number): string =>
  value.toLocaleString("en-US", Number.isInteger(value) ? {} : { minimumFractionDigits: 2 })

const gapOf = ({ figure, ours, printed }: Row): string => {
  if (ours === undefined) return ""
  const gap = Math.round((ours - printed) * 100) / 100
  return gap === 0 ? "0" : `${gap > 0 ? "+" : "-"}${money(Math.abs(gap), figure === "payments")}`
}

const line = (row: Row): string => {
  const ours = row.ours === undefined ? "not computed" : money(row.ours, row.figure === "payments")
  return `| ${row.id} | ${row.title} | ${row.figure} | ${asPrinted(row.printed)} | ${ours} | ${gapOf(row)} | ${row.cause} |`
}

const HEAD = "| Case | What | Figure | Printed | Ours | Gap | Cause |\n|---|---|---|--:|--:|--:|---|"
const table = (rows: ReadonlyArray<Row>): string => [HEAD, ...rows.map(line)].join("\n")

const isGap = (row: Row): boolean => row.ours !== undefined && !agrees(row.printed, row.ours)

/** One section for each source, in the order of the data. */
const sections = (rows: ReadonlyArray<Row>): string => {
  const bySource = new Map<string, Array<Row>>()
  for (const row of rows) {
    const one = published.cases.find(({ id }) => id === row.id)!
    const heading = `### [${one.source.citation}](${one.source.url})\n\nSource: ${one.source.tier}.`
    bySource.set(heading, [...(bySource.get(heading) ?? []), row])
  }
  return [...bySource].map(([heading, found]) => `${heading}\n\n${table(found)}`).join("\n\n")
}

const equivalents = (): string => {
  const byText = new Map<string, Array<string>>()
  for (const { equivalent, id } of published.cases) {
    if (equivalent !== undefined) byText.set(equivalent, [...(byText.get(equivalent) ?? []), id])
  }
  return [...byText].map(([text, ids]) => `- ${ids.join(", ")}: ${text}.`).join("\n")
}

const counts = (): string =>
  DISPOSITIONS.map((disposition) => {
    const found = published.ids.filter((id) => dispositionOf(published, id) === disposition)
    return `| ${disposition} | ${found.length} |`
  }).join("\n")

export const renderDifferences = (): string => {
  const rows = published.cases.flatMap(rowsOf)
  const notComputed = rows.filter((row) => row.ours === undefined)
  const gaps = rows.filter(isGap)
  const equal = rows.length - gaps.length - notComputed.length
  return `# Differences explained

Published examples next to the engine's figures, with the cause of each gap. Of ${rows.length} printed
figures:

- ${equal} are reproduced as far as they are printed;
- ${gaps.length} differ, each for a named cause;
- ${notComputed.length} cannot be computed here, each for a named reason.

A gap is the engine's figure less the printed one. A figure printed in whole dollars counts as equal
within 50 cents. \`npm run x -- generate differences\` makes this page from
\`test/cases/published.json\` and a run of the engine, and a test fails if it is out of date.

| What became of an example | Examples |
|---|--:|
${counts()}

"Difference" includes examples of which only some figures can be computed. "Other constants" are
those of 2025.

## Where the figures differ

${table(gaps)}

## Every printed figure

${sections(rows)}

## How inputs were completed

Sources leave out inputs, use constants that the ledger does not contain, or show one month only.
These requests were made of them.

${equivalents()}
`
}

export const differencesFiles = () => ({ [DIFFERENCES_FILE]: renderDifferences() })
