/** How the command line names what was sent, in a file or with flags. */
import { loanByPlace, type Naming, OF_THE_API } from "../../messages/naming.ts"
import { PLAN, shortPlanName } from "./scenarioFlags.ts"

export const OF_FILES: Naming = {
  ...OF_THE_API,
  loan: loanByPlace,
  madeOn: (position) => `the madeOn of ${loanByPlace(position)}`
}

/** Flags tell one loan. */
export const OF_FLAGS: Naming = {
  loan: () => "your loan",
  madeOn: () => "--made",
  plan: shortPlanName,
  sendPlan: (planTypes) =>
    `send ${planTypes.map((planType) => `--${PLAN.flag} ${shortPlanName(planType)}`).join(" or ")}`
}
