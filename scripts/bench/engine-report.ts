/**
 * The text report of the engine bench: a table of plans by book size, the grid, the comparisons and
 * the goals.
 */
import { BOOK_SIZES } from "./borrowers.ts"
import type { Spread } from "./rounds.ts"

export interface CaseFindings {
  readonly planType: string
  readonly size: number
  /** Loans times months per projection. */
  readonly loanMonths: number
  /** Per projection. */
  readonly nanoseconds: Spread
  readonly nanosecondsInC: Spread | null
}

export interface EngineFindings {
  readonly inputs: string
  readonly machine: string
  readonly compiler: string | null
  readonly rounds: number
  /** Nanoseconds per step of a fixed loop, which shows the speed of the machine. */
  readonly calibration: Spread
  readonly cases: ReadonlyArray<CaseFindings>
  readonly grid: ReadonlyArray<{ readonly size: number; readonly months: number; readonly perLoanMonth: Spread }>
  readonly comparisonMilliseconds: Readonly<Record<"everyPlan" | "slowestPlan", Spread>>
}

const SECOND = 1e9
const NAME_WIDTH = 25

const whole = (value: number): string => Math.round(value).toLocaleString("en-US")
const percent = (part: number): string => `${Math.round(part * 100)} %`
const cell = (text: string, width: number): string => text.padStart(width)

const sum = (cases: ReadonlyArray<CaseFindings>, of: (one: CaseFindings) => number): number =>
  cases.reduce((total, one) => total + of(one), 0)

/** Some cases together: projections a second, nanoseconds a loan-month, speed relative to C. */
interface Speed {
  readonly projections: number
  readonly perLoanMonth: number
  readonly ofC: number | null
}

/** From total times, in the best rounds by default. A mean of rates would be too optimistic. */
const speedOf = (cases: ReadonlyArray<CaseFindings>, round: keyof Spread = "min"): Speed => {
  const nanoseconds = sum(cases, (one) => one.nanoseconds[round])
  const timedInC = cases.filter((one) => one.nanosecondsInC !== null)
  return {
    projections: (cases.length * SECOND) / nanoseconds,
    perLoanMonth: nanoseconds / sum(cases, (one) => one.loanMonths),
    ofC:
      timedInC.length === 0
        ? null
        : sum(timedInC, (one) => one.nanosecondsInC![round]) / sum(timedInC, (one) => one.nanoseconds[round])
  }
}

const ofSize = ({ cases }: EngineFindings, size: number) => cases.filter((one) => one.size === size)

const speedCells = ({ ofC, perLoanMonth, projections }: Speed): string =>
  cell(whole(projections), 10) + cell(perLoanMonth.toFixed(2), 7) + cell(ofC === null ? "-" : percent(ofC), 7)

const row = (name: string, cells: ReadonlyArray<string>): string => name.padEnd(NAME_WIDTH) + cells.join(" |")

const planTable = (findings: EngineFindings): ReadonlyArray<string> => {
  const plans = [...new Set(findings.cases.map(({ planType }) => planType))]
  const rowOf = (name: string, of: (size: number) => Speed) =>
    row(
      name,
      BOOK_SIZES.map((size) => speedCells(of(size)))
    )
  return [
    row(
      "",
      BOOK_SIZES.map((size) => cell(size === 1 ? "1 loan" : `${size} loans`, 24))
    ),
    row(
      "plan",
      BOOK_SIZES.map(() => cell("a second", 10) + cell("ns/lm", 7) + cell("of C", 7))
    ),
    ...plans.map((plan) =>
      rowOf(plan, (size) => speedOf(ofSize(findings, size).filter((one) => one.planType === plan)))
    ),
    rowOf("all ten, best round", (size) => speedOf(ofSize(findings, size))),
    rowOf("all ten, median round", (size) => speedOf(ofSize(findings, size), "median")),
    rowOf("all ten, worst round", (size) => speedOf(ofSize(findings, size), "max"))
  ]
}

