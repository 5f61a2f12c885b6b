/** The text of an answer is written by hand for speed; it is what the contract's schema would write, byte for byte. */
import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { ComparisonRequest, ScenarioComparisonResult } from "../schema/comparison.ts"
import { ProjectionRequest, ProjectionResult } from "../schema/projection.ts"
import { compare } from "../src/engine/comparison.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { project } from "../src/engine/projection.ts"
import {
  comparisonAnswer,
  comparisonText,
  identified,
  identifiedComparison,
  projectionAnswer,
  projectionText
} from "../src/services/answers/provenance.ts"
import { comparisonRequests, projectionRequests, started } from "./generators/requests.ts"

const seed = Number(process.env["PROPERTY_SEED"] ?? 20261121)

const identity = fc.record({
  computedAtUtc: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  answerId: fc.option(fc.uuid()),
  verifyUrl: fc.option(fc.webUrl())
})

const encodeProjection = Schema.encodeUnknownSync(ProjectionResult)
const encodeComparison = Schema.encodeUnknownSync(ScenarioComparisonResult)
const decodeProjection = Schema.decodeUnknownSync(ProjectionRequest)
const decodeComparison = Schema.decodeUnknownSync(ComparisonRequest)

it("of a projection", () => {
  let answered = 0
  fc.assert(
    fc.property(
      started(() => projectionRequests()),
      identity,
      ([request, start], known) => {
        const outcome = project(currentLaw, decodeProjection(request), start)
        if (outcome._tag === "Refusal") return
        answered++
        const answer = projectionAnswer(outcome)
        const encoded = encodeProjection(identified(answer, known))
        expect(projectionText(answer, known)).toBe(JSON.stringify(encoded))
      }
    ),
    { numRuns: 600, seed }
  )
  expect(answered).toBeGreaterThan(200)
})

it("of a comparison", () => {
  let answered = 0
  fc.assert(
    fc.property(
      started(() => comparisonRequests()),
      identity,
      ([request, start], known) => {
        const outcome = compare(currentLaw, decodeComparison(request), start)
        if (outcome._tag === "RefusedArms") return
        answered++
        const answer = comparisonAnswer(outcome)
        const encoded = encodeComparison(identifiedComparison(answer, known))
        expect(comparisonText(answer, known)).toBe(JSON.stringify(encoded))
      }
    ),
    { numRuns: 300, seed }
  )
  expect(answered).toBeGreaterThan(50)
})
