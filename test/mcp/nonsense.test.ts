/**
 * Tool calls of a model that does not know the service. A generic rule repairs each one from its
 * error alone: it reads the wrong field and what to send, and calls again.
 */
import { describe, expect, it } from "vitest"
import { loan, scenario } from "../support/requests.ts"
import { type ToolServer, useToolServer } from "../support/toolServer.ts"

const service = useToolServer({ SANDBOX_MONTHLY_CALLS: "10000" })

const MAX_ROUNDS = 6

type Args = Record<string, unknown>

/** The steps of a path such as "loans[0].interestRate". */
const stepsOf = (path: string): ReadonlyArray<string | number> =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => (index === undefined ? name! : Number(index)))

/** The value that an error says to send; undefined if the member has to be removed. */
const valueIn = (message: string, sent: unknown): unknown => {
  if (/remove it/.test(message)) return undefined
  const quoted = /send "([^"]+)"/.exec(message)
  if (quoted !== null) return quoted[1]
  const meant = /; send (-?[\d.]+)(?:$|;)/.exec(message)
  if (meant !== null) return Number(meant[1])
  const atMost = /at most (\d+) (?:characters|arms|loans)|must hold \d+ to (\d+)/.exec(message)
  const limit = Number(atMost?.[1] ?? atMost?.[2])
  if (typeof sent === "string" && sent.length > limit) return sent.slice(0, limit)
  if (Array.isArray(sent) && sent.length > limit) return sent.slice(0, limit)
  const array = /(?:array of|must hold) (\d+) to/.exec(message)
  if (array !== null) {
    const items = Array.isArray(sent) ? sent : []
    return [...items, ...Array.from({ length: Number(array[1]) - items.length }, () => ({}))]
  }
  if (/object/.test(message)) return {}
  const example = /such as (\d{4}-\d\d-\d\d|-?[\d.]+\d|[\w ()]+)/.exec(message)
  if (example !== null) return Number.isNaN(Number(example[1])) ? example[1] : Number(example[1])
  const listed = /one of (?:the [\w ]+: )?([^;]+);/.exec(message)
  if (listed !== null) return listed[1]
  if (/true or false/.test(message)) return false
  if (/null/.test(message)) return null
  if (/whole number|, 0 for/.test(message)) return 0
  const first = /(?:send|must be) (\w+)(?: \(\w+\))?(?:,| or)/.exec(message)
  if (first !== null) return first[1]
  throw new Error(`says nothing to send: ${message}`)
}

/** The arguments after one error was followed. */
const repaired = (args: unknown, [step, ...others]: ReadonlyArray<string | number>, message: string): unknown => {
  if (step === undefined) return valueIn(message, args)
  const copy = (Array.isArray(args) ? [...args] : { ...(args as Args) }) as Args
  const value = repaired(copy[step], others, message)
  if (value === undefined) delete copy[step]
  else copy[step] = value
  return copy
}

/** Calls until it is answered; returns the number of repairs. */
const roundsFor = async ({ rpc }: ToolServer, key: string, tool: string, first: unknown): Promise<number> => {
  let args = first
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const response = await rpc(key, "tools/call", { name: tool, arguments: args })
    const { result } = await response.json()
    if (result.isError !== true) return round
    const { errors } = JSON.parse(result.content[0].text) as { readonly errors: Record<string, ReadonlyArray<string>> }
    for (const [path, messages] of Object.entries(errors)) args = repaired(args, stepsOf(path), messages.at(-1)!)
  }
  throw new Error(`not answered after ${MAX_ROUNDS} repairs: ${JSON.stringify(args)}`)
}

const withScenario = (changes: object) => ({ scenario: { ...scenario, ...changes }, loans: [loan] })
const withLoan = (changes: object) => ({ scenario, loans: [{ ...loan, ...changes }] })
const without = (name: string) => {
  const { [name]: _, ...rest } = scenario as Record<string, unknown>
  return { scenario: rest, loans: [loan] }
}
const arm = { scenario, loans: [loan] }

