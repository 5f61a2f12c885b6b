/**
 * The `compare-releases` task: sends random requests and the cases of the test suite to this
 * checkout and another, and prints the answers that differ. It then compares the values of the two
 * ledgers. Ids, times, texts of rules, and routes that the other checkout lacks are ignored. An
 * argument `old=new` maps a name of the other checkout to its name here.
 */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "../property-tests/generators/requests.ts"
import { MAX_LOANS_OF_PATHS } from "../schema/bounds.ts"
import { PLAN_TYPES } from "../schema/scenario.ts"
import { peerErrors, published, tableRows, taxExamples, workedNumbers } from "../test/cases/case.ts"
import { type Call, callerOf, mintOver } from "../test/support/calls.ts"
import { fewAtOnce } from "../test/support/fewAtOnce.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { comparable, type Json } from "./comparable.ts"
import { insist, Misuse, PROJECT, say, service, step } from "./harness.ts"

const MAX_SHOWN = 5
const AT_ONCE = 16

interface Question {
  readonly path: string
  readonly body: unknown
}

/** A running release, whose answers are translated into the names of this checkout. */
interface Release {
  readonly call: Call
  readonly key: string
  readonly translated: (text: string) => string
}

const start = async (folder: string, translated: Release["translated"]): Promise<Release> => {
  const { base } = await service({ ...NO_LIMITS, SANDBOX_MONTHLY_CALLS: "10000000" }, { folder })
  const call = callerOf(base)
  return { call, key: (await mintOver(call)).apiKey, translated }
}

const ask = async ({ call, key, translated }: Release, { body, path }: Question): Promise<string> => {
  const response = await call("POST", path, { json: body, key })
  return translated(JSON.stringify([response.status, comparable((await response.json()) as Json)]))
}

const cases = (): ReadonlyArray<Question> =>
  [published, workedNumbers, tableRows, taxExamples, peerErrors].flatMap((file) =>
    file.cases.flatMap(({ calculator, request, spouseRequest }) => [
      ...[request, spouseRequest].flatMap((body) => (body === undefined ? [] : [{ path: "/v1/projection", body }])),
      ...(calculator === undefined ? [] : [{ path: "/v1/calculators/loan", body: calculator.request }])
    ])
  )

/** Books under every plan, some with a search for the best path. */
const plansRequests = (): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      projectionRequests({ maxLoans: MAX_LOANS_OF_PATHS }),
      fc.boolean(),
      fc.option(fc.constantFrom(...PLAN_TYPES))
    )
    .map(([{ loans, scenario }, bestPath, currentPlan]) => {
      const { label: _label, planChanges: _planChanges, planType: _planType, ...household } = scenario
      return { scenario: household, loans, bestPath, currentPlan }
    })

const questionsOf = (count: number, seed: number): ReadonlyArray<Question> => {
  const drawn = (path: string, requests: fc.Arbitrary<unknown>, share: number): ReadonlyArray<Question> =>
    fc.sample(requests, { numRuns: Math.round(count * share), seed }).map((body) => ({ path, body }))
  return [
    ...cases(),
    ...drawn("/v1/projection", projectionRequests({ maxLoans: 20 }), 0.7),
    ...drawn("/v1/comparison", comparisonRequests({ maxLoans: 3 }), 0.05),
    ...drawn("/v1/plan-eligibility", eligibilityRequests({ maxLoans: 20 }), 0.1),
    ...drawn("/v1/calculators/loan", calculationRequests(), 0.1),
    ...drawn("/v1/calculators/plans", plansRequests(), 0.05)
  ]
}

/** The questions that the other release has a route for. */
const answeredBy = async ({ call }: Release, questions: ReadonlyArray<Question>): Promise<ReadonlyArray<Question>> => {
  const { paths } = (await (await call("GET", "/openapi.json")).json()) as { readonly paths: object }
  return questions.filter(({ path }) => Object.hasOwn(paths, path))
}

/** The published values and dates of a ledger, by id. */
const valuesOf = async ({ call, translated }: Release): Promise<ReadonlyMap<string, Json>> => {
  const { constants } = JSON.parse(translated(await (await call("GET", "/v1/rules")).text())) as {
    readonly constants: ReadonlyArray<{ readonly id: string; readonly value: Json; readonly effectiveDate: string }>
  }
  return new Map(constants.map(({ effectiveDate, id, value }) => [id, { effectiveDate, value }]))
}

const compareLedgers = async (ours: Release, theirs: Release): Promise<string> => {
  const [here, there] = [await valuesOf(ours), await valuesOf(theirs)]
  const ids = [...new Set([...here.keys(), ...there.keys()])]
  const differing = ids.filter((id) => !isDeepStrictEqual(here.get(id), there.get(id)))
  const how = (id: string) => (here.has(id) ? (there.has(id) ? "another value" : "only here") : "only there")
  insist(differing.length === 0, differing.map((id) => `${id}: ${how(id)}`).join("\n"))
  return `${here.size} entries, the same in both`
}

const compareAnswers = async (ours: Release, theirs: Release, questions: ReadonlyArray<Question>): Promise<string> => {
  let differing = 0
  const statuses = new Map<string, number>()
  await fewAtOnce(AT_ONCE, questions, async (question) => {
    const [here, there] = await Promise.all([ask(ours, question), ask(theirs, question)])
    const status = `${question.path} ${here.slice(1, 4)}`
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (here !== there && ++differing <= MAX_SHOWN)
      say(JSON.stringify({ question, here: JSON.parse(here), there: JSON.parse(there) }))
  })
  insist(differing === 0, `${differing} of ${questions.length} answers differ`)
  return `${questions.length} answers, the same from both: ${JSON.stringify(Object.fromEntries(statuses))}`
}

export default async ([other = "", count = "20000", seed = "1", ...renamed]: ReadonlyArray<string>) => {
  const isCheckout = other !== "" && existsSync(join(other, "src/main.ts"))
  if (!isCheckout || !(Number(count) >= 1) || Number.isNaN(Number(seed)))
    throw new Misuse("usage: npm run x -- compare-releases <other checkout> [requests] [seed] [old=new ...]")
  const renames = renamed.map((pair) => pair.split("=") as [string, string])
  const ours = await start(PROJECT, (text) => text)
  const theirs = await start(resolve(other), (text) =>
    renames.reduce((result, [old, now]) => result.replaceAll(old, now), text)
  )
  await step("both releases give the same answers", async () =>
    compareAnswers(ours, theirs, await answeredBy(theirs, questionsOf(Number(count), Number(seed))))
  )
  await step("both ledgers have the same values", () => compareLedgers(ours, theirs))
}
