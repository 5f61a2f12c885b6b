/** The request for a couple: two borrowers of one household, on a joint and on separate returns. */
import { Schema } from "effect"
import { Loans } from "./loan.ts"
import { addition, flag, required } from "./primitives.ts"
import { Scenario } from "./scenario.ts"

const {
  adjustedGrossIncome,
  annualIncomeGrowth,
  annualPriceGrowth,
  dependents,
  discountRate,
  firstBorrowedOn,
  pauses,
  state,
  workingTowardsPslf
} = Scenario.fields

const Spouse = Schema.Struct({
  adjustedGrossIncome,
  workingTowardsPslf,
  firstBorrowedOn,
  pauses,
  loans: addition(Loans)
}).annotate({
  identifier: "Spouse",
  description: "One of the two, with the own income and the own loans; absent or null: none.",
  message: "must be an object with adjustedGrossIncome, workingTowardsPslf and loans"
})

const SPOUSE = "a spouse object"

export const CoupleRequest = Schema.Struct({
  state,
  dependents,
  annualIncomeGrowth,
  annualPriceGrowth,
  discountRate,
  splitIncome: addition(
    flag(
      "Whether each separate return carries half of both incomes, by the law of community property: AZ, CA, ID, LA, NV, NM, TX, WA and WI alone."
    )
  ),
  first: required(Spouse, SPOUSE),
  second: required(Spouse, SPOUSE)
}).annotate({
  identifier: "CoupleRequest",
  description:
    "A married couple. On separate returns the first claims the dependents. Incomes are those of the first year.",
  message: "must be a JSON object with state, dependents, annualIncomeGrowth, first and second"
})
export type CoupleRequest = typeof CoupleRequest.Type
export type Spouse = typeof Spouse.Type
