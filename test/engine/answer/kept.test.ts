/** Test that the engine's cache of cited rules stays bounded for any number of requests. */

import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { currentLaw } from "../../../src/engine/law/law.ts"
import { type EngineRequest, project } from "../../../src/engine/projection.ts"
import { makeWorkspace } from "../../../src/engine/schedule/workspace.ts"
import { START } from "../../cases/case.ts"
import { projection } from "../../support/requests.ts"

const QUESTIONS = 30_000
const MAX_GROWTH_BYTES = 7.5e6

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const heapUsed = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const { scenario, ...request } = Schema.decodeUnknownSync(ProjectionRequest)(projection)

/** Requests that differ in the state: a caller of the library may pass any string. */
const questionOf = (state: string): EngineRequest => ({ ...request, scenario: { ...scenario, state } })

describe("the cache of cited rules", () => {
  it("does not grow with the number of distinct requests", () => {
    const workspace = makeWorkspace()
    const ask = (from: number, to: number) => {
      for (let one = from; one < to; one++) project(currentLaw, questionOf(`state ${one}`), START, workspace)
    }
    ask(0, QUESTIONS)
    const before = heapUsed()
    ask(QUESTIONS, 2 * QUESTIONS)
    expect(heapUsed() - before).toBeLessThan(MAX_GROWTH_BYTES)
  })
})
