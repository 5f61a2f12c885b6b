/** Days as people write them: a day, a month or a year, in numbers or with the month's name. */
import { FIRST_DAY } from "../../../schema/bounds.ts"
import { decidingDayIn, firstDayOf, isDividedYear } from "../../engine/law/decidingDays.ts"

const YEAR = /^\d{4}$/
/** 2019-08-26 or 2019-08. */
const ISO = /^(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?$/
/** 8/26/2019 or 8/2019. */
const SLASHES = /^(?<month>\d{1,2})\/(?:(?<day>\d{1,2})\/)?(?<year>\d{4})$/
/** August 26, 2019 or Aug 2019. */
const NAMED = /^(?<name>[a-z]{3,9})\.?\s+(?:(?<day>\d{1,2})(?:,\s*|\s+))?(?<year>\d{4})$/
/** 26 August 2019. */
const DAY_FIRST = /^(?<day>\d{1,2})\s+(?<name>[a-z]{3,9})\.?,?\s+(?<year>\d{4})$/

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december"
]

/** The number of a month by its name, its first letters or "sept"; 0 for none. */
const monthNamed = (name: string): number => {
  const letters = name === "sept" ? "sep" : name
  return MONTHS.findIndex((month) => month.startsWith(letters)) + 1
}

export type ReadDay =
  | { readonly _tag: "Day"; readonly day: string }
  /** The days of this month differ in law, from `day` on. */
  | { readonly _tag: "NeedsDay"; readonly day: string }
  /** A year alone, whose days the law treats differently. */
  | { readonly _tag: "NeedsMonth"; readonly year: string }
  | { readonly _tag: "Unreadable" }

const twoDigits = (number: number): string => String(number).padStart(2, "0")

/** A year or a month means its first day, if the law treats all its days alike. The contract checks that the day exists. */
export const readDay = (text: string): ReadDay => {
  const written = text.trim().toLowerCase()
  if (YEAR.test(written))
    return isDividedYear(written, FIRST_DAY)
      ? { _tag: "NeedsMonth", year: written }
      : { _tag: "Day", day: firstDayOf(`${written}-01`) }
  const groups = [ISO, SLASHES, NAMED, DAY_FIRST].map((form) => form.exec(written)?.groups).find((one) => one)
  const { day, month, name, year } = groups ?? {}
  const number = name === undefined ? Number(month) : monthNamed(name)
  if (!(number >= 1 && number <= MONTHS.length)) return { _tag: "Unreadable" }
  const monthOfYear = `${year}-${twoDigits(number)}`
  if (day !== undefined) return { _tag: "Day", day: `${monthOfYear}-${twoDigits(Number(day))}` }
  const inside = decidingDayIn(monthOfYear, FIRST_DAY)
  return inside === undefined ? { _tag: "Day", day: firstDayOf(monthOfYear) } : { _tag: "NeedsDay", day: inside }
}
