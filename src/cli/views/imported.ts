/**
 * The table of loans read from a My Aid Data file, numbered as in the file. A missing value is `?`.
 */

import { dollars, percent } from "../../messages/figures.ts"
import type { MyAidData, ReadLoan } from "../../myAidData/result.ts"
import type { Screen } from "../output.ts"
import { type Column, tableLines } from "./table.ts"

const MISSING = "?"

const COLUMNS: ReadonlyArray<Column<ReadLoan>> = [
  { title: "Loan", align: "right", cell: ({ number }) => String(number) },
  { title: "Type", minWidth: 24, cell: ({ loan }) => loan.loanType ?? MISSING },
  {
    title: "Principal",
    align: "right",
    cell: ({ loan }) => (loan.principalBalance === undefined ? MISSING : dollars(loan.principalBalance))
  },
  { title: "Interest", align: "right", dropPriority: 1, cell: ({ loan }) => dollars(loan.interestBalance ?? 0) },
  {
    title: "Rate",
    align: "right",
    cell: ({ loan }) => (loan.interestRate === undefined ? MISSING : percent(loan.interestRate))
  },
  { title: "Made", dropPriority: 2, cell: ({ loan }) => loan.madeOn ?? MISSING }
]

export const importedView =
  ({ loans }: MyAidData) =>
  (screen: Screen): string =>
    [
      ...tableLines(COLUMNS, loans, screen),
      "",
      screen.style.dim("With --json, or into a file or a pipe: the request.")
    ].join("\n")
