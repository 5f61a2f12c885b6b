/** The parts of an explanation: sentences, rows that add up to the figure, and their steps and rules. */
import type { EnginePlan } from "../../../engine/index.ts"
import type { explanationAnswer } from "../../../messages/explanation.ts"

/** The figures of a line that can be explained. `interest` is paid beyond today's debt. */
export type Figure = "first" | "highest" | "paid" | "interest" | "forgiven" | "tax" | "cost" | "worth" | "ends"

/** One or more sentences. Sentences about loans on another plan name that plan. */
export interface Said {
  readonly planType?: EnginePlan
  readonly text: string
}

/**
 * A row of the sum: a part that is added or taken off, a sum of those above it, a fact that is not
 * added, or a heading. The last row is the figure.
 */
export interface Row {
  readonly role: "part" | "less" | "sum" | "fact" | "heading"
  readonly name: string
  /** Dollars; for the end the index of the last month, null if there is none. */
  readonly value: number | null
  readonly shown: string
  /** The formula of the value, shown on request. */
  readonly formula?: string
  readonly rows?: ReadonlyArray<Row>
  /** Ids of the rules behind it. */
  readonly rules: ReadonlyArray<string>
}

export interface Explanation {
  /** The month of a payment; for other figures, the month in which the plan ends. */
  readonly date: string
  /** The first sentence comes before the rows. */
  readonly said: ReadonlyArray<Said>
  readonly rows: ReadonlyArray<Row>
  /** Reasons why the figure is uncertain. */
  readonly notes: ReadonlyArray<string>
  /** The steps of a month's payment; undefined for all other figures. */
  readonly steps: ReturnType<typeof explanationAnswer> | undefined
  /** Labels of the rules that the rows name. */
  readonly labels: Readonly<Record<string, string>>
}

/** The parts of an explanation that depend on the figure. Given members replace the common ones. */
export type Made = Pick<Explanation, "rows" | "said"> & Partial<Omit<Explanation, "labels">>
