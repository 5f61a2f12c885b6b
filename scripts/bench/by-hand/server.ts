/**
 * The hand-written server of the HTTP bench: Fastify with its own validation, and `pg` with one
 * prepared statement that checks the key, charges the call and records the answer. Engine, texts
 * and hashes are the service's own, so both answer the same bytes. It has no rate limits, request
 * ids, spans, metrics or service headers, all to its advantage.
 */
import { createHmac, hash, randomUUID } from "node:crypto"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { Pool } from "pg"
import { ruleVersion } from "../../../ledger/index.ts"
import type { BriefComparison, BriefProjection } from "../../../schema/brief.ts"
import { CALCULATOR_LOAN_TYPES, type KeylessLoanRequest } from "../../../schema/calculator.ts"
import type { ComparisonRequest } from "../../../schema/comparison.ts"
import type { EligibilityRequest } from "../../../schema/eligibility.ts"
import contract from "../../../schema/generated/openapi.json" with { type: "json" }
import { LOAN_TYPES } from "../../../schema/loan.ts"
import { isUuid } from "../../../schema/primitives.ts"
import type { ProjectionRequest } from "../../../schema/projection.ts"
import { FILING_ALIASES, FILING_STATUSES, PLAN_TYPES, STATES } from "../../../schema/scenario.ts"
import { calculate } from "../../../src/engine/calculator.ts"
import { compare } from "../../../src/engine/comparison.ts"
import { eligiblePlans } from "../../../src/engine/eligibility.ts"
import { currentLaw } from "../../../src/engine/law/law.ts"
import { project } from "../../../src/engine/projection.ts"
import { startMonthOf } from "../../../src/engine/schedule/calendar.ts"
import { makeWorkspace } from "../../../src/engine/schedule/workspace.ts"
import { hashOf, tierOf } from "../../../src/services/accounts/apiKey.ts"
import { briefComparison, briefProjection } from "../../../src/services/answers/brief.ts"
import { canonicalJson } from "../../../src/services/answers/InputsHash.ts"
import {
  comparisonAnswer,
  comparisonText,
  eligibilityAnswer,
  type Identity,
  identified,
  keylessAnswer,
  newSalt,
  projectionAnswer,
  projectionText,
  unrecorded
} from "../../../src/services/answers/provenance.ts"

const { DATABASE_URL, MONTHLY_CALLS, PUBLIC_URL, SECRET_PEPPER } = process.env as Record<string, string>
const PEPPER = SECRET_PEPPER!
const LIMIT = Number(MONTHLY_CALLS)
/** The best number: faster than more connections for one key, and no slower for many keys. */
const MAX_CONNECTIONS = 16
const BODY_BYTES = 1024 * 1024
const YEAR_AND_MONTH = "YYYY-MM".length

const pool = new Pool({
  connectionString: DATABASE_URL!,
  max: MAX_CONNECTIONS,
  statement_timeout: 2000,
  idleTimeoutMillis: 0
})
const workspace = makeWorkspace()

/**
 * Returns a row if the key is valid; `used` is null if its monthly quota is used up. Revocations
 * wait for the row lock, as in Charging.
 */
const CHARGE = `
  WITH live AS (
    SELECT id, tenant FROM api_key
    WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) FOR NO KEY UPDATE
  ), charged AS (
    INSERT INTO usage AS counter (key_id, period, used) SELECT id, $3, 1 FROM live
    ON CONFLICT (key_id, period) DO UPDATE SET used = counter.used + 1 WHERE counter.used < $4
    RETURNING used
  )`
