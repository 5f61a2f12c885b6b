/**
 * What an answer says of a request that was read as it stands and may not be meant so: an interest rate that no federal
 * student loan has. Nothing is refused and no figure is changed by it.
 */
import type { KeylessLoanRequest } from "../../schema/calculator.ts"
import type { Loan } from "../../schema/loan.ts"

const PERCENT = 100
/** Rates from this one on are more likely a percentage of less than one than a fraction. */
const HIGH_RATE = 0.25
/** Rates below this one are more likely a percentage that was made a fraction twice. */
const LOW_RATE = 0.001
/** In a book of a hundred wrong rates the first ones say it. */
const MOST_NOTES = 10
const DIGITS = 12

const plain = (value: number): number => Number(value.toPrecision(DIGITS))

/** The fraction that was probably meant: a hundredth of a high rate, a hundred times a low one. */
const meantBy = (rate: number): number => (rate >= HIGH_RATE ? rate / PERCENT : rate * PERCENT)

const isOdd = (rate: number): boolean => rate >= HIGH_RATE || (rate > 0 && rate < LOW_RATE)

const rateNote = (path: string, rate: number): string => {
  const meant = plain(meantBy(rate))
  const read = `${path}.interestRate ${plain(rate)} was read as ${plain(rate * PERCENT)}% a year`
  return `${read}; send ${meant} for ${plain(meant * PERCENT)}%`
}

const oddRates = (loans: ReadonlyArray<Loan>, path: string): ReadonlyArray<string> =>
  loans.flatMap(({ interestRate }, index) => (isOdd(interestRate) ? [rateNote(`${path}[${index}]`, interestRate)] : []))

const bounded = (notes: ReadonlyArray<string>): ReadonlyArray<string> => {
  const unsaid = notes.length - MOST_NOTES
  return unsaid <= 0 ? notes : [...notes.slice(0, MOST_NOTES), `${unsaid} more interest rates are as unusual`]
}

/** What is to be said of the interest rates of a book; mostly nothing. */
export const rateNotes = (loans: ReadonlyArray<Loan>): ReadonlyArray<string> => bounded(oddRates(loans, "loans"))

/** The same of all arms of a comparison. */
export const armNotes = (arms: ReadonlyArray<{ readonly loans: ReadonlyArray<Loan> }>): ReadonlyArray<string> =>
  bounded(arms.flatMap(({ loans }, arm) => oddRates(loans, `arms[${arm}].loans`)))

/** The same of the keyless calculator, which takes percents: a fraction was sent, or more than any federal loan bears. */
export const percentNotes = ({ ratePct }: Pick<KeylessLoanRequest, "ratePct">): ReadonlyArray<string> => {
  if (!isOdd(ratePct / PERCENT)) return []
  const read = `ratePct ${plain(ratePct)} was read as ${plain(ratePct)}% a year`
  if (ratePct >= HIGH_RATE * PERCENT) return [`${read}, which is more than any federal student loan bears.`]
  const meant = plain(ratePct * PERCENT)
  return [`${read}; send ${meant} for ${meant}%.`]
}
