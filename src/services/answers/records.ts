/** The face of recorded answers: reads them, without the engine. */
export { AnswerLedger, type AnswerRow } from "./AnswerLedger.ts"
export { isRecordOf, publicRecord, verifiedAnswer } from "./publicRecord.ts"
export { type AnswerEntry, READ_COLUMNS } from "./storedRows.ts"
