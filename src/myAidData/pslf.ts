/** Payments counted toward public service. The months of income-driven plans are in no file, and are not made of anything else. */
import { KEYS } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import type { Part } from "./result.ts"
import { countIn } from "./values.ts"

/** The most that a request may hold. */
const MOST = 120

export const pslfPart = ({ entries }: Block): Part => {
  const text = firstOf(entries, KEYS.pslfMonths)
  if (text === undefined) return { members: {}, warnings: [] }
  const count = countIn(text)
  if (count === undefined) return { members: {}, warnings: ["pslf-unreadable"] }
  if (count > MOST) return { members: { pslfCount: MOST }, warnings: ["pslf-capped"] }
  return { members: count === 0 ? {} : { pslfCount: count }, warnings: [] }
}
