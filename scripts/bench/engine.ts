/**
 * The engine bench: projections a second of one thread, from decoded request to answer, of every
 * plan for books of 1, 3 and 10 loans, and with two changes of plan, two pauses and a budget. The engine of a checkout
 * runs beside it in alternating rounds, each in a process of its own. As a main module, this file
 * is such a process. The search for the best path is timed in this process, without a checkout.
 */
import { cpus } from "node:os"
import { join } from "node:path"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { bestPath, currentLaw, makeWorkspace } from "../../src/engine/index.ts"
import { PROJECT } from "../harness.ts"
import { BOOK_SIZES, INPUTS, requestsOf, START } from "./borrowers.ts"
import { alternated, computeRounds, median, medianRatio, quantile, startRounds } from "./rounds.ts"

const ROUNDS = 20
const WARM_UP_ROUNDS = 2
const MILLISECONDS = 300
const QUICK_MILLISECONDS = 50

/** What a life that bends sends besides. */
const BENT = {
  monthlyBudget: 600,
  pauses: [
    { kind: "Forbearance", from: "2027-06", until: "2027-12", loans: null },
    { kind: "Deferment", from: "2029-06", until: "2029-12", loans: null }
  ]
} as const

/** Income-Based can be left for these two alone, and others end in July 2028. */
const CHANGES = { "2028-03": "REPAYMENT ASSISTANCE", "2032-06": "STANDARD" } as const

const bentOf = <Scenario extends { readonly planType: string }>(scenario: Scenario) => ({
  ...scenario,
  ...BENT,
  planChanges: Object.entries(CHANGES).flatMap(([from, planType], index) =>
    index === 0 && planType === scenario.planType ? [] : [{ from, planType }]
  )
})

interface Asked {
  /** Loans of a book. */
  readonly size: (typeof BOOK_SIZES)[number]
  readonly isBent: boolean
  readonly milliseconds: number
}

/**
 * Projects all requests again and again; resolves with projections a second of the thread's own
 * running time, because other processes may keep the processors busy.
 */
const roundsOf = async (folder: string) => {
  const load = <A>(file: string): Promise<A> => import(join(folder, "src/engine", file))
  const { project } = await load<typeof import("../../src/engine/projection.ts")>("projection.ts")
  const { currentLaw } = await load<typeof import("../../src/engine/law/law.ts")>("law/law.ts")
  const { makeWorkspace } = await load<typeof import("../../src/engine/schedule/workspace.ts")>("schedule/workspace.ts")
  const workspace = makeWorkspace()
  const books = new Map(BOOK_SIZES.map((size) => [size, PLAN_TYPES.flatMap((planType) => requestsOf(planType, size))]))
  const bentBooks = new Map(
    [...books].map(([size, all]) => [size, all.map((one) => ({ ...one, scenario: bentOf(one.scenario) }))])
  )
  return ({ isBent, milliseconds, size }: Asked): number => {
    const requests = (isBent ? bentBooks : books).get(size)!
    const begun = process.threadCpuUsage()
    let [projections, elapsed] = [0, 0]
    while (elapsed < milliseconds) {
      for (const request of requests) {
        const outcome = project(currentLaw, request, START, workspace)
        if (outcome._tag === "Refusal") throw new Error(`refused as ${outcome.kind}`)
      }
      projections += requests.length
      const { system, user } = process.threadCpuUsage(begun)
      elapsed = (user + system) / 1000
    }
    return (projections * 1000) / elapsed
  }
}

const PATHS_SIZE = 3

/** Milliseconds of the thread for a best path, by rounds of all borrowers after those of the warm-up. */
const timesOfBestPath = (rounds: number): ReadonlyArray<number> => {
  const workspace = makeWorkspace()
  const requests = requestsOf("STANDARD", PATHS_SIZE)
  const times = Array.from({ length: WARM_UP_ROUNDS + rounds }, () => {
    const begun = process.threadCpuUsage()
    for (const request of requests) {
      const outcome = bestPath(currentLaw, { ...request, currentPlan: null }, START, workspace)
      if (outcome._tag === "Refusal") throw new Error(`refused as ${outcome.kind}`)
    }
    const { system, user } = process.threadCpuUsage(begun)
    return (user + system) / 1000 / requests.length
  })
  return times.slice(WARM_UP_ROUNDS)
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

/** @param beside a folder with another version of this project, with its modules installed */
export const benchEngine = async (isQuick: boolean, beside: string | undefined): Promise<string> => {
  const folders = beside === undefined ? [PROJECT] : [PROJECT, beside]
  const engines = folders.map((folder) => ({
    round: startRounds<Asked, number>(import.meta.filename, folder),
    samples: new Map(BOOK_SIZES.map((size) => [size, [] as Array<number>]))
  }))
  const bent = new Map(BOOK_SIZES.map((size) => [size, [] as Array<number>]))
  const milliseconds = isQuick ? QUICK_MILLISECONDS : MILLISECONDS
  for (let index = -WARM_UP_ROUNDS; index < ROUNDS; index++) {
    for (const size of BOOK_SIZES) {
      for (const { round, samples } of alternated(engines, index)) {
        const perSecond = await round({ size, milliseconds, isBent: false })
        if (index >= 0) samples.get(size)!.push(perSecond)
      }
      const perSecond = await engines[0]!.round({ size, milliseconds, isBent: true })
      if (index >= 0) bent.get(size)!.push(perSecond)
    }
  }
  const rows = BOOK_SIZES.map((size) => {
    const [here, there] = engines.map(({ samples }) => samples.get(size)!)
    const ratios = there === undefined ? [] : here!.map((one, round) => one / there[round]!)
    const compared =
      there === undefined
        ? "- | - | -"
        : `${whole(median(there))} | ${medianRatio(here!, there).toFixed(3)} | ${quantile(ratios, 0.25).toFixed(3)} to ${quantile(ratios, 0.75).toFixed(3)}`
    return `| ${size} | ${whole(median(here!))} | ${compared} | ${medianRatio(here!, bent.get(size)!).toFixed(1)} |`
  })
  const paths = timesOfBestPath(isQuick ? 2 : ROUNDS)
  return [
    `One thread of ${cpus()[0]?.model.trim()}, node ${process.version}; medians of ${ROUNDS} alternating rounds of ${milliseconds} ms.`,
    `${PLAN_TYPES.length} plans. ${INPUTS}.`,
    "",
    "| loans | projections a second | beside | ratio | its middle half | two changes, two pauses and a budget: times as long |",
    "|--:|--:|--:|--:|--:|--:|",
    ...rows,
    "",
    `The best path of ${PATHS_SIZE} loans takes ${median(paths).toFixed(1)} ms.`
  ].join("\n")
}

if (import.meta.main) {
  const round = roundsOf(process.argv[2]!)
  computeRounds(async (asked: Asked) => (await round)(asked))
}
