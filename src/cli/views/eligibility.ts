/** Eligible plans as text: each loan with the plans that it can elect. */
import type { EligibilityResult } from "../../../schema/eligibility.ts"
import { eligibleLines } from "../../messages/summaries.ts"
import type { Screen } from "../output.ts"
import { provenanceLines } from "./provenance.ts"
import { wrap } from "./text.ts"

export const eligibilityView =
  ({ loans, provenance }: EligibilityResult) =>
  (screen: Screen): string =>
    [
      ...eligibleLines(loans).flatMap((line) => wrap(line, screen.columns)),
      "",
      ...provenanceLines(provenance, screen)
    ].join("\n")
