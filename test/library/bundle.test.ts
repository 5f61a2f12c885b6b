/**
 * The library as one file for pages and workers: small, free of whatever a browser lacks, and of the same figures as the
 * engine that the service runs.
 */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { projectionRequests } from "../../property-tests/generators/requests.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { bundleOf } from "../../scripts/bundle.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { project } from "../../src/engine/projection.ts"
import type * as library from "../../src/library/index.ts"
import { START } from "../cases/case.ts"

const KB = 1024
/** As README.md says. */
const MOST_BYTES = 110 * KB
const MOST_BYTES_GZIPPED = 33 * KB

const decode = Schema.decodeUnknownSync(ProjectionRequest)
const { code, bytes, gzipped } = await bundleOf()
const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof library

describe("the library as one file", () => {
  it("is small", () => {
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(gzipped).toBeLessThan(MOST_BYTES_GZIPPED)
  })

  it("asks for nothing beside itself", () => {
    expect(code).not.toMatch(/\bfrom\s*["'`]|\bimport\s*[("'`]|\brequire\b|\bprocess\b|\bBuffer\b/)
  })

  it("gives the figures and rules that the service gives", () => {
    const check = fc.property(projectionRequests({ mostLoans: 4 }), (wire) => {
      const request = wire as library.ProjectionRequest
      expect(bundled.project(request, { start: START })).toEqual(project(currentLaw, decode(wire), START))
    })
    fc.assert(check, { numRuns: 500, seed: 20261121 })
  })
})
