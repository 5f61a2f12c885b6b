/** Names of request fields in messages: paths and values of the API, or words of another surface. */
import { fieldPath } from "../request/fieldPath.ts"

export interface Naming {
  /** A loan, by its position in the request. */
  readonly loan: (position: number) => string
  /** The day on which a loan was made. */
  readonly madeOn: (position: number) => string
  /** Any other field, by its path. */
  readonly field: (path: ReadonlyArray<number | string>) => string
  /** The position of a loan that can be sent, if there are so many loans. */
  readonly position: (loans: number) => string
  /** The name of a plan. */
  readonly plan: (planType: string) => string
  /** "send", and one of the plans to send. */
  readonly sendPlan: (planTypes: ReadonlyArray<string>) => string
}

export const OF_THE_API: Naming = {
  loan: (position) => `loans[${position}]`,
  madeOn: (position) => `the madeOn of loans[${position}]`,
  field: fieldPath,
  position: (loans) => `a position in loans, 0 to ${loans - 1}`,
  plan: (planType) => planType,
  sendPlan: (planTypes) => `send ${planTypes.length === 1 ? "" : "one of "}${planTypes.join("; ")}`
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]

/** For example "your second loan", or "your loan 11". */
export const loanByPlace = (position: number): string => {
  const ordinal = ORDINALS[position]
  return ordinal === undefined ? `your loan ${position + 1}` : `your ${ordinal} loan`
}
