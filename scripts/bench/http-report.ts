/**
 * The text report of the HTTP bench: one Markdown table, some columns of which are in
 * docs/performance.md, and the goals.
 */
import type { ServerName } from "./http-servers.ts"
import type { Row } from "./http-tasks.ts"
import { spreadOf } from "./rounds.ts"

/** Measurements of one server in one round. */
export interface Sample {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU milliseconds per request, of server and database; null if the system has no figure. */
  readonly cpu: number | null
  readonly databaseCpu: number | null
  /** Bytes allocated on the server's heap per request. */
  readonly allocated: number
}

export type Samples = Readonly<Record<ServerName, ReadonlyArray<Sample>>>

export interface RowFindings extends Row {
  readonly samples: Samples
}

export interface HttpFindings {
  readonly machine: string
  /** Load average before the bench, to show what else the machine was doing. */
  readonly loadBefore: number
  readonly rounds: number
  readonly milliseconds: number
  readonly rows: ReadonlyArray<RowFindings>
}

const NAMES: Readonly<Record<Row["task"], string>> = {
  projection: "projection, 3 loans",
  comparison: "comparison, 3 x 10 loans",
  eligibility: "plan eligibility, 10 loans",
  verify: "verify",
  calculator: "calculator, keyless",
  brief: "projection in brief",
  tool: "tool server, the same projection",
  statelessTool: "tool server, revision 2026-07-28"
}

const median = (values: ReadonlyArray<number>): number => spreadOf(values).median

type Value = (one: Sample) => number

/** Median over the rounds of what two servers' values give together; null if one has none. */
const medianOf = (
  over: ReadonlyArray<Sample>,
  under: ReadonlyArray<Sample>,
  together: (one: Sample, other: Sample) => number
): number | null =>
  under.length === 0 || over.length === 0 ? null : median(over.map((one, round) => together(one, under[round]!)))

const ratioOf = (over: ReadonlyArray<Sample>, under: ReadonlyArray<Sample>, value: Value): number | null =>
  medianOf(over, under, (one, other) => value(one) / value(other))

const speedRatio = ({ samples: { byHand, service } }: RowFindings) =>
  ratioOf(service, byHand, ({ perSecond }) => perSecond)

const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

const speedCell = (samples: ReadonlyArray<Sample>): string => {
  if (samples.length === 0) return "-"
  const { max, median } = spreadOf(samples.map(({ perSecond }) => perSecond))
  return `${whole(median)} (${whole(max)})`
}

const medianCell = (samples: ReadonlyArray<Sample>, value: (one: Sample) => number | null, digits: number): string => {
  const known = samples.map(value).filter((one) => one !== null)
  return known.length === 0 ? "-" : median(known).toFixed(digits)
}

const pairCell = ({ byHand, service }: Samples, value: (one: Sample) => number | null, digits: number): string =>
  `${medianCell(service, value, digits)} / ${medianCell(byHand, value, digits)}`

const KILOBYTE = 1000

/** The mean of all rounds, because a round can end anywhere between two collections. */
const allocationCell = ({ byHand, service }: Samples): string =>
  [service, byHand]
    .map((samples) => {
      const bytes = samples.reduce((sum, { allocated }) => sum + allocated, 0) / samples.length
      return samples.length === 0 ? "-" : (bytes / KILOBYTE).toFixed(0)
    })
    .join(" / ")

const HEADER = [
  "task",
  "keys",
  "callers",
  "service, a second",
  "by hand, a second",
  "ratio",
  "p50 ms",
  "p99 ms",
  "CPU ms a request: service / before / by hand",
  "of its database",
  "KB allocated",
  "ceiling, a second"
]

const cellsOf = (row: RowFindings): ReadonlyArray<string> => {
  const { callers, keys, samples, task } = row
  const ratio = speedRatio(row)
  return [
    NAMES[task],
    keys === 0 ? "-" : String(keys),
    String(callers),
    speedCell(samples.service),
    speedCell(samples.byHand),
    ratio === null ? "-" : ratio.toFixed(2),
    pairCell(samples, ({ p50 }) => p50, 2),
    pairCell(samples, ({ p99 }) => p99, 1),
    [samples.service, samples.before, samples.byHand].map((one) => medianCell(one, ({ cpu }) => cpu, 3)).join(" / "),
    pairCell(samples, ({ databaseCpu }) => databaseCpu, 3),
    allocationCell(samples),
    medianCell(samples.ceiling, ({ perSecond }) => perSecond, 0)
  ]
}

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** Names are left-aligned, figures right-aligned. */
const RULE = line(HEADER.map((_, column) => (column === 0 ? "---" : "---:")))

const titleOf = ({ callers, keys, task }: Row): string =>
  `${NAMES[task]}, ${keys === 0 ? "" : `${keys} ${keys === 1 ? "key" : "keys"}, `}${callers} ${callers === 1 ? "caller" : "callers"}`

const speedOf: Value = ({ perSecond }) => perSecond
const cpuOf: Value = ({ cpu }) => cpu ?? Number.NaN

/** The goals of a row as [name, what is asked, ratio, whether it must not be less]. */
const goalsOf = (row: RowFindings, rows: ReadonlyArray<RowFindings>) => {
  const { byHand, before, service } = row.samples
  const isSameInBrief = ({ callers, keys, task }: Row) =>
    task === "brief" && callers === row.callers && keys === row.keys
  const { cpuAboveBrief, cpuOverBefore, p50, p99, speed } = row.goals ?? {}
  const brief = rows.find(isSameInBrief)?.samples.service ?? []
  const aboveBrief = medianOf(service, brief, (one, other) => cpuOf(one) - cpuOf(other))
  return [
    ["calls a second over those by hand", speed, ratioOf(service, byHand, speedOf), true],
    ["p50 over that by hand", p50, ratioOf(service, byHand, (one) => one.p50), false],
    ["p99 over that by hand", p99, ratioOf(service, byHand, (one) => one.p99), false],
    ["CPU over that of the release before", cpuOverBefore, ratioOf(service, before, cpuOf), false],
    ["CPU ms above that of the same projection in brief", cpuAboveBrief, aboveBrief, false]
  ] as const
}

const goalLines = (rows: ReadonlyArray<RowFindings>): ReadonlyArray<string> =>
  rows.flatMap((row) =>
    goalsOf(row, rows).flatMap(([name, asked, ratio, isAtLeast]) => {
      if (asked === undefined || ratio === null || Number.isNaN(ratio)) return []
      const isMet = isAtLeast ? ratio >= asked : ratio <= asked
      const bound = `${isAtLeast ? ">=" : "<="} ${asked}`
      return [line([`${titleOf(row)}: ${name}`, bound, ratio.toFixed(2), isMet ? "met" : "MISSED"])]
    })
  )

export const render = ({ loadBefore, machine, milliseconds, rounds, rows }: HttpFindings): string =>
  [
    `<!-- npm run x -- bench http -->`,
    "",
    `${machine}; load average before ${loadBefore.toFixed(1)}; ${rounds} rounds of ${milliseconds} ms. Requests a second: median`,
    "(best round); ratio, p50, p99 and CPU: median of the rounds, service / by hand; allocated on the heap a request: their mean.",
    "",
    line(HEADER),
    RULE,
    ...rows.map((row) => line(cellsOf(row))),
    "",
    line(["goal", "asked", "got", ""]),
    line(["---", "---:", "---:", "---"]),
    ...goalLines(rows),
    "",
    "<!-- end -->"
  ].join("\n")
