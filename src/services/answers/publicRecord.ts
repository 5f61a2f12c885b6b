/** What of a record anybody may see: everything but whose it is. */
import type { VerifiedAnswer } from "../../../schema/records.ts"
import type { AnswerRow } from "./AnswerLedger.ts"

export const publicRecord = (row: AnswerRow): Omit<VerifiedAnswer, "recorded"> => ({
  answerId: row.answerId,
  recordedAtUtc: row.recordedAtUtc.toISOString(),
  source: row.source,
  endpoint: row.endpoint,
  eventType: row.eventType,
  ruleVersion: row.ruleVersion,
  inputsHash: row.inputsHash
})

/** The same, as the confirmation that it is recorded. */
export const verifiedAnswer = (row: AnswerRow): VerifiedAnswer => ({ ...publicRecord(row), recorded: true })
