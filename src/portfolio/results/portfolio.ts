/** The types of a run: its question, the outcomes of a borrower and the result of a chunk. */
import { ruleVersion } from "../../../ledger/release.ts"
import type { PlanType } from "../../../schema/scenario.ts"
import { dateOfMonth, type Projection, type Refusal, type StartMonth } from "../../engine/index.ts"
import type { OfRun, RowsFormat } from "./rows.ts"
import type { Summary } from "./summary.ts"

/** The question computed for every borrower. */
export interface Question {
  readonly plans: ReadonlyArray<PlanType>
  /** Plan to compare with for borrowers without a current plan. */
  readonly baseline: PlanType
  readonly start: StartMonth
}

const MONTH = "YYYY-MM".length

export const monthText = (month: StartMonth): string => dateOfMonth(month, 0).slice(0, MONTH)

export const ofRun = ({ start }: Question): OfRun => ({ ruleVersion, repaymentStart: monthText(start) })

export interface Portfolio extends Question {
  readonly format: RowsFormat
  readonly ignore: ReadonlyArray<string>
  /** Columns of the input that the results have too, after all others. */
  readonly carry: ReadonlyArray<string>
  /** URL of the service that records the answers after computing; null for none. */
  readonly recordAt: string | null
}

/** The refusal of one plan. A borrower with contradictions is rejected under every plan instead. */
export interface PlanRefusal extends Refusal {
  readonly kind: Exclude<Refusal["kind"], "contradiction">
}

export type PlanOutcome = PlanRefusal | Projection

/** The outcomes of one borrower, in the order of the run's plans. */
export interface Outcomes {
  readonly ofPlans: ReadonlyArray<PlanOutcome>
  /**
   * Index of the plan with the lowest cost among those that can still be elected; -1 if none of
   * them has figures.
   */
  readonly lowest: number
  /**
   * The projection of the borrower's current plan, or of the baseline if there is none; undefined
   * if that plan has no figures.
   */
  readonly now: Projection | undefined
}

export interface ChunkResult {
  /**
   * Result rows in UTF-8. If they are to be recorded, a JSON line per borrower instead (see
   * record/unrecorded.ts).
   */
  readonly rows: Uint8Array<ArrayBuffer>
  /** Rejected rows, a JSON line each: `file`, `row`, `problems` by field, and `text` as read. */
  readonly rejected: string
  readonly summary: Summary
  /** The key (hash) of each borrower's id, to find duplicates. */
  readonly ids: BigUint64Array<ArrayBuffer>
}
