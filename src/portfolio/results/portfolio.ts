/** What a run computes for every borrower, and what a chunk of borrowers comes to. */
import { ruleVersion } from "../../../ledger/release.ts"
import type { PlanType } from "../../../schema/scenario.ts"
import type { Refusal } from "../../engine/answer/refusals.ts"
import type { Projection } from "../../engine/projection.ts"
import { dateOfMonth, type StartMonth } from "../../engine/schedule/calendar.ts"
import type { OfRun, RowsFormat } from "./rows.ts"
import type { Summary } from "./summary.ts"

/** What is asked of every borrower. */
export interface Question {
  readonly plans: ReadonlyArray<PlanType>
  /** What borrowers without a current plan are compared with. */
  readonly baseline: PlanType
  readonly start: StartMonth
}

const MONTH = "YYYY-MM".length

export const monthText = (month: StartMonth): string => dateOfMonth(month, 0).slice(0, MONTH)

export const ofRun = ({ start }: Question): OfRun => ({ ruleVersion, repaymentStart: monthText(start) })

/** What every chunk of a run has in common. */
export interface Portfolio extends Question {
  readonly format: RowsFormat
  /** Members and columns that are left out of account. */
  readonly ignore: ReadonlyArray<string>
  /** Address of the service by which the answers are recorded when all are computed; null where they are not. */
  readonly recordAt: string | null
}

export type PlanOutcome = Projection | Refusal

/** A borrower's outcomes, in the order of the plans that were asked for. */
export interface Outcomes {
  readonly ofPlans: ReadonlyArray<PlanOutcome>
  /** Index of the lowest cost among plans that can still be elected; -1 where none has figures. */
  readonly lowest: number
  /** What the borrower has now, else the baseline: none where it has no figures. */
  readonly now: Projection | undefined
}

export interface ChunkResult {
  /** UTF-8, as the results have them; where they are to be recorded, a line of JSON for each borrower. */
  readonly rows: Uint8Array<ArrayBuffer>
  /** Rows that have no answer, a line of JSON each: `file`, `row`, `problems` by field, and `text` as it was read. */
  readonly rejected: string
  readonly summary: Summary
  /** A key of each borrower's id, to find the ids that occur twice. */
  readonly ids: BigUint64Array<ArrayBuffer>
}
