/** The stored form of a borrower until the answer is recorded: request and computed rows. */
import type { ComparisonRequest, Loan, ProjectionRequest, Scenario } from "../../../client/plain/index.ts"
import type { Borrower } from "../../read/borrower.ts"
import type { Carried, ResultRow } from "../rows.ts"

export interface Unrecorded {
  readonly household: Omit<Scenario, "planType" | "label">
  readonly loans: ReadonlyArray<Loan>
  /** One row for each plan of the run. */
  readonly rows: ReadonlyArray<ResultRow>
  /** Columns of the input that the rows get too. */
  readonly carried?: Carried
}

export const unrecordedLine = (borrower: Borrower, rows: ReadonlyArray<ResultRow>, carried?: Carried): string => {
  const { borrowerId: _id, currentPlan: _now, loans, ...household } = borrower
  return `${JSON.stringify({ household, loans, rows, carried })}\n`
}

export const readUnrecorded = (line: string): Unrecorded => JSON.parse(line)

/** The rows with figures; a service can answer only these. */
export const answeredIn = ({ rows }: Unrecorded): ReadonlyArray<ResultRow> =>
  rows.filter(({ outcome }) => outcome === "answered")

export const hasFigures = (unrecorded: Unrecorded): boolean => answeredIn(unrecorded).length > 0

export const projectionsOf = (unrecorded: Unrecorded): ReadonlyArray<ProjectionRequest> => {
  const { household, loans } = unrecorded
  return answeredIn(unrecorded).map(({ planType }) => ({ scenario: { ...household, planType }, loans }))
}

export const comparisonOf = (unrecorded: Unrecorded): ComparisonRequest => ({ arms: projectionsOf(unrecorded) })
