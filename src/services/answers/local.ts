/**
 * The face of answers without a database: unrecorded ones, their forms, and the address that
 * confirms a recorded one.
 */
export type { CoupleAnswer } from "../../messages/coupleAnswer.ts"
export { briefExplanation } from "./brief.ts"
export type { AnswerForms } from "./forms.ts"
export { verifyUrlOf } from "./publicRecord.ts"
export {
  bestPathUnrecorded,
  compareUnrecorded,
  coupleUnrecorded,
  eligiblePlansUnrecorded,
  explainUnrecorded,
  type PathAnswer,
  type PathsAnswer,
  plansUnrecorded,
  projectUnrecorded
} from "./unrecorded.ts"
