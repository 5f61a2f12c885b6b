/** The texts of the plots. */
import { MONTHS_PER_YEAR } from "../engine/index.ts"
import { counted } from "../messages/figures.ts"

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** For example "six years", which is exact enough for a title. */
const roughly = (payments: number): string => {
  if (payments < MONTHS_PER_YEAR) return counted(payments, "month")
  const years = Math.round(payments / MONTHS_PER_YEAR)
  return `${WORDS[years] ?? years} ${years === 1 ? "year" : "years"}`
}

export const plotTexts = {
  show: "Show",
  views: { pay: "Payment", owe: "What you owe", trade: "Payment and total" },
  findings: {
    lower: (plan: string, amount: string, longer: number): string =>
      longer === 0
        ? `${plan} starts ${amount} lower and ends in the same month`
        : `${plan} starts ${amount} lower and ${longer > 0 ? "lasts" : "ends"} ${roughly(Math.abs(longer))} ${
            longer > 0 ? "longer" : "sooner"
          }`,
    one: (plan: string) => `${plan} is lowest at first and in all`,
    same: "What you pay each month",
    left: (years: number, plan: string, amount: string) =>
      `After ${counted(years, "year")}, ${plan} still has ${amount} to go`,
    owe: "What you owe, year by year",
    trade: (lower: string, more: string) => `A first payment ${lower} lower costs ${more} more in all`,
    trades: "First payment and total of each plan"
  },
  payment: (first: string, highest: string, rises: boolean) => (rises ? `${first}, rising to ${highest}` : first),
  done: (month: string) => `Done ${month}`,
  forgiven: (month: string) => `Rest forgiven ${month}`,
  past: (plan: string, year: string) => `${plan}, to ${year} →`,
  pastLead: "Past the edge:",
  unnamed: "Also drawn:",
  figures: (plan: string, first: string, cost: string) => `${plan} (${first}, ${cost})`,
  toYear: (plan: string, year: string) => `${plan} to ${year}`,
  point: "Point at a line or a dot, or tap it, to see which plan it is.",
  pointed: (plan: string, first: string, cost: string, end: string) =>
    `${plan}: ${first} at first, ${cost} in all, ${end}`,
  x: "First payment",
  y: "In all",
  year: "Year",
  month: "Payment",
  table: "The same as a table",
  csv: "Download as CSV"
}
