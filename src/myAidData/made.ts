/** When a loan was made. Other plans are open to loans since July 2026, and a request cannot say that a loan is one. */
import { KEYS } from "./keys.ts"
import { allOf, type Block, firstOf } from "./layout.ts"
import type { Part } from "./result.ts"
import { dateIn } from "./values.ts"

const OTHER_PLANS_FROM = "2026-07-01"

export const madePart = ({ entries }: Block): Part => {
  const disbursed = allOf(entries, KEYS.disbursementDate).flatMap((text) => dateIn(text) ?? [])
  const earliest = disbursed.sort()[0] ?? dateIn(firstOf(entries, KEYS.date))
  return {
    members: {},
    warnings: earliest !== undefined && earliest >= OTHER_PLANS_FROM ? ["made-after-june-2026"] : []
  }
}
