/**
 * The face of the pages, for the server and for tasks. Browsers load the bundles of `page.ts`,
 * `worker.ts`, `verify.ts` and `guides.ts`.
 */

// Pages as HTML.

export { calculatorFile, chatFile, startPage } from "./document.ts"
export {
  CHAT_STYLES,
  DOCUMENT_STYLES,
  FRAME_STYLES,
  headerHtml,
  linkHtml,
  type Operator,
  pageHtml,
  STYLES,
  UNNAMED
} from "./frame.ts"

// The start page's parts, for the tasks that draw them and compare their figures.

export type { BookAnswer } from "./book/answer.ts"
export { compute, explainFigure } from "./book/compute.ts"
export type { ReturnRow } from "./book/couple.ts"
export { ERA_BEGINS } from "./book/dates.ts"
export type { ChangeDraft, Draft, HouseholdDraft, LoanDraft } from "./book/draft.ts"
export {
  ERAS,
  EXACT_DAY,
  emptyChange,
  emptyDraft,
  emptyLoan,
  exampleDraft,
  LOAN_PAYS,
  USUAL_GROWTH
} from "./book/draft.ts"
export { readFile, withFile } from "./book/file.ts"
export type { Reason } from "./book/line.ts"
export { App } from "./components/App.ts"
export { type Actions, firstState, type State } from "./components/state.ts"
export type { Told } from "./messages.ts"
