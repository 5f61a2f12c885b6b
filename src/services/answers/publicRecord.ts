/** The public part of a record: everything except its account, and the URL that confirms it. */
import type { VerifiedAnswer } from "../../../schema/records.ts"
import { sha256 } from "../../platform/sha256.ts"
import { answerHashOf } from "../../proof/commitment.ts"
import type { AnswerRow } from "./AnswerLedger.ts"

/** The URL where anyone can confirm the answer. */
export const verifyUrlOf = (publicUrl: string, answerId: string): string => `${publicUrl}/v1/verify/${answerId}`

export const publicRecord = (row: AnswerRow): Omit<VerifiedAnswer, "recorded"> => ({
  answerId: row.answerId,
  recordedAtUtc: row.recordedAtUtc.toISOString(),
  source: row.source,
  endpoint: row.endpoint,
  eventType: row.eventType,
  ruleVersion: row.ruleVersion,
  inputsHash: row.inputsHash,
  answerHash: row.answerHash
})

/** The public part, as the confirmation that the answer is recorded. */
export const verifiedAnswer = (row: AnswerRow): VerifiedAnswer => ({ ...publicRecord(row), recorded: true })

/** Whether the record matches this answer; false if the JSON text is not an answer. */
export const isRecordOf = (row: AnswerRow, answer: string): Promise<boolean> =>
  answerHashOf(answer, sha256).then(
    (answerHash) => answerHash === row.answerHash,
    () => false
  )
