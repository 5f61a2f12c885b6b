/**
 * The table of loans read from a My Aid Data file, numbered as in the file. A missing value is `?`.
 */

import { dollars, percent } from "../../messages/figures.ts"
import type { MyAidData, ReadLoan } from "../../myAidData/result.ts"
import type { Screen } from "../output.ts"
import { type Column, numbers, tableLines } from "./table.ts"

const MISSING = "?"

const COLUMNS: ReadonlyArray<Column<ReadLoan>> = [
  numbers("Loan", ({ number }) => String(number)),
  { title: "Type", minWidth: 24, cell: ({ loan }) => loan.loanType ?? MISSING },
  numbers("Principal", ({ loan }) => (loan.principalBalance === undefined ? MISSING : dollars(loan.principalBalance))),
  numbers("Interest", ({ loan }) => dollars(loan.interestBalance ?? 0), 1),
  numbers("Rate", ({ loan }) => (loan.interestRate === undefined ? MISSING : percent(loan.interestRate))),
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