type Case = readonly [what: string, args: object, tool?: "compare_scenarios" | "get_eligible_plans" | "get_plan_types"]
const NONSENSE: ReadonlyArray<Case> = [
  ["no arguments", {}],
  ["RAP", withScenario({ planType: "RAP" })],
  ["IBR", withScenario({ planType: "IBR" })],
  ["PAYE", withScenario({ planType: "PAYE" })],
  ["ICR", withScenario({ planType: "icr" })],
  ["standard plan", withScenario({ planType: "standard plan" })],
  ["a slip in the plan", withScenario({ planType: "GRADUTED" })],
  ["a plan that there is not", withScenario({ planType: "the cheapest one" })],
  ["a plan as a number", withScenario({ planType: 3 })],
  ["no plan", without("planType")],
  ["an income as text", withScenario({ adjustedGrossIncome: "60000" })],
  ["an income with a dollar sign", withScenario({ adjustedGrossIncome: "$60,000" })],
  ["a negative income", withScenario({ adjustedGrossIncome: -1 })],
  ["an income beyond all", withScenario({ adjustedGrossIncome: 1e12 })],
  ["no income", without("adjustedGrossIncome")],
  ["married filing jointly", withScenario({ filingStatus: "married filing jointly" })],
  ["married", withScenario({ filingStatus: "married" })],
  ["a filing status that there is not", withScenario({ filingStatus: "it's complicated" })],
  ["no filing status", without("filingStatus")],
  ["a state's name", withScenario({ state: "North Carolina" })],
  ["a state that there is not", withScenario({ state: "ZZ" })],
  ["no state", without("state")],
  ["dependents as text", withScenario({ dependents: "two" })],
  ["half a dependent", withScenario({ dependents: 2.5 })],
  ["public service as text", withScenario({ workingTowardsPslf: "yes" })],
  ["growth in percent", withScenario({ annualIncomeGrowth: 3 })],
  ["a label that is too long", withScenario({ label: "x".repeat(100) })],
  ["a label as a number", withScenario({ label: 7 })],
  ["names of another service", { ...arm, agi: 5, scenario: { ...scenario, income: 60_000 } }],
  ["no loans", { scenario, loans: [] }],
  ["a loan in place of a list", { scenario, loans: loan }],
  ["a hundred and one loans", { scenario, loans: Array.from({ length: 101 }, () => loan) }],
  ["a rate in percent", withLoan({ interestRate: 6.8 })],
  ["a rate as text", withLoan({ interestRate: "6.8%" })],
  ["Direct Unsubsidized", withLoan({ loanType: "Direct Unsubsidized" })],
  ["Grad PLUS", withLoan({ loanType: "Grad PLUS" })],
  ["a loan type that there is not", withLoan({ loanType: "private" })],
  ["a loan without anything", { scenario, loans: [{}] }],
  ["months as text", withLoan({ idrMonthsInRepayment: "12" })],
  ["a month in place of a day", withLoan({ madeOn: "2019-08" })],
  ["a date as a number", withLoan({ madeOn: 20190826 })],
  ["growth of prices in percent", withScenario({ annualPriceGrowth: 2.5 })],
  ["a negative extra payment", withScenario({ extraMonthlyPayment: -50 })],
  ["a change in the first year", withScenario({ changes: [{ fromYear: 1, dependents: 1 }] })],
  ["a change by another name", withScenario({ changes: [{ year: 3, dependents: 1 }] })],
  ["a change in place of a list", withScenario({ changes: { fromYear: 3, dependents: 1 } })],
  ["too many payments", withLoan({ pslfCount: 500 })],
  ["a plan that the loan cannot take", withLoan({ loanType: "DIRECT PLUS PARENT" })],
  ["a comparison of one", { arms: [arm] }, "compare_scenarios"],
  ["a comparison of eleven", { arms: Array.from({ length: 11 }, () => arm) }, "compare_scenarios"],
  ["a scenario as text", { scenario: "RAP, 60k, single", loans: [loan] }],
  ["loans as text", { loans: "two Direct loans" }, "get_eligible_plans"],
  ["a plan to look for", { plan: "SAVE" }, "get_plan_types"],
  ["a detail that there is not", { ...arm, detail: "everything" }]
]

describe("a nonsensical call", () => {
  it.each(NONSENSE.map(([what, args, tool = "run_projection"]) => ({ what, args, tool })))(
    "is answered after its errors were followed: $what",
    async ({ args, tool }) => {
      const key = await service().mint()
      expect(await roundsFor(service(), key, tool, args)).toBeGreaterThan(0)
      expect(await service().used(key)).toBe(1)
    }
  )
})
