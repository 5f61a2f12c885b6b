/**
 * Requests made of flags: the flags of each command and the body that they form. The schemas of the
 * API decode the body; only its problems are reported by flag.
 */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { decodeStrictly, type StrictSchema } from "../../request/decode.ts"
import { badInput } from "../failures.ts"
import { FlagReader, type Given } from "./flagReader.ts"
import type { FlagSpec } from "./flagSpec.ts"
import { LOAN, PROJECTED_LOAN } from "./loanFlags.ts"
import { HOUSEHOLD, LABEL, PLAN, SPOUSE_BALANCE, SPOUSE_INCOME, YEARLY } from "./scenarioFlags.ts"

/** The flags of a command, and the body that they form. */
export interface Shape<Body = unknown> {
  readonly specs: ReadonlyArray<FlagSpec>
  readonly takesPlans: boolean
  readonly compose: (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => Body
}

const JOINTLY = "MarriedFilingJointly"

/** Spouse flags without a joint return are refused: the user would believe that they count. */
const spouseOf = (reader: FlagReader, given: Given, status: unknown) => {
  const spouseFlags = [SPOUSE_INCOME, SPOUSE_BALANCE].filter(({ flag }) => given[flag] !== undefined)
  if (status === JOINTLY) return reader.fields([{ ...SPOUSE_INCOME, absent: { assumed: 0 } }, SPOUSE_BALANCE], given)
  for (const { flag } of spouseFlags)
    reader.problems.set(flag, "counts on a joint return alone: send --status mfj too, or leave it out")
  return {}
}

const householdOf = (reader: FlagReader, given: Given) => {
  const household = reader.fields(HOUSEHOLD, given)
  return { ...household, ...spouseOf(reader, given, household["filingStatus"]) }
}

const SCENARIO = [...HOUSEHOLD, SPOUSE_INCOME, SPOUSE_BALANCE]

const onePlan = (reader: FlagReader, plans: ReadonlyArray<string>) => {
  if (plans.length > 1) reader.problems.set("plan", "is one plan here; for several side by side: repay compare")
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
    loans: [reader.fields(PROJECTED_LOAN, given)],
    ...reader.field(YEARLY, given["yearly"])
  })
}

/** As for a projection, without `--yearly`, which has no effect there. */
export const EXPLANATION: Shape = { ...PROJECTION, specs: PROJECTION.specs.filter((spec) => spec !== YEARLY) }

/** The same household under each plan. */
const scenariosOf = (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => {
  const named = plans.map((plan) => reader.field(PLAN, plan))
  const household = householdOf(reader, given)
  return named.map((plan) => ({ scenario: { ...plan, ...household, label: plan[PLAN.field] ?? null } }))
}

const armsOf = (reader: FlagReader, given: Given, plans: ReadonlyArray<string>) => {
  if (plans.length < 2) reader.problems.set("plan", "is required twice or more: send --plan RAP --plan standard")
  const scenarios = scenariosOf(reader, given, plans)
  const loans = [reader.fields(PROJECTED_LOAN, given)]
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
  if (given["label"] !== undefined) reader.problems.set("label", "names one plan; several are labeled with their names")
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
  specs: LOAN,
  takesPlans: false,
  compose: (reader, given) => ({ loans: [reader.fields(LOAN, given)] })
}

const flagOf = ({ about, flag, metavar }: FlagSpec): Flag.Flag<string | undefined> =>
  (metavar === undefined
    ? Flag.map(Flag.optional(Flag.Boolean(flag)), Option.map(String))
    : Flag.optional(Flag.withMetavar(Flag.String(flag), metavar))
  ).pipe(Flag.map(Option.getOrUndefined), Flag.withDescription(about))

const planFlag = Flag.String(PLAN.flag).pipe(
  Flag.withMetavar(PLAN.metavar!),
  Flag.withDescription(PLAN.about),
  Flag.atLeast(0)
)

/** The command-line flags of a shape. */
export const flagsOf = ({ specs, takesPlans }: Shape) => ({
  ...(takesPlans ? { plan: planFlag } : {}),
  specs: Object.fromEntries(specs.map((spec) => [spec.flag, flagOf(spec)]))
})

const FLAG_OF_PATH: Readonly<Record<string, string>> = Object.fromEntries([
  ...[PLAN, ...SCENARIO, LABEL].map(({ field, flag }) => [`scenario.${field}`, flag]),
  ...LOAN.map(({ field, flag }) => [`loans[0].${field}`, flag])
])

/** The flag that sets the field at a path; it is the same for every arm. */
const flagAt = (path: string): string => FLAG_OF_PATH[path.replace(/^arms\[\d+\]\./, "")] ?? PLAN.flag

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
      const flag = flagAt(path)
      if (!problems.has(flag)) problems.set(flag, messages.join("; "))
    }
  }
  if (decoded._tag === "Failure" || problems.size > 0)
    return yield* badInput(...[...problems].map(([flag, message]) => `--${flag}: ${message}`))
  return { body, request: decoded.success, summary }
})
