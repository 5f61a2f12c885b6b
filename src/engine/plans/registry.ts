/** The registry of plans: the ten plan types of the API, and Tiered Standard. */
import { extended } from "./extended.ts"
import { graduated } from "./graduated.ts"
import { incomeBased } from "./income-based.ts"
import { incomeBasedOld } from "./income-based-old.ts"
import { incomeContingent } from "./income-contingent.ts"
import { payAsYouEarn } from "./pay-as-you-earn.ts"
import type { EnginePlan, Plan } from "./plan.ts"
import { repaymentAssistance } from "./repayment-assistance.ts"
import { revisedPayAsYouEarn } from "./revised-pay-as-you-earn.ts"
import { save } from "./save.ts"
import { standard } from "./standard.ts"
import { tieredStandard } from "./tiered-standard.ts"

/** The plan types of the API, in the order of GET /v1/plan-types. */
export const WIRE_PLANS: ReadonlyArray<Plan> = [
  standard,
  extended,
  graduated,
  incomeBased,
  incomeBasedOld,
  incomeContingent,
  payAsYouEarn,
  revisedPayAsYouEarn,
  save,
  repaymentAssistance
]

/** All plans, in the order of the keyless calculator's answer. */
export const CALCULATOR_PLANS: ReadonlyArray<Plan> = [
  standard,
  tieredStandard,
  extended,
  graduated,
  incomeBased,
  incomeBasedOld,
  payAsYouEarn,
  incomeContingent,
  revisedPayAsYouEarn,
  save,
  repaymentAssistance
]

const byType = Object.fromEntries(CALCULATOR_PLANS.map((plan) => [plan.planType, plan])) as Record<EnginePlan, Plan>

export const planOf = (planType: EnginePlan): Plan => byType[planType]
