/** What the page and its worker say to each other. */
import type { Outcome, Question } from "./book/compute.ts"
import type { Draft } from "./book/draft.ts"
import type { FileReading } from "./book/file.ts"
import type { Explanation } from "./book/why/explanation.ts"

/** Of each kind only the answer to the latest is shown: an earlier one is of other fields, or of another file. */
export type Asked =
  | { readonly kind: "compute"; readonly id: number; readonly draft: Draft; readonly now: number }
  | {
      readonly kind: "explain"
      readonly id: number
      readonly draft: Draft
      /** In milliseconds: of the same day as the figures that it explains. */
      readonly now: number
      readonly question: Question
    }
  | { readonly kind: "read"; readonly id: number; readonly bytes: Uint8Array }

export type Told =
  | { readonly kind: "compute"; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: "explain"; readonly id: number; readonly explanation: Explanation | undefined }
  | { readonly kind: "read"; readonly id: number; readonly reading: FileReading }
