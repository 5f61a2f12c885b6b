/**
 * The exact oracle of the repayment engine: a second, independent reading of the law, in exact
 * decimals, month by month and without regard for speed. It takes requests in JSON form. It must
 * not share code, constants or types with the engine or the rules ledger.
 */

export { calculationDifferences, projectionDifferences, showsCents } from "./agreement.ts"
export {
  type OracleCalculatedPlan,
  type OracleCalculation,
  type OracleExclusionKind,
  type OraclePlanId,
  oracleCalculate
} from "./calculator.ts"
export type { Start } from "./calendar.ts"
export { type OracleComparison, type OracleComparisonRefusal, oracleCompare } from "./comparison.ts"
export {
  addedTax,
  incomeTaxesUntil,
  type OracleCouple,
  type OracleCoupleRefusal,
  type OracleNoPlan,
  type OracleNothingOwed,
  type OracleReturn,
  type OracleSpouse,
  oracleCouple,
  type WireCouple,
  type WireHousehold,
  type WireSpouse,
  type YearIncomeTax
} from "./couple.ts"
export type { Decimal } from "./decimal.ts"
export { type OracleEligibility, type OracleEligibleLoan, oracleEligibility } from "./eligibility.ts"
export { type OraclePath, type OraclePaths, oraclePaths, type PathsOptions, type WirePaths } from "./paths.ts"
export {
  type OracleExact,
  type OracleForgivenessType,
  type OraclePoint,
  type OracleProjection,
  oracleProject
} from "./projection.ts"
export type { OracleRefusal } from "./refusal.ts"
export type {
  WireArm,
  WireCalculation,
  WireChange,
  WireComparison,
  WireEligibility,
  WireLoan,
  WireLumpSum,
  WirePause,
  WirePlanChange,
  WireProjection,
  WireScenario
} from "./wire.ts"
