/** Names of request fields in messages: paths for a file, flags for flags. */
import { loanByPlace, type Naming, OF_THE_API } from "../../messages/naming.ts"
import { fieldPath } from "../../request/fieldPath.ts"
import { flagAt } from "./requestFlags.ts"
import { PLAN, shortPlanName } from "./scenarioFlags.ts"

export const OF_FILES: Naming = {
  ...OF_THE_API,
  loan: loanByPlace,
  madeOn: (position) => `the madeOn of ${loanByPlace(position)}`
}

/** Flags describe one loan, or several in order. */
export const ofFlags = (loans: number): Naming => ({
  loan: (position) => (loans === 1 ? "your loan" : loanByPlace(position)),
  madeOn: (position) => (loans === 1 ? "--made" : `the --made of ${loanByPlace(position)}`),
  field: (path) => `--${flagAt(fieldPath(path))}`,
  position: (loans) => (loans === 1 ? "@1, because there is one loan" : `a loan's number, @1 to @${loans}`),
  plan: shortPlanName,
  sendPlan: (planTypes) =>
    `send ${planTypes.map((planType) => `--${PLAN.flag} ${shortPlanName(planType)}`).join(" or ")}`
})
