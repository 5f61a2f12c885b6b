/** What is said of plans wherever their names are shown. */
import { saveVacatur } from "../../ledger/rules/save.ts"
import { currentLaw } from "../engine/law/law.ts"

/** The plans that nobody can elect any more. */
export const CLOSED_PLANS: ReadonlyArray<string | null> = currentLaw.read(saveVacatur).notElectable

/** The rule that an answer cites where a plan ends and another goes on. */
export const END_OF_PLANS = "idr-sunset-default"

/** The rule that an answer cites where the plan cannot take some of the loans. */
export const LOANS_BESIDE = "loans-outside-the-plan"
