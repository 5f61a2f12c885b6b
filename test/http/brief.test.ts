/** `?detail=brief`: the answer as the tools send it, with the same figures and a record of its own. */
import { Schema } from "effect"
import { expect, it } from "vitest"
import { BriefComparison, BriefProjection } from "../../schema/brief.ts"
import { createClient } from "../../src/client/plain/index.ts"
import { expectProblem } from "../support/answers.ts"
import { comparison, projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })
const send = async (target: string, json: unknown, key: string) => service().call("POST", target, { json, key })

const UNIQUE = { answerId: "", answerSalt: "", computedAtUtc: "", verifyUrl: "", textsHash: "" }

it.each([
  ["/v1/projection", projection, BriefProjection],
  ["/v1/comparison", comparison, BriefComparison]
] as const)("%s sends ids in place of texts, and its record commits to that answer", async (path, request, schema) => {
  const key = await service().mint()
  const response = await send(`${path}?detail=brief`, request, key)
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/vnd.repayment-of-record.brief+json"
  ])
  const text = await response.text()
  const brief = JSON.parse(text)
  expect(Schema.is(schema as Schema.Codec<unknown>)(brief)).toBe(true)

  const full = await (await send(path, request, key)).text()
  const { provenance, ...figures } = JSON.parse(full)
  const { computedBy: _, engine: __, parityVerified: ___, ...kept } = provenance
  const idsOf = (rules: ReadonlyArray<{ readonly id: string }>) => rules.map(({ id }) => id)
  const withIds = { ...kept, citations: idsOf(kept.citations), knownOmissions: idsOf(kept.knownOmissions) }
  const arms = figures.projections?.map(({ provenance: _, ...arm }: { readonly provenance: unknown }) => arm)
  expect({ ...brief, provenance: { ...brief.provenance, ...UNIQUE } }).toEqual({
    ...figures,
    ...(arms === undefined ? {} : { projections: arms }),
    provenance: { ...withIds, ...UNIQUE }
  })
  expect(text.length).toBeLessThan(full.length / 3)

  const checked = await service().call("POST", `/v1/verify/${brief.provenance.answerId}`, { json: brief })
  expect(await checked.json()).toMatchObject({ matches: true })
})

it("detail=full is the default, and any other detail or parameter is refused and not charged", async () => {
  const key = await service().mint()
  const full = await send("/v1/projection?detail=full", projection, key)
  expect(full.headers.get("content-type")).toBe("application/json")
  expect((await full.json()).provenance.citations[0].label).toEqual(expect.any(String))
  for (const [query, field, message] of [
    ["detail=short", "detail", "must be brief or full"],
    ["detail=", "detail", "must be brief or full"],
    ["detail=brief&detail=full", "detail", "must be brief or full"],
    ["detial=brief", "detial", "is not a known property; remove it"]
  ] as const) {
    const refused = await send(`/v1/projection?${query}`, projection, key)
    const { errors } = await expectProblem(refused, 400, "validation")
    expect(errors).toEqual({ [field]: [message] })
  }
  const me = await (await service().call("GET", "/v1/me", { key })).json()
  expect(me.callsUsedThisPeriod).toBe(2)
})

it("the client gives a brief answer when it is asked for one, and checks it", async () => {
  const client = createClient({ baseUrl: service().base, apiKey: await service().mint() })
  const answer = await client.project(projection as never, { detail: "brief" })
  expect(answer.provenance.textsHash).toMatch(/^[0-9a-f]{64}$/)
  expect(await client.check(answer)).toMatchObject({ matches: true })
  const compared = await client.compare(comparison as never, { detail: "brief" })
  expect(await client.check(compared)).toMatchObject({ matches: true })
})
