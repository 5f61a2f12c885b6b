/**
 * The cases of a plan against the engine: the numbers worked by hand, the tax examples, the rows of the tables, what
 * authorities and others printed, and the errors of others. Expected figures live in the data alone, never taken from the
 * engine.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../../schema/projection.ts"
import { type Case, peerErrors, published, tableRows, taxExamples, workedNumbers } from "../cases/case.ts"
import { measure } from "../cases/measure.ts"

export const FILES = { workedNumbers, taxExamples, tableRows, published, peerErrors }

export const isRun = (one: Case): boolean => one.notRunBecause === undefined

/** The plan of a projection, or that of the calculator which no projection request can name. */
export const planOf = (one: Case): string =>
  one.calculator === undefined
    ? Schema.decodeUnknownSync(ProjectionRequest)(one.request).scenario.planType
    : "TIERED STANDARD"

/** The engine's figures of a case are those that the law gives, and not the one of a known error. */
const check = (one: Case): void => {
  const figures = measure(one)
  const found = Object.fromEntries(Object.keys(one.expect).map((path) => [path, figures(path)]))
  expect(found, one.working).toEqual(one.expect)
  if (one.wrong !== undefined) expect(figures(one.wrong.field), one.wrong.error).not.toBe(one.wrong.value)
}

export const casesOf = (plan: string): void => {
  for (const [name, { cases }] of Object.entries(FILES)) {
    const own = cases.filter((one) => isRun(one) && planOf(one) === plan)
    if (own.length > 0) describe(name, () => it.each(own)("$id: $title", check))
  }
}