/** Cost of each further loan-month, as a slope between horizons: excludes the fixed cost. */
const gridTable = ({ grid }: EngineFindings): ReadonlyArray<string> => {
  const horizons = [...new Set(grid.map(({ months }) => months))]
  const further = horizons.slice(1)
  return [
    row("", [cell(`ns for ${horizons[0]} months`, 18), ...further.map((months) => cell(`to ${months} months`, 14))]),
    ...BOOK_SIZES.map((size) => {
      const costs = grid.filter((one) => one.size === size)
      const nanoseconds = costs.map(({ months, perLoanMonth }) => perLoanMonth.min * months * size)
      const slopes = further.map((months, step) => {
        const added = (months - horizons[step]!) * size
        return cell(((nanoseconds[step + 1]! - nanoseconds[step]!) / added).toFixed(2), 14)
      })
      return row(size === 1 ? "1 loan" : `${size} loans`, [cell(whole(nanoseconds[0]!), 18), ...slopes])
    })
  ]
}

const spreadText = ({ max, median, min }: Spread): string =>
  `${min.toFixed(2)} best, ${median.toFixed(2)} median, ${max.toFixed(2)} worst`

const goal = (name: string, asked: string, got: string, ratio: number): string =>
  `${name.padEnd(52)}${cell(asked, 10)}${cell(got, 12)}${cell(`${ratio.toFixed(2)} x`, 9)}  ${ratio >= 1 ? "met" : "MISSED"}`

const MIN_PROJECTIONS: ReadonlyArray<readonly [size: number, perSecond: number]> = [
  [1, 300_000],
  [3, 120_000]
]
const MIN_OF_C = 0.5
const MAX_MILLISECONDS = 15

const goals = (findings: EngineFindings): ReadonlyArray<string> => {
  const { everyPlan, slowestPlan } = findings.comparisonMilliseconds
  const slowest = Math.max(everyPlan.min, slowestPlan.min)
  return [
    ...MIN_PROJECTIONS.map(([size, asked]) => {
      const { projections } = speedOf(ofSize(findings, size))
      return goal(
        `${size}-loan projections a second, all ten plans`,
        whole(asked),
        whole(projections),
        projections / asked
      )
    }),
    ...BOOK_SIZES.flatMap((size) => {
      const { ofC } = speedOf(ofSize(findings, size))
      if (ofC === null) return []
      return [goal(`loan-months a second over C's, books of ${size}`, percent(MIN_OF_C), percent(ofC), ofC / MIN_OF_C)]
    }),
    goal("largest comparison, ms", `${MAX_MILLISECONDS}`, slowest.toFixed(2), MAX_MILLISECONDS / slowest)
  ]
}

export const render = (findings: EngineFindings): string => {
  const { calibration, comparisonMilliseconds, compiler, inputs, machine, rounds } = findings
  return [
    `Engine on one core: ${machine}; ${rounds} rounds, figures of the best.`,
    `Inputs: ${inputs}.`,
    `C: ${compiler ?? "no compiler found"}. It runs the months alone; the engine's time is a whole projection.`,
    `Calibration, ns a step: ${spreadText(calibration)}.`,
    "",
    "Projections a second, ns a loan-month (lm), loan-months a second as a part of C's",
    ...planTable(findings),
    "",
    "Cost against loans x months, INCOME BASED (OLD) of the borrower with the most debt: ns for each further loan-month",
    ...gridTable(findings),
    "",
    "Comparisons of 10 arms x 100 loans with the yearly series, ms",
    `every plan once, one book: ${spreadText(comparisonMilliseconds.everyPlan)}`,
    `one plan ten times, each loan forgiven in its own month: ${spreadText(comparisonMilliseconds.slowestPlan)}`,
    "",
    `${"goal".padEnd(52)}${cell("asked", 10)}${cell("got", 12)}${cell("margin", 9)}`,
    ...goals(findings)
  ].join("\n")
}