const USED = "SELECT charged.used FROM live LEFT JOIN charged ON true"
const CHARGE_ONLY = { name: "charge", text: `${CHARGE} ${USED}` }
const CHARGE_AND_RECORD = {
  name: "record",
  text: `${CHARGE}, written AS (
    INSERT INTO answer (answer_id, recorded_at, kind, inputs_hash, answer_hash, tenant, key_id)
    SELECT $5, $2, $6, $7, $8, substr(tenant, 3)::uuid, id FROM live JOIN charged ON true
  ) ${USED}`
}
const FIND = {
  name: "find",
  text: `SELECT recorded_at, source, endpoint, event_type, rule_version, inputs_hash, answer_hash
    FROM recorded_answer WHERE answer_id = $1`
}

/** Kinds of record by endpoint, created before the first call. */
const kinds = new Map<string, number>()
for (const [endpoint, eventType] of [
  ["POST /v1/projection", "calc.projection.run"],
  ["POST /v1/comparison", "calc.comparison.run"]
]) {
  const kind = [endpoint, eventType, ruleVersion]
  await pool.query(
    `INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
     VALUES ('PublicApi', $1, $2, $3, 'h1-', 'a2-') ON CONFLICT DO NOTHING`,
    kind
  )
  const { rows } = await pool.query<{ readonly id: number }>(
    `SELECT id FROM answer_kind
     WHERE source = 'PublicApi' AND endpoint = $1 AND event_type = $2 AND rule_version = $3`,
    kind
  )
  kinds.set(endpoint!, rows[0]!.id)
}

const refused = (statusCode: number): Error => Object.assign(new Error(`refused with ${statusCode}`), { statusCode })

const charge = async (
  { headers }: FastifyRequest,
  now: Date,
  statement: typeof CHARGE_ONLY,
  record: ReadonlyArray<unknown>
): Promise<void> => {
  const key = headers["x-api-key"]
  if (typeof key !== "string" || tierOf(key) === undefined) throw refused(401)
  const instant = now.toISOString()
  const values = [hashOf(PEPPER, key), instant, `${instant.slice(0, YEAR_AND_MONTH)}-01`, LIMIT, ...record]
  const { rows } = await pool.query<{ readonly used: number | null }>({ ...statement, values })
  if (rows[0] === undefined) throw refused(401)
  if (rows[0].used === null) throw refused(429)
}

const recorded = async (
  request: FastifyRequest,
  now: Date,
  endpoint: string,
  eventType: string,
  briefOf: (identity: Identity) => BriefProjection | BriefComparison
) => {
  const answerId = randomUUID()
  const verifyUrl = `${PUBLIC_URL}/v1/verify/${answerId}`
  const identity = { answerId, computedAtUtc: now.toISOString(), verifyUrl, answerSalt: newSalt() }
  const inputs = createHmac("sha256", PEPPER).update(eventType).update(canonicalJson(request.body)).digest()
  const record = [answerId, kinds.get(endpoint), inputs, hash("sha256", canonicalJson(briefOf(identity)), "buffer")]
  await charge(request, now, CHARGE_AND_RECORD, record)
  return identity
}

const namesOf = (names: ReadonlyArray<string>, aliases: Readonly<Record<string, string>> = {}) =>
  new Map(
    [...names.map((name) => [name, name] as const), ...Object.entries(aliases)].map(([a, b]) => [a.toUpperCase(), b])
  )

const NAMES: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  "Scenario.planType": namesOf(PLAN_TYPES),
  "Scenario.filingStatus": namesOf(FILING_STATUSES, FILING_ALIASES),
  "Scenario.state": namesOf(STATES),
  "Loan.loanType": namesOf(LOAN_TYPES),
  "KeylessLoanRequest.filingStatus": namesOf(FILING_STATUSES, FILING_ALIASES),
  "KeylessLoanRequest.state": namesOf(STATES),
  "KeylessLoanRequest.loanType": namesOf(LOAN_TYPES, CALCULATOR_LOAN_TYPES)
}

