/** The parser of days. A month means its first day; it is refused if its days differ in law. */
import { Result } from "effect"
import { FIRST_DAY } from "../../../schema/bounds.ts"
import { decidingDayIn, firstDayOf } from "../../engine/law/decidingDays.ts"
import type { Parser } from "./parsers.ts"

const DAY_OR_MONTH = /^\d{4}-(?:0[1-9]|1[0-2])(-\d\d)?$/

export const parseDay: Parser<string> = (text) => {
  const trimmed = text.trim()
  const [, day] = DAY_OR_MONTH.exec(trimmed) ?? [undefined, null]
  if (day === null) return Result.fail("must be a day or a month: send 2026-09-04, or 2026-09 for its first day")
  if (day !== undefined) return Result.succeed(trimmed)
  const inside = decidingDayIn(trimmed, FIRST_DAY)
  return inside === undefined
    ? Result.succeed(firstDayOf(trimmed))
    : Result.fail(`may be before or after a day that decides which plans are open: send the day, such as ${inside}`)
}
