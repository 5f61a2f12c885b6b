/** Money, rates and months as people read them. */

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })
const WHOLE_DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 })
const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 4 })
const MONTH = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" })

export const dollars = (amount: number): string => DOLLARS.format(amount)
export const wholeDollars = (amount: number): string => WHOLE_DOLLARS.format(amount)
export const percent = (fraction: number): string => PERCENT.format(fraction)
export const month = (instant: string): string => MONTH.format(new Date(instant))
