/** Drafts of a borrower in Texas with 60,000 dollars a year. */
import { type ChangeDraft, type Draft, emptyChange, emptyDraft, type HouseholdDraft } from "../../src/web/book/draft.ts"
import { type ReadBook, readDraft } from "../../src/web/book/reading.ts"

export const draftWith = (
  loans: Draft["loans"],
  household: Partial<HouseholdDraft> = {},
  changes: ReadonlyArray<Partial<ChangeDraft>> = []
): Draft => ({
  loans,
  household: { ...emptyDraft.household, income: "60000", state: "TX", ...household },
  changes: changes.map((change) => ({ ...emptyChange, ...change }))
})

export const bookOf = (draft: Draft): ReadBook => {
  const reading = readDraft(draft)
  if (reading._tag !== "Book") throw new Error(JSON.stringify(reading))
  return reading.book
}
