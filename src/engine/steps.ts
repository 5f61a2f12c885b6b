/** Work in steps of a few milliseconds at most, between which others may compute. */
export type Steps<A> = Generator<void, A>

/** Does all steps at once. */
export const allSteps = <A>(steps: Steps<A>): A => {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}
