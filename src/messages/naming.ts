/** How messages name what was sent: with the paths and values of the API, or in the words of another surface. */

export interface Naming {
  /** A loan, by its position in the request. */
  readonly loan: (position: number) => string
  /** The day on which a loan was made. */
  readonly madeOn: (position: number) => string
  /** A plan that is spoken of. */
  readonly plan: (planType: string) => string
  /** "send", and one of the plans to send. */
  readonly sendPlan: (planTypes: ReadonlyArray<string>) => string
}

export const OF_THE_API: Naming = {
  loan: (position) => `loans[${position}]`,
  madeOn: (position) => `the madeOn of loans[${position}]`,
  plan: (planType) => planType,
  sendPlan: (planTypes) => `send ${planTypes.length === 1 ? "" : "one of "}${planTypes.join("; ")}`
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]

/** For example "your second loan", or "your loan 11". */
export const loanByPlace = (position: number): string => {
  const ordinal = ORDINALS[position]
  return ordinal === undefined ? `your loan ${position + 1}` : `your ${ordinal} loan`
}
