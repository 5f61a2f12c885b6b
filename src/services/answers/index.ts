/**
 * The face of answers that are computed, charged and recorded. Smaller faces need less:
 * `records.ts` reads what is recorded, `local.ts` answers without a database, and
 * `publishedRules.ts` has the rules.
 */
export { Answers, type ChargedAnswer, type RecordedAnswer, type RecordedCalculation } from "./Answers.ts"
export { Charging, type QuotaSpent } from "./Charging.ts"
export {
  type IdempotencyKeyReused,
  IdempotencyKeys,
  type IdempotentCall,
  isRepeated,
  type RulesChanged
} from "./IdempotencyKeys.ts"
export { openCursor, sealCursor } from "./recordCursor.ts"
export { REFERENCE_SCENARIOS } from "./referenceScenarios.ts"
