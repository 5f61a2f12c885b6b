/**
 * The runner of a plan's cases against the engine: hand-worked numbers, tax examples, table rows,
 * published figures, and known errors of other calculators. Expected figures are in the data files
 * and never come from the engine.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../../schema/projection.ts"
import { type Case, peerErrors, published, tableRows, taxExamples, workedNumbers } from "../cases/case.ts"
import { measure } from "../cases/measure.ts"

export const FILES = { workedNumbers, taxExamples, tableRows, published, peerErrors }

export const isRun = (one: Case): boolean => one.notRunBecause === undefined

/** The plan of a case. Cases of the calculator are all about Tiered Standard. */
export const planOf = (one: Case): string =>
  one.calculator === undefined
    ? Schema.decodeUnknownSync(ProjectionRequest)(one.request).scenario.planType
    : "TIERED STANDARD"

/** Checks that the engine gives the case's figures, and not the figure of a known error. */
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
