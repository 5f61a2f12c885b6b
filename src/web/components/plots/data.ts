/** The figures behind a plot, as a table and as a file. */
import { h } from "preact"
import { useState } from "preact/hooks"
import { dollars, month as monthName } from "../../../messages/figures.ts"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { texts } from "../../texts.ts"
import { quiet } from "../elements.ts"
import { dateOf, nameOf } from "../lines.ts"
import type { Actions } from "../state.ts"

const { plots: plotWords } = texts

/** Values by month or year, for a table and a file. */
interface Data {
  readonly id: string
  readonly unit: string
  readonly firstName: number
  /** The name of a row of the table, counted from 0. */
  readonly nameOf: (row: number, firstMonth: string) => string
  readonly valuesOf: (line: Line) => ReadonlyArray<number>
}

export const DATA: Readonly<Record<"pay" | "owe", Data>> = {
  pay: {
    id: "payment-by-month",
    unit: plotWords.month,
    firstName: 1,
    nameOf: (row, firstMonth) => monthName(dateOf(firstMonth, row)),
    valuesOf: ({ months }) => months
  },
  owe: {
    id: "balance-by-year",
    unit: plotWords.year,
    firstName: 0,
    nameOf: String,
    valuesOf: ({ figures }) =>
      figures.yearly!.map(({ interestBalance, principalBalance }) => principalBalance + interestBalance)
  }
}

/** For each year or month, the values of all lines. */
const rowsOf = (lines: ReadonlyArray<Line>, { valuesOf }: Data): ReadonlyArray<ReadonlyArray<number | undefined>> => {
  const values = lines.map(valuesOf)
  return Array.from({ length: Math.max(...values.map((one) => one.length)) }, (_, row) => values.map((one) => one[row]))
}

/** RFC 4180. Names of plans hold commas and no quotation marks. */
const csvOf = (lines: ReadonlyArray<Line>, data: Data): string =>
  [
    [data.unit, ...lines.map((line) => `"${nameOf(line)}"`)].join(","),
    ...rowsOf(lines, data).map((row, at) =>
      [at + data.firstName, ...row.map((value) => value?.toFixed(2) ?? "")].join(",")
    )
  ].join("\r\n")

interface DataProps {
  readonly answer: BookAnswer
  readonly data: Data
}

const DataTable = ({ answer: { firstMonth, lines }, data }: DataProps) =>
  h(
    "div",
    { class: "wide", role: "region", "aria-label": plotWords.table, tabIndex: 0 },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, data.unit),
          lines.map((line) => h("th", { key: line.key, scope: "col" }, nameOf(line)))
        )
      ),
      h(
        "tbody",
        null,
        rowsOf(lines, data).map((row, at) =>
          h(
            "tr",
            { key: at },
            h("th", { scope: "row" }, data.nameOf(at, firstMonth)),
            row.map((value, index) => h("td", { key: index }, value === undefined ? "" : dollars(value)))
          )
        )
      )
    )
  )

/** The table is made when it is opened, because it has up to 600 rows and changes with each key. */
export const DataOf = ({ actions, answer, data }: DataProps & { readonly actions: Actions }) => {
  const [isOpen, setOpen] = useState(false)
  return h(
    "details",
    {
      class: "data",
      onToggle: ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)
    },
    h(
      "summary",
      { class: "fold small" },
      h("span", null, plotWords.table),
      h("i", { class: "go", "aria-hidden": "true" })
    ),
    isOpen && h(DataTable, { answer, data }),
    quiet(plotWords.csv, () => actions.save(`${data.id}.csv`, csvOf(answer.lines, data)))
  )
}