/** An ajv keyword that replaces a name by its canonical spelling, or fails. */
const spelled = (field: string) => {
  const names = NAMES[field]!
  return (text: unknown, at?: { parentData: Record<string, unknown>; parentDataProperty: string | number }) => {
    if (typeof text !== "string") return true
    const name = names.get(text.trim().toUpperCase())
    if (at !== undefined && name !== undefined && name !== text) at.parentData[at.parentDataProperty] = name
    return name !== undefined
  }
}

/** The schemas of the contract, extended by the `spelled` keyword for names. */
const schemas: Record<string, { properties?: Record<string, object> }> = JSON.parse(
  JSON.stringify(contract.components.schemas).replaceAll("#/components/schemas/", "#/$defs/")
)
for (const field of Object.keys(NAMES)) {
  const [name, property] = field.split(".")
  Object.assign(schemas[name!]!.properties![property!]!, { spelled: field })
}

const bodyOf = (name: string) => ({ schema: { body: { $ref: `contract#/$defs/${name}` } } })

const app = Fastify({
  bodyLimit: BODY_BYTES,
  ajv: {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      keywords: [{ keyword: "spelled", modifying: true, errors: false, compile: spelled }]
    }
  }
})
app.addSchema({ $id: "contract", $defs: schemas })

const send = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header("content-type", "application/json").send(text)

app.post<{ Body: ProjectionRequest }>("/v1/projection", bodyOf("ProjectionRequest"), async (request, reply) => {
  const now = new Date()
  const outcome = project(currentLaw, request.body, startMonthOf(now), workspace)
  if (outcome._tag === "Refusal") throw refused(400)
  const answer = projectionAnswer(outcome, request.body)
  const identity = await recorded(request, now, "POST /v1/projection", "calc.projection.run", (known) =>
    briefProjection(answer, known)
  )
  return send(reply, projectionText(answer, identity))
})

app.post<{ Body: ComparisonRequest }>("/v1/comparison", bodyOf("ComparisonRequest"), async (request, reply) => {
  const now = new Date()
  const outcome = compare(currentLaw, request.body, startMonthOf(now), workspace)
  if (outcome._tag === "RefusedArms") throw refused(400)
  const answer = comparisonAnswer(outcome, request.body.arms)
  const identity = await recorded(request, now, "POST /v1/comparison", "calc.comparison.run", (known) =>
    briefComparison(answer, known)
  )
  return send(reply, comparisonText(answer, identity))
})

app.post<{ Body: EligibilityRequest }>("/v1/plan-eligibility", bodyOf("EligibilityRequest"), async (request, reply) => {
  const now = new Date()
  const loans = eligiblePlans(currentLaw, request.body.loans, workspace)
  await charge(request, now, CHARGE_ONLY, [])
  return send(reply, JSON.stringify(identified(eligibilityAnswer(loans), unrecorded(now))))
})

app.post<{ Body: KeylessLoanRequest }>("/v1/calculators/loan", bodyOf("KeylessLoanRequest"), async (request, reply) => {
  const now = new Date()
  const calculation = calculate(currentLaw, request.body, startMonthOf(now), workspace)
  return send(reply, JSON.stringify(keylessAnswer(calculation, request.body, now)))
})

app.get<{ Params: { answerId: string } }>("/v1/verify/:answerId", async ({ params: { answerId } }, reply) => {
  const { rows } = isUuid(answerId) ? await pool.query({ ...FIND, values: [answerId] }) : { rows: [] }
  const [row] = rows
  if (row === undefined) throw refused(404)
  const { answer_hash: answerHash, endpoint, event_type: eventType, inputs_hash: inputsHash, source } = row
  const [recordedAtUtc, ruleVersion] = [row.recorded_at.toISOString(), row.rule_version]
  const record = { answerId, recordedAtUtc, source, endpoint, eventType, ruleVersion, inputsHash, answerHash }
  return send(reply, JSON.stringify({ ...record, recorded: true }))
})

app.get("/health", async () => ({ status: "ok" }))

console.log(`listening on ${await app.listen({ port: 0, host: "127.0.0.1" })}`)
