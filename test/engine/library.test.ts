/**
 * The engine as one file for pages and workers: small, free of whatever a browser lacks, and of the same figures as the
 * engine that the service runs.
 */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { projectionRequests } from "../../property-tests/generators/requests.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { bundleOf } from "../../scripts/bundle.ts"
import * as library from "../../src/engine/library.ts"
import { START } from "../cases/case.ts"

const KB = 1024
/** As README.md says. */
const MOST_BYTES = 90 * KB
const MOST_BYTES_GZIPPED = 30 * KB

const decode = Schema.decodeUnknownSync(ProjectionRequest)
const { code, bytes, gzipped } = await bundleOf({ words: false })
const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof library

describe("the engine as one file", () => {
  it("is small", () => {
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(gzipped).toBeLessThan(MOST_BYTES_GZIPPED)
  })

  it("asks for nothing beside itself", () => {
    expect(code).not.toMatch(/\bfrom\s*["'`]|\bimport\s*[("'`]|\brequire\b|\bprocess\b|\bBuffer\b/)
  })

  it("gives the figures and rules that the service gives", () => {
    const workspace = bundled.makeWorkspace()
    const check = fc.property(projectionRequests({ mostLoans: 4 }), (wire) => {
      const request = decode(wire)
      expect(bundled.project(bundled.currentLaw, request, START, workspace)).toEqual(
        library.project(library.currentLaw, request, START)
      )
    })
    fc.assert(check, { numRuns: 500, seed: 20261121 })
  })
})
