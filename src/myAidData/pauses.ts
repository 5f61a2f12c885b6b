/** The pauses of the loans of a request, by their status in the file. */
import { KEYS } from "./keys.ts"
import { type Block, dateIn, firstOf } from "./layout.ts"
import type { ReadPause } from "./result.ts"
import { statusOf } from "./status.ts"

const MONTH = "YYYY-MM".length
/** A later end is a mistake; a request accepts none. */
const MAX_YEARS_AHEAD = 10

const yearsLater = (day: string, years: number): string =>
  `${Number(day.slice(0, "YYYY".length)) + years}${day.slice("YYYY".length)}`

/** The month in which repayment begins, if that is ahead of the download. */
const beginOf = ({ entries }: Block, asOf: string | null): string | null => {
  const day = dateIn(firstOf(entries, KEYS.repaymentBegins))
  if (day === undefined || asOf === null || day > yearsLater(asOf, MAX_YEARS_AHEAD)) return null
  return day.slice(0, MONTH) > asOf.slice(0, MONTH) ? day.slice(0, MONTH) : null
}

/**
 * Loans with the same kind and end share a pause. Only the end of school and grace is in the file.
 * @param blocks of the loans that go in, in the order of the request
 */
export const pausesOf = (blocks: ReadonlyArray<Block>, asOf: string | null): ReadonlyArray<ReadPause> => {
  const pauses = new Map<string, { readonly pause: Omit<ReadPause, "loans">; readonly loans: Array<number> }>()
  blocks.forEach((block, position) => {
    const kind = statusOf(block).paused
    if (kind === null) return
    const until = kind === "InSchool" ? beginOf(block, asOf) : null
    const known = pauses.get(`${kind} ${until}`)
    if (known === undefined) pauses.set(`${kind} ${until}`, { pause: { kind, until }, loans: [position] })
    else known.loans.push(position)
  })
  return [...pauses.values()].map(({ loans, pause }) => ({ ...pause, loans }))
}
