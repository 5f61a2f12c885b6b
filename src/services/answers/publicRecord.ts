/** The public part of a record, which is everything but the account that it belongs to, and where it can be confirmed. */
import type { VerifiedAnswer } from "../../../schema/records.ts"
import type { AnswerRow } from "./AnswerLedger.ts"

/** Where anybody can confirm the answer. */
export const verifyUrlOf = (publicUrl: string, answerId: string): string => `${publicUrl}/v1/verify/${answerId}`

export const publicRecord = (row: AnswerRow): Omit<VerifiedAnswer, "recorded"> => ({
  answerId: row.answerId,
  recordedAtUtc: row.recordedAtUtc.toISOString(),
  source: row.source,
  endpoint: row.endpoint,
  eventType: row.eventType,
  ruleVersion: row.ruleVersion,
  inputsHash: row.inputsHash
})

/** The public part, as the confirmation that the answer is recorded. */
export const verifiedAnswer = (row: AnswerRow): VerifiedAnswer => ({ ...publicRecord(row), recorded: true })
