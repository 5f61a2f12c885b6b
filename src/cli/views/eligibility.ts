/** Eligible plans as text: each loan with the plans that it can elect. */
import type { EligibilityResult } from "../../../schema/eligibility.ts"
import { dollars } from "../../messages/figures.ts"
import type { Screen } from "../output.ts"
import { provenanceLines } from "./provenance.ts"
import { wrap } from "./text.ts"

const INDENT = "   "

export const eligibilityView =
  (answer: EligibilityResult) =>
  (screen: Screen): string =>
    [
      ...answer.loans.flatMap(({ balance, eligiblePlanTypes, loanType }, index) => [
        screen.style.bold(`${index + 1}. ${loanType}, ${dollars(balance)}`),
        ...wrap(eligiblePlanTypes.join(", ") || "No plans.", screen.columns, INDENT)
      ]),
      "",
      ...provenanceLines(answer.provenance, screen)
    ].join("\n")
