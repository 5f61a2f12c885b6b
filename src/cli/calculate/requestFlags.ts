/**
 * Requests made of flags: the flags of each command and the body that they form. The schemas of the
 * API decode the body; only its problems are reported by flag.
 */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { ComparisonArm } from "../../../schema/comparison.ts"
import { PLAN_TYPES, type Scenario } from "../../../schema/scenario.ts"
import { decodeStrictly, type StrictSchema } from "../../request/decode.ts"
import { badInput } from "../failures.ts"
import { CHANGES, type ChangeSent } from "./changes.ts"
import { FlagReader, type Given, nameOfLoan } from "./flagReader.ts"
import type { FlagSpec } from "./flagSpec.ts"
import { BALANCE, LOAN, PROJECTED_LOAN } from "./loanFlags.ts"
import { LUMP_SUMS, PAUSES, SWITCHES } from "./pauses.ts"
import {
  BUDGET,
  DISCOUNT,
  EXTRA,
  FAMILY,
  FIRST_BORROWED,
  HOUSEHOLD,
  LABEL,
  PLAN,
  PRICE_GROWTH,
  SPOUSE_BALANCE,
  SPOUSE_INCOME,
  STATUS,
  YEARLY
} from "./scenarioFlags.ts"

/** The flags of a command, and the body that they form. */
export interface Shape<Body = unknown> {
  readonly specs: ReadonlyArray<FlagSpec>
  readonly takesPlans: boolean
  readonly compose: (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => Body
}

const JOINTLY = "MarriedFilingJointly"

/** The flags of a scenario's optional fields. */
const ADDITIONS = [FIRST_BORROWED, PRICE_GROWTH, FAMILY, EXTRA, BUDGET, LUMP_SUMS, PAUSES, SWITCHES, CHANGES, DISCOUNT]
const SPOUSE = [SPOUSE_INCOME, SPOUSE_BALANCE]

/**
 * Members of a spouse without a joint return then or later are refused, because the user would
 * believe that they count.
 */
const spouseOf = (reader: FlagReader, given: Given, status: unknown, changes: ReadonlyArray<ChangeSent>) => {
  const isJoint = (year: ChangeSent | undefined) => year?.[STATUS.field] === JOINTLY
  const years: ReadonlyArray<ChangeSent> = [{ fromYear: 1, [STATUS.field]: status }, ...changes]
  /** Whether a joint return is filed in the year at this index, or in a later one. */
  const countsFrom = (index: number) => {
    const inForce = years.findLast((year, at) => at <= index && year[STATUS.field] !== undefined)
    return isJoint(inForce) || years.slice(index + 1).some(isJoint)
  }
  const useless = years.findIndex(
    (year, index) => index > 0 && SPOUSE.some(({ field }) => field in year) && !countsFrom(index)
  )
  if (useless > 0)
    reader.problems.set(
      CHANGES.flag,
      `year ${years[useless]!.fromYear}: a spouse's income and loans count only on a joint return: add status=mfj, or leave them out`
    )
  if (countsFrom(0)) {
    const sent = changes.find((change) => SPOUSE_INCOME.field in change)
    const isSentInTime = sent !== undefined && sent.fromYear <= years.find(isJoint)!.fromYear
    return reader.fields(
      [isSentInTime ? SPOUSE_INCOME : { ...SPOUSE_INCOME, absent: { assumed: 0 } }, SPOUSE_BALANCE],
      given
    )
  }
  for (const { flag } of SPOUSE.filter((spec) => given[spec.flag] !== undefined))
    reader.problems.set(flag, "counts only on a joint return: send --status mfj too, or leave it out")
  return {}
}

const householdOf = (reader: FlagReader, given: Given) => {
  const household = reader.fields(HOUSEHOLD, given)
  const additions = reader.fields(ADDITIONS, given)
  const changes = (additions[CHANGES.field] ?? []) as ReadonlyArray<ChangeSent>
  return { ...household, ...spouseOf(reader, given, household[STATUS.field], changes), ...additions }
}

const SCENARIO = [...HOUSEHOLD, ...SPOUSE, ...ADDITIONS]

const onePlan = (reader: FlagReader, plans: ReadonlyArray<string>) => {
  if (plans.length > 1)
    reader.problems.set("plan", "can be given only once; to compare several plans, use repay compare")
  return reader.field(PLAN, plans[0])
}

const scenarioOf = (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => ({
  scenario: { ...onePlan(reader, plans), ...householdOf(reader, given), ...reader.field(LABEL, given["label"]) }
})

export const PROJECTION: Shape = {
  specs: [...SCENARIO, ...PROJECTED_LOAN, LABEL, YEARLY],
  takesPlans: true,
  compose: (reader, given, plans) => ({
    ...scenarioOf(reader, given, plans),
    loans: reader.loans(PROJECTED_LOAN, given),
    ...reader.field(YEARLY, given["yearly"])
  })
}

/** As for a projection, without `--yearly`, which has no effect there. */
export const EXPLANATION: Shape = { ...PROJECTION, specs: PROJECTION.specs.filter((spec) => spec !== YEARLY) }

/** The flag of the plan that the borrower is in. */
export const CURRENT = "current"

/** As for a projection, without the plans, which are tried. */
export const PATHS: Shape = {
  specs: [...SCENARIO, ...PROJECTED_LOAN].filter((spec) => spec !== SWITCHES),
  takesPlans: false,
  compose: (reader, given) => ({
    scenario: { planType: PLAN_TYPES[0], ...householdOf(reader, given) },
    loans: reader.loans(PROJECTED_LOAN, given)
  })
}

/** The household and loans without a plan: every plan is computed. */
export const EVERY_PLAN: Shape = {
  specs: PATHS.specs,
  takesPlans: false,
  compose: (reader, given) => {
    for (const { flag } of [SWITCHES, YEARLY].filter((spec) => given[spec.flag] !== undefined))
      reader.problems.set(flag, "needs at least two plans: send --plan RAP --plan standard too, or leave it out")
    const { planChanges: _, ...scenario } = { planChanges: undefined, ...householdOf(reader, given) }
    return { scenario, loans: reader.loans(PROJECTED_LOAN, given) }
  }
}

/** The same household under each plan. */
const scenariosOf = (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => {
  const named = plans.map((plan) => reader.field(PLAN, plan))
  const household = householdOf(reader, given)
  return named.map((plan) => ({ scenario: { ...plan, ...household, label: plan[PLAN.field] ?? null } }))
}

const armsOf = (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => {
  if (plans.length < 2) reader.problems.set("plan", "must be given at least twice: send --plan RAP --plan standard")
  const scenarios = scenariosOf(reader, given, plans)
  const loans = reader.loans(PROJECTED_LOAN, given)
  return scenarios.map((arm) => ({ ...arm, loans }))
}

export const COMPARISON: Shape = {
  specs: [...SCENARIO, ...PROJECTED_LOAN, YEARLY],
  takesPlans: true,
  compose: (reader, given, plans) => ({
    arms: armsOf(reader, given, plans),
    ...reader.field(YEARLY, given["yearly"])
  })
}

/** Scenarios without loans: one, or the same household under several plans. */
export interface Households {
  readonly arms: ReadonlyArray<{ readonly scenario: object }>
  readonly includeYearly?: unknown
}

const householdsOf = (reader: FlagReader, given: Given, plans: ReadonlyArray<string>): Households["arms"] => {
  if (plans.length < 2) return [scenarioOf(reader, given, plans)]
  if (given["label"] !== undefined)
    reader.problems.set("label", "can label only one plan; leave it out, because several are labeled with their names")
  return scenariosOf(reader, given, plans)
}

export const HOUSEHOLDS: Shape<Households> = {
  specs: [...SCENARIO, LABEL, YEARLY],
  takesPlans: true,
  compose: (reader, given, plans) => ({
    arms: householdsOf(reader, given, plans),
    ...reader.field(YEARLY, given["yearly"])
  })
}

export const ELIGIBILITY: Shape = {
  specs: [...LOAN, FIRST_BORROWED],
  takesPlans: false,
  compose: (reader, given) => ({
    loans: reader.loans(LOAN, given),
    ...reader.field(FIRST_BORROWED, given[FIRST_BORROWED.flag])
  })
}

const inLines = (texts: ReadonlyArray<string>): string | undefined =>
  texts.length === 0 ? undefined : texts.join("\n")

const flagOf = ({ about, flag, metavar, repeats }: FlagSpec): Flag.Flag<string | undefined> => {
  if (metavar === undefined)
    return Flag.optional(Flag.Boolean(flag)).pipe(
      Flag.map((value) => Option.getOrUndefined(Option.map(value, String))),
      Flag.withDescription(about)
    )
  const text = Flag.String(flag).pipe(Flag.withMetavar(metavar), Flag.withDescription(about))
  return repeats ? Flag.map(Flag.atLeast(text, 0), inLines) : Flag.map(Flag.optional(text), Option.getOrUndefined)
}

const planFlag = Flag.String(PLAN.flag).pipe(
  Flag.withMetavar(PLAN.metavar!),
  Flag.withDescription(PLAN.about),
  Flag.atLeast(0),
  Flag.map((lists) => lists.flatMap((list) => list.split(",")))
)

/** The command-line flags of a shape. */
export const flagsOf = ({ specs, takesPlans }: Shape) => ({
  ...(takesPlans ? { plan: planFlag } : {}),
  specs: Object.fromEntries(specs.map((spec) => [spec.flag, flagOf(spec)]))
})

const FLAG_OF_PATH: Readonly<Record<string, string>> = Object.fromEntries([
  ...[PLAN, ...SCENARIO, LABEL].map(({ field, flag }) => [`scenario.${field}`, flag]),
  ...LOAN.map(({ field, flag }) => [`loans[0].${field}`, flag]),
  ["loans", BALANCE],
  ["currentPlan", CURRENT],
  [FIRST_BORROWED.field, FIRST_BORROWED.flag]
])

/** The flag that sets the field at a path, the same for every arm; undefined if there is none. */
export const flagAt = (path: string): string | undefined =>
  FLAG_OF_PATH[
    path
      .replace(/^arms\[\d+\]\./, "")
      .replace(/^(scenario\.(?:changes|pauses|planChanges|lumpSums))\[.*/, "$1")
      .replace(/^loans\[\d+\]/, "loans[0]")
  ]

/** The optional fields that a scenario and its loans use, in the words of the flags; may be empty. */
const additionsOf = ({ loans, scenario }: ComparisonArm): string => {
  const phrases = ADDITIONS.flatMap(({ field, say }) => {
    const value = scenario[field as keyof Scenario] ?? 0
    return value === 0 || (Array.isArray(value) && value.length === 0) ? [] : [say(value)]
  })
  const dated = loans.filter(({ madeOn }) => madeOn !== null).length
  const dates = dated === 0 ? [] : [`days on which loans were made (${dated} of ${loans.length})`]
  return [...phrases, ...dates].join(", ")
}

/** Lines about the optional fields that arms use: one line if all are equal, else one per arm. */
export const withAdditions = (arms: ReadonlyArray<ComparisonArm>): ReadonlyArray<string> => {
  const added = arms.map(additionsOf)
  const lines =
    new Set(added).size === 1
      ? [`With: ${added[0]}.`]
      : added.map((each, arm) => `With, in scenario ${arm + 1}: ${each}.`)
  return lines.filter((_, arm) => added[arm] !== "")
}

/** The request that flags make: the body as sent, the decoded request, and the summary. */
export const requestOf = Effect.fnUntraced(function* <S extends StrictSchema, Body>(
  shape: Shape<Body>,
  schema: S,
  given: Given,
  plans: ReadonlyArray<string>
) {
  const reader = new FlagReader()
  const body = shape.compose(reader, given, plans)
  const decoded = yield* Effect.result(decodeStrictly(schema)(body))
  const { problems, summary } = reader
  if (decoded._tag === "Failure") {
    for (const [path, messages] of Object.entries(decoded.failure)) {
      const flag = flagAt(path) ?? PLAN.flag
      const loan = Number(/loans\[(\d+)\]/.exec(path)?.[1] ?? 0)
      if (!problems.has(flag)) problems.set(flag, `${loan > 0 ? nameOfLoan(loan, loan + 1) : ""}${messages.join("; ")}`)
    }
  }
  if (decoded._tag === "Failure" || problems.size > 0)
    return yield* badInput(...[...problems].map(([flag, message]) => `--${flag}: ${message}`))
  return { body, request: decoded.success, summary }
})
