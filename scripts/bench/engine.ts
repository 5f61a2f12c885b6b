/**
 * The engine bench: how fast the engine projects every plan for books of 1, 3, 10 and 100 loans,
 * from decoded request to answer, next to the same month loops in C. It also measures the cost by
 * loans and months, and the largest comparisons. HTTP and decoding are not timed.
 */
import { cpus } from "node:os"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import { compare, type EngineComparison } from "../../src/engine/comparison.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { successorsOf } from "../../src/engine/plans/ending.ts"
import { planOf } from "../../src/engine/plans/registry.ts"
import { type EngineRequest, project, runUntil } from "../../src/engine/projection.ts"
import { makeWorkspace } from "../../src/engine/schedule/workspace.ts"
import { BOOK_SIZES, BORROWERS, deepest, everyPlan, INPUTS, requestsOf, START, slowestPlan } from "./borrowers.ts"
import { type EngineFindings, render } from "./engine-report.ts"
import type { Findings } from "./findings.ts"
import { type Loop, startLoop } from "./monthLoops.ts"
import { calibrate, nanosecondsOf, repetitionsFor, spreadOf } from "./rounds.ts"

const WORKSPACE = makeWorkspace()

const ROUNDS = 25
const WARM_UP_ROUNDS = 3
/** No round starts after this time. */
const MAX_SECONDS = 40
const SAMPLE_NANOSECONDS = 3e6
const WARM_UP_PASSES = 40
const NANOSECONDS_PER_MILLISECOND = 1e6

/** Work with its samples; one repetition counts as `per` units. */
interface Timed {
  readonly work: () => void
  readonly repetitions: number
  readonly per: number
  readonly samples: Array<number>
}

const timed = (work: () => void, per: number): Timed => {
  for (let pass = 0; pass < WARM_UP_PASSES; pass++) work()
  return { work, per, repetitions: repetitionsFor(work, SAMPLE_NANOSECONDS), samples: [] }
}

const sample = ({ per, repetitions, samples, work }: Timed): void => {
  const nanoseconds = nanosecondsOf(() => {
    for (let repetition = 0; repetition < repetitions; repetition++) work()
  })
  samples.push(nanoseconds / repetitions / per)
}

interface Case {
  readonly planType: PlanType
  readonly size: number
  readonly requests: ReadonlyArray<EngineRequest>
  readonly engine: Timed
  /** Nanoseconds per projection in C, one sample per round. */
  readonly inC: Array<number>
  /** Average per projection. The loans of one of these books all end in the same month. */
  readonly loanMonths: number
  readonly paid: number
}

const answersOf = (requests: ReadonlyArray<EngineRequest>) =>
  requests.map((request) => {
    const outcome = project(currentLaw, request, START, WORKSPACE)
    if (outcome._tag === "Refusal") throw new Error(`refused as ${outcome.kind}`)
    return { paid: outcome.totalOutOfPocket, months: outcome.monthsToFinish! + 1 }
  })

const caseOf = (planType: PlanType, size: number): Case => {
  const requests = requestsOf(planType, size)
  const answers = answersOf(requests)
  const work = () => {
    for (const request of requests) project(currentLaw, request, START, WORKSPACE)
  }
  return {
    planType,
    size,
    requests,
    engine: timed(work, BORROWERS),
    inC: [],
    loanMonths: (size * answers.reduce((sum, { months }) => sum + months, 0)) / BORROWERS,
    paid: answers.reduce((sum, { paid }) => sum + paid, 0)
  }
}

/** C and the engine ran the same months if their totals agree within a cent per borrower. */
const CENT = 0.01

const sampleInC = async (loop: Loop, one: Case, index: number): Promise<void> => {
  const repetitions = one.engine.repetitions
  const { nanoseconds, paid } = await loop.time(index, repetitions)
  if (Math.abs(paid - one.paid) > CENT * BORROWERS) {
    throw new Error(`${one.planType}, ${one.size} loans: C pays ${paid}, the engine ${one.paid}`)
  }
  one.inC.push(nanoseconds / repetitions / BORROWERS)
}

/** Plans that end in July 2028 hand over to another plan; the C loop runs only one plan. */
const runsInC = (planType: PlanType): boolean => {
  const plan = planOf(planType)
  return plan.kind === "fixed" || successorsOf(currentLaw, plan, false).length === 0
}

const HORIZONS = [60, 120, 240, 300] as const

interface Cell {
  readonly size: number
  readonly months: number
  readonly timed: Timed
}

/** One plan and borrower, stopped after some months, to show cost by loans and months alone. */
const gridOf = (): ReadonlyArray<Cell> =>
  BOOK_SIZES.flatMap((size) =>
    HORIZONS.map((months) => {
      const request = deepest("INCOME BASED (OLD)", size)
      return {
        size,
        months,
        timed: timed(() => void runUntil(currentLaw, request, START, months, WORKSPACE), size * months)
      }
    })
  )

const comparisonOf = (request: EngineComparison): Timed =>
  timed(() => void compare(currentLaw, request, START, WORKSPACE), NANOSECONDS_PER_MILLISECOND)

export const benchEngine = async (): Promise<Findings> => {
  const cases = BOOK_SIZES.flatMap((size) => PLAN_TYPES.map((planType) => caseOf(planType, size)))
  const grid = gridOf()
  const comparisons = { everyPlan: comparisonOf(everyPlan()), slowestPlan: comparisonOf(slowestPlan()) }
  const inLoop = cases.filter(({ planType }) => runsInC(planType))
  const loop = await startLoop(inLoop.map(({ requests }) => requests))
  const calibrations: Array<number> = []
  const started = performance.now()
  let rounds = -WARM_UP_ROUNDS
  while (rounds < ROUNDS && performance.now() - started < MAX_SECONDS * 1e3) {
    if (rounds++ === 0) clearSamples(calibrations, cases, grid, Object.values(comparisons))
    for (const one of cases) {
      calibrations.push(calibrate())
      sample(one.engine)
      if (loop !== undefined && runsInC(one.planType)) await sampleInC(loop, one, inLoop.indexOf(one))
    }
    for (const cell of grid) sample(cell.timed)
    for (const comparison of Object.values(comparisons)) sample(comparison)
  }
  loop?.close()
  const findings: EngineFindings = {
    inputs: INPUTS,
    machine: `${cpus()[0]?.model.trim()}, node ${process.version}`,
    compiler: loop?.compiler ?? null,
    rounds,
    calibration: spreadOf(calibrations),
    cases: cases.map(({ engine, inC, loanMonths, planType, size }) => ({
      planType,
      size,
      loanMonths,
      nanoseconds: spreadOf(engine.samples),
      nanosecondsInC: inC.length === 0 ? null : spreadOf(inC)
    })),
    grid: grid.map(({ months, size, timed: { samples } }) => ({ size, months, perLoanMonth: spreadOf(samples) })),
    comparisonMilliseconds: {
      everyPlan: spreadOf(comparisons.everyPlan.samples),
      slowestPlan: spreadOf(comparisons.slowestPlan.samples)
    }
  }
  return { text: render(findings), data: findings }
}

const clearSamples = (
  calibrations: Array<number>,
  cases: ReadonlyArray<Case>,
  grid: ReadonlyArray<Cell>,
  comparisons: ReadonlyArray<Timed>
): void => {
  calibrations.length = 0
  for (const { engine, inC } of cases) engine.samples.length = inC.length = 0
  for (const { samples } of [...grid.map((cell) => cell.timed), ...comparisons]) samples.length = 0
}
