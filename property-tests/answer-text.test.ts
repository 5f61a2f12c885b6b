/** Tests that the fast serialization of answers equals the schema's encoding, byte for byte. */

import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { KeylessLoanRequest, LoanCalcResult } from "../schema/calculator.ts"
import { ComparisonRequest, ScenarioComparisonResult } from "../schema/comparison.ts"
import { EligibilityRequest, EligibilityResult } from "../schema/eligibility.ts"
import { ProjectionRequest, ProjectionResult } from "../schema/projection.ts"
import { VerifiedAnswer } from "../schema/records.ts"
import { calculate } from "../src/engine/calculator.ts"
import { compare } from "../src/engine/comparison.ts"
import { eligiblePlans } from "../src/engine/eligibility.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { project } from "../src/engine/projection.ts"
import { comparisonBytes, keylessText, projectionBytes } from "../src/services/answers/json.ts"
import {
  comparisonAnswer,
  eligibilityAnswer,
  identified,
  identifiedComparison,
  projectionAnswer,
  unrecorded
} from "../src/services/answers/provenance.ts"
import { verifiedAnswer } from "../src/services/answers/publicRecord.ts"
import { runs, seedOr } from "../test/support/random.ts"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests,
  started
} from "./generators/requests.ts"

const PROJECTIONS = runs(60, 600)
const COMPARISONS = runs(30, 300)
const seed = seedOr(20261121)

const identity = fc.record({
  computedAtUtc: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  answerId: fc.option(fc.uuid()),
  verifyUrl: fc.option(fc.webUrl()),
  answerSalt: fc.option(fc.base64String())
})

const encodeProjection = Schema.encodeUnknownSync(ProjectionResult)
const encodeComparison = Schema.encodeUnknownSync(ScenarioComparisonResult)
const encodeEligibility = Schema.encodeUnknownSync(EligibilityResult)
const encodeCalculation = Schema.encodeUnknownSync(LoanCalcResult)
const encodeVerified = Schema.encodeUnknownSync(VerifiedAnswer)
const decodeProjection = Schema.decodeUnknownSync(ProjectionRequest)
const decodeComparison = Schema.decodeUnknownSync(ComparisonRequest)
const decodeEligibility = Schema.decodeUnknownSync(EligibilityRequest)
const decodeCalculation = Schema.decodeUnknownSync(KeylessLoanRequest)

it("the text of a projection equals the schema's encoding", () => {
  let answered = 0
  fc.assert(
    fc.property(
      started((start) => projectionRequests({ additions: true, start })),
      identity,
      ([request, start], known) => {
        const decoded = decodeProjection(request)
        const outcome = project(currentLaw, decoded, start)
        if (outcome._tag === "Refusal") return
        answered++
        const answer = projectionAnswer(outcome, decoded)
        const encoded = encodeProjection(identified(answer, known))
        expect(Buffer.from(projectionBytes(answer, known)).toString()).toBe(JSON.stringify(encoded))
      }
    ),
    { numRuns: PROJECTIONS, seed }
  )
  expect(answered).toBeGreaterThan(PROJECTIONS / 3)
})

it("the text of a comparison equals the schema's encoding", () => {
  let answered = 0
  fc.assert(
    fc.property(
      started((start) => comparisonRequests({ additions: true, start })),
      identity,
      ([request, start], known) => {
        const decoded = decodeComparison(request)
        const outcome = compare(currentLaw, decoded, start)
        if (outcome._tag === "RefusedArms") return
        answered++
        const answer = comparisonAnswer(outcome, decoded.arms)
        const encoded = encodeComparison(identifiedComparison(answer, known))
        expect(Buffer.from(comparisonBytes(answer, known)).toString()).toBe(JSON.stringify(encoded))
      }
    ),
    { numRuns: COMPARISONS, seed }
  )
  expect(answered).toBeGreaterThan(COMPARISONS / 6)
})

it("the text of eligible plans equals the schema's encoding", () => {
  fc.assert(
    fc.property(eligibilityRequests({ additions: true }), fc.date({ noInvalidDate: true }), (request, at) => {
      const decoded = decodeEligibility(request)
      const answer = identified(eligibilityAnswer(eligiblePlans(currentLaw, decoded), decoded), unrecorded(at))
      expect(JSON.stringify(answer)).toBe(JSON.stringify(encodeEligibility(answer)))
    }),
    { numRuns: runs(25, 200), seed }
  )
})

it("the text of the calculator's answer equals the schema's encoding", () => {
  fc.assert(
    fc.property(
      started((start) => calculationRequests({ additions: true, start })),
      fc.date({ noInvalidDate: true }),
      ([request, start], at) => {
        const decoded = decodeCalculation(request)
        const text = keylessText(calculate(currentLaw, decoded, start), decoded, at)
        expect(text).toBe(JSON.stringify(encodeCalculation(JSON.parse(text))))
      }
    ),
    { numRuns: runs(25, 200), seed }
  )
})

it("the text of a record equals the schema's encoding", () => {
  const rows = fc.record({
    rowId: fc.nat(),
    answerId: fc.uuid(),
    recordedAtUtc: fc.date({ noInvalidDate: true }),
    source: fc.constantFrom("PublicApi", "McpServer"),
    endpoint: fc.string(),
    eventType: fc.constantFrom("calc.projection.run", "calc.comparison.run"),
    ruleVersion: fc.string(),
    inputsHash: fc.string(),
    answerHash: fc.string(),
    keyPrefix: fc.string(),
    tenant: fc.string()
  })
  fc.assert(
    fc.property(rows, (row) => {
      const answer = verifiedAnswer(row)
      expect(JSON.stringify(answer)).toBe(JSON.stringify(encodeVerified(answer)))
    }),
    { numRuns: 100, seed }
  )
})
