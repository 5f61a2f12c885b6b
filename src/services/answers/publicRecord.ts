/** What of a record anybody may see, which is everything but whose it is, and where it can be confirmed. */
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

/** Where anybody can confirm a record. */
export const verifyUrlOf = (publicUrl: string, answerId: string): string => `${publicUrl}/v1/verify/${answerId}`
