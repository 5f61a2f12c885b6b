/**
 * The text report of the ledger bench: bytes and times by number of records, their growth, and the
 * goals.
 */
import type { Quantiles } from "./rounds.ts"

export interface LedgerFindings {
  readonly machine: string
  readonly accounts: number
  readonly rounds: number
  readonly callsOfARound: number
  readonly page: number
  /** In order of size, smallest first. */
  readonly databases: ReadonlyArray<{
    readonly records: number
    readonly bytes: number
    readonly milliseconds: ReadonlyArray<Quantiles & { readonly name: string }>
  }>
}

const MAX_BYTES = 320
const MAX_GROWTH = 1.2
const NAME_WIDTH = 28

const cell = (text: string): string => text.padStart(11)
const judged = (isMet: boolean): string => (isMet ? "met" : "MISSED")

export const render = ({ accounts, callsOfARound, databases, machine, page, rounds }: LedgerFindings): string => {
  const [smallest, largest] = [databases[0]!, databases.at(-1)!]
  const rows = smallest.milliseconds.flatMap(({ name }, index) => {
    const times = databases.map(({ milliseconds }) => milliseconds[index]!)
    const growth = times.at(-1)!.median / times[0]!.median
    return [
      `${name.padEnd(NAME_WIDTH)}${times.map(({ median }) => cell(median.toFixed(2))).join("")}${cell(`${growth.toFixed(2)} x`)}  ${judged(growth <= MAX_GROWTH)}`,
      `${"  p99".padEnd(NAME_WIDTH)}${times.map(({ p99 }) => cell(p99.toFixed(2))).join("")}${cell(`${(times.at(-1)!.p99 / times[0]!.p99).toFixed(2)} x`)}`
    ]
  })
  return [
    `Records among more and more, on the embedded server: ${machine}.`,
    `${accounts} accounts, one with half of all records, whose pages of ${page} are read; ranges are the middle half of the time.`,
    `${rounds} rounds of ${callsOfARound} calls each; median milliseconds of one call, and below it the 99th of a hundred.`,
    "",
    `${"records".padEnd(NAME_WIDTH)}${databases.map(({ records }) => cell(records.toLocaleString("en-US"))).join("")}${cell("growth")}  at most ${MAX_GROWTH}`,
    ...rows,
    "",
    `${"bytes, indexes included".padEnd(NAME_WIDTH)}${databases.map(({ bytes }) => cell(bytes.toFixed(0))).join("")}${cell("")}  at most ${MAX_BYTES}: ${judged(largest.bytes <= MAX_BYTES)}`
  ].join("\n")
}
