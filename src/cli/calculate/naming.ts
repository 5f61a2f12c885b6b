/** How the command line names what was sent, in a file or with flags. */
import { Result } from "effect"
import { loanByPlace, type Naming, OF_THE_API } from "../../messages/naming.ts"
import { PLAN } from "./scenarioFlags.ts"

export const OF_FILES: Naming = {
  ...OF_THE_API,
  loan: loanByPlace,
  madeOn: (position) => `the madeOn of ${loanByPlace(position)}`
}

/** The names that the flag offers, by plan type. */
const SHORT_NAMES = new Map(PLAN.names!.map((name) => [Result.getOrThrow(PLAN.read(name)), name]))

const shortName = (planType: string): string => SHORT_NAMES.get(planType) ?? planType

/** Flags tell one loan. */
export const OF_FLAGS: Naming = {
  loan: () => "your loan",
  madeOn: () => "--made",
  plan: shortName,
  sendPlan: (planTypes) => `send ${planTypes.map((planType) => `--${PLAN.flag} ${shortName(planType)}`).join(" or ")}`
}
