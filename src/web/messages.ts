/** The messages between the page and its worker. */
import type { Outcome, Question } from "./book/compute.ts"
import type { Draft } from "./book/draft.ts"
import type { FileReading } from "./book/file.ts"
import type { Whose } from "./book/spouse.ts"
import type { Explanation } from "./book/why/explanation.ts"

/** For each kind, the page shows only the answer to the latest message, because earlier ones are outdated. */
export type Asked =
  | { readonly kind: "compute"; readonly id: number; readonly draft: Draft; readonly now: number }
  | {
      readonly kind: "explain"
      readonly id: number
      readonly draft: Draft
      /** In milliseconds; on the same day as the figures to explain. */
      readonly now: number
      readonly question: Question
    }
  | { readonly kind: "read"; readonly id: number; readonly bytes: Uint8Array; readonly whose: Whose }

export type Told =
  | { readonly kind: "compute"; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: "explain"; readonly id: number; readonly explanation: Explanation | undefined }
  | { readonly kind: "read"; readonly id: number; readonly reading: FileReading; readonly whose: Whose }
