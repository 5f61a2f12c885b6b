/** What a record is in the log: the RFC 8785 JSON of its public part, whose SHA-256 is the entry. */
import { hash } from "node:crypto"
import type { Bytes } from "../../proof/bytes.ts"
import type { AnswerEntry } from "../answers/charges.ts"

/** A recorded answer, as far as the log covers it. */
export interface LoggedAnswer extends AnswerEntry {
  readonly recordedAtUtc: Date
}

/** JSON of strings under names in their order is what RFC 8785 makes of it. */
export const recordText = (row: LoggedAnswer): string =>
  JSON.stringify({
    answerHash: row.answerHash,
    answerId: row.answerId,
    endpoint: row.endpoint,
    eventType: row.eventType,
    inputsHash: row.inputsHash,
    recordedAtUtc: row.recordedAtUtc,
    ruleVersion: row.ruleVersion,
    source: row.source
  })

export const entryOf = (row: LoggedAnswer): Bytes => hash("sha256", recordText(row), "buffer")
