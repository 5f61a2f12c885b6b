/**
 * What a record is in the log: the RFC 8785 JSON of its public part and of the hash of its answer, whose SHA-256 is the
 * entry. A hash of an answer that was made without a salt would let anybody who has the record's id test guesses of the
 * figures against it, for ever: the log covers it blinded, by random bytes that the database keeps.
 */
import { hash, randomBytes } from "node:crypto"
import type { Bytes } from "../../proof/bytes.ts"
import type { AnswerEntry } from "../answers/charges.ts"

const BLIND_BYTES = 16
const UNSALTED = "a1-"
const BLINDED = "b1-"

/** A recorded answer, as far as the log covers it. */
export interface LoggedAnswer extends AnswerEntry {
  readonly recordedAtUtc: Date
}

/** The database knows times that nobody can write, such as the end of all: those are none. */
const timeText = (time: Date): string | null => (Number.isFinite(Number(time)) ? time.toISOString() : null)

/** Random bytes for each answer whose hash has to be blinded; null for another. */
export const newBlinds = (rows: ReadonlyArray<LoggedAnswer>): ReadonlyArray<Buffer | null> => {
  const random = randomBytes(BLIND_BYTES * rows.length)
  return rows.map(({ answerHash }, at) =>
    answerHash.startsWith(UNSALTED) ? random.subarray(at * BLIND_BYTES, (at + 1) * BLIND_BYTES) : null
  )
}

const blinded = (answerHash: string, blind: Uint8Array): string =>
  `${BLINDED}${hash("sha256", Buffer.concat([blind, Buffer.from(answerHash)]), "hex")}`

/** JSON of strings under names in their order is what RFC 8785 makes of it. */
export const recordText = (row: LoggedAnswer, blind: Uint8Array | null): string =>
  JSON.stringify({
    answerHash: blind === null ? row.answerHash : blinded(row.answerHash, blind),
    answerId: row.answerId,
    endpoint: row.endpoint,
    eventType: row.eventType,
    inputsHash: row.inputsHash,
    recordedAtUtc: timeText(row.recordedAtUtc),
    ruleVersion: row.ruleVersion,
    source: row.source
  })

export const entryOf = (row: LoggedAnswer, blind: Uint8Array | null): Bytes =>
  hash("sha256", recordText(row, blind), "buffer")
