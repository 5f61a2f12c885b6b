/**
 * Tests of the library as one bundled file for pages and workers: its size, that it runs in a
 * browser, and that its figures are those of the service's engine.
 */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { projectionRequests } from "../../property-tests/generators/requests.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { bundleOf } from "../../scripts/pack/engine.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { project } from "../../src/engine/projection.ts"
import type * as library from "../../src/library/index.ts"
import { START } from "../cases/case.ts"

const KB = 1024
/** Size limits; docs/library.md states the sizes. */
const MAX_BYTES = 165 * KB
const MAX_BYTES_GZIPPED = 50 * KB

const decode = Schema.decodeUnknownSync(ProjectionRequest)
const { code, bytes, gzipped } = await bundleOf()
const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof library

describe("the bundled library", () => {
  it("is smaller than its limits, raw and gzipped", () => {
    expect(bytes).toBeLessThan(MAX_BYTES)
    expect(gzipped).toBeLessThan(MAX_BYTES_GZIPPED)
  })

  it("needs no import and no Node global", () => {
    expect(code).not.toMatch(/(?<!["'`])\bfrom\s*["'`]|\bimport\s*[("'`]|\brequire\b|\bprocess\b|\bBuffer\b/)
  })

  it("returns the figures and rules of the engine", () => {
    const check = fc.property(projectionRequests({ maxLoans: 4 }), (wire) => {
      const request = wire as library.ProjectionRequest
      expect(bundled.project(request, { start: START })).toEqual(project(currentLaw, decode(wire), START))
    })
    fc.assert(check, { numRuns: 500, seed: 20261121 })
  })
})
