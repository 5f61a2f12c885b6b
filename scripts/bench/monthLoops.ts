/**
 * The driver of monthLoops.c: compiles it into a temporary folder and passes it the cases with
 * their payments already computed. It requests one timing at a time, so that C and the engine are
 * timed under the same load.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { extendedPlanTerms, graduatedSchedule, standardPlanTerms } from "../../ledger/rules/fixed-plans.ts"
import { idrSubsidizedInterestMonths } from "../../ledger/rules/interest.ts"
import { rapPrincipalMatch } from "../../ledger/rules/repayment-assistance.ts"
import { repayeInterestSubsidy } from "../../ledger/rules/revised-pay-as-you-earn.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { graduatedScheduleOf } from "../../src/engine/plans/graduated.ts"
import type { EnginePlan } from "../../src/engine/plans/plan.ts"
import { planOf } from "../../src/engine/plans/registry.ts"
import { type EngineRequest, project, runUntil } from "../../src/engine/projection.ts"
import { annuity } from "../../src/engine/schedule/annuity.ts"
import { START } from "./borrowers.ts"

const SOURCE = join(import.meta.dirname, "monthLoops.c")
const YEARS = 50
/** A month beyond every schedule. */
const NEVER = 9_999
const KIND = { fixed: 0, split: 1, pool: 2 } as const

const SUBSIDIZED_MONTHS = currentLaw.read(idrSubsidizedInterestMonths).months
const REPAYE = currentLaw.read(repayeInterestSubsidy)
const STANDARD = currentLaw.read(standardPlanTerms)
const EXTENDED = currentLaw.read(extendedPlanTerms)
const GRADUATED = currentLaw.read(graduatedSchedule)

/** Interest waivers: months of full waiver on subsidized loans, and the share otherwise. */
const WAIVERS: Partial<Record<EnginePlan, readonly [subsidizedMonths: number, otherwise: number]>> = {
  "INCOME BASED": [SUBSIDIZED_MONTHS, 0],
  "INCOME BASED (OLD)": [SUBSIDIZED_MONTHS, 0],
  "PAY AS YOU EARN": [SUBSIDIZED_MONTHS, 0],
  "REVISED PAY AS YOU EARN": [REPAYE.subsidizedFullMonths, REPAYE.otherwiseShare],
  SAVE: [0, 1]
}

const isFixed = (planType: EnginePlan): boolean => planOf(planType).kind === "fixed"

const kindOf = (planType: EnginePlan): number => {
  if (planType === "REPAYMENT ASSISTANCE") return KIND.pool
  return isFixed(planType) ? KIND.fixed : KIND.split
}

/** The payment of each year, which is the first payment of a borrower with that year's income. */
const paymentsOf = (request: EngineRequest): ReadonlyArray<number> =>
  Array.from({ length: YEARS }, (_, year) => {
    const { adjustedGrossIncome, annualIncomeGrowth } = request.scenario
    const income = adjustedGrossIncome * (1 + annualIncomeGrowth) ** year
    const outcome = runUntil(
      currentLaw,
      { ...request, scenario: { ...request.scenario, adjustedGrossIncome: income } },
      START,
      1
    )
    return outcome._tag === "UnroundedRun" ? outcome.firstPayment : 0
  })

/** Principal, monthly rate, full-waiver months, payment, term and payment ratio of each loan. */
const columnsOf = ({ loans, scenario: { planType } }: EngineRequest): ReadonlyArray<number> =>
  loans.flatMap(({ interestRate, loanType, principalBalance }) => {
    const rate = interestRate / 12
    const months = planType === "EXTENDED" ? EXTENDED.months : STANDARD.months
    const subsidizedMonths = currentLaw.traitsOf[loanType].subsidized ? (WAIVERS[planType]?.[0] ?? 0) : 0
    const { first, ratio } =
      planType === "GRADUATED"
        ? graduatedScheduleOf(GRADUATED, { principal: principalBalance, interest: 0, rate, months })
        : { first: annuity(principalBalance, rate, months), ratio: 1 }
    return [principalBalance, rate, subsidizedMonths, first, months, ratio]
  })

const borrowerOf = (request: EngineRequest): ReadonlyArray<number> => {
  const { planType } = request.scenario
  const outcome = project(currentLaw, request, START)
  const isForgiven = outcome._tag === "Projection" && outcome.forgivenessType !== "None"
  return [
    request.loans.length,
    isForgiven ? (outcome.monthsToFinish ?? NEVER) : NEVER,
    WAIVERS[planType]?.[1] ?? 0,
    currentLaw.read(rapPrincipalMatch).cap,
    planType === "GRADUATED" ? GRADUATED.stepMonths : NEVER,
    ...(isFixed(planType) ? Array<number>(YEARS).fill(0) : paymentsOf(request)),
    ...columnsOf(request)
  ]
}

const written = (cases: ReadonlyArray<ReadonlyArray<EngineRequest>>): string =>
  [
    cases.length,
    ...cases.flatMap((requests) => [
      kindOf(requests[0]!.scenario.planType),
      requests.length,
      ...requests.flatMap(borrowerOf)
    ])
  ].join("\n")

/** Nanoseconds of all repetitions together, and dollars paid by the borrowers of the case. */
export interface LoopTiming {
  readonly nanoseconds: number
  readonly paid: number
}

export interface Loop {
  readonly compiler: string
  readonly time: (index: number, repetitions: number) => Promise<LoopTiming>
  readonly close: () => void
}

const COMPILER = "cc"
const OPTIONS = ["-O2"]

/** The path of the compiled program, or `undefined` without a C compiler. */
const compiled = (directory: string): string | undefined => {
  const program = join(directory, "loop")
  return spawnSync(COMPILER, [...OPTIONS, "-o", program, SOURCE]).status === 0 ? program : undefined
}

const versionOf = (): string => spawnSync(COMPILER, ["--version"], { encoding: "utf8" }).stdout.split("\n")[0] ?? ""

const converse = async (child: ChildProcess, input: string) => {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const ask = async (line: string): Promise<string> => {
    child.stdin!.write(`${line}\n`)
    const { done, value } = await lines.next()
    if (done === true) throw new Error("the C loop ended early")
    return value
  }
  await ask(input)
  return ask
}

/** Starts the C loop with its cases; `undefined` without a C compiler. */
export const startLoop = async (cases: ReadonlyArray<ReadonlyArray<EngineRequest>>): Promise<Loop | undefined> => {
  const directory = mkdtempSync(join(tmpdir(), "bench-loop-"))
  const program = compiled(directory)
  if (program === undefined) {
    rmSync(directory, { recursive: true })
    return undefined
  }
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] })
  const ask = await converse(child, written(cases))
  return {
    compiler: `${versionOf()} ${OPTIONS.join(" ")}`,
    time: async (index, repetitions) => {
      const [nanoseconds = 0, paid = 0] = (await ask(`${index} ${repetitions}`)).split(" ").map(Number)
      return { nanoseconds, paid }
    },
    close: () => {
      child.stdin?.end()
      rmSync(directory, { recursive: true })
    }
  }
}
