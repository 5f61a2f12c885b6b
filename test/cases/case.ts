/**
 * The schema of a case, and the reader of the case files. A case is a request of the API, its
 * figures worked by hand from the law, and their source. measure.ts computes the engine's figures.
 */
import { Schema } from "effect"
import peerErrorsFile from "./peer-errors.json" with { type: "json" }
import publishedFile from "./published.json" with { type: "json" }
import tableRowsFile from "./table-rows.json" with { type: "json" }
import taxExamplesFile from "./tax-examples.json" with { type: "json" }
import workedNumbersFile from "./worked-numbers.json" with { type: "json" }

const TIERS = [
  "official",
  "official-via",
  "association",
  "think-tank",
  "nonprofit",
  "college",
  "guarantor",
  "open-model",
  "press",
  "hand-worked"
] as const

/** The name of a figure, with an index if there are several: `yearly.3.cumulativePaid`. */
const FigurePath = Schema.String.check(Schema.isPattern(/^[a-z]\w*(\.\d+(\.\w+)?)?$/i))

const Value = Schema.Union([Schema.Finite, Schema.String])

const Members = Schema.Record(Schema.String, Schema.Unknown)

/** A projection request of the API; measure.ts checks it by its own schema. */
const WireRequest = Schema.StructWithRest(Schema.Struct({ scenario: Members, loans: Schema.Array(Members) }), [Members])

export const Case = Schema.Struct({
  id: Schema.NonEmptyString,
  /** The worked number, example or error that the case belongs to; it may need several cases. */
  of: Schema.NonEmptyString,
  title: Schema.NonEmptyString,
  source: Schema.Struct({
    citation: Schema.NonEmptyString,
    url: Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/)),
    tier: Schema.Literals(TIERS)
  }),
  /** One line of arithmetic from the law. */
  working: Schema.NonEmptyString,
  /** Year of the poverty guideline and of the ICR factors. */
  constantsYear: Schema.Literals([2025, 2026]),
  /** How inputs were completed or replaced that the source omits or the API does not carry. */
  equivalent: Schema.optionalKey(Schema.NonEmptyString),
  request: Schema.optionalKey(WireRequest),
  /** The request of the other spouse, for figures of a couple. */
  spouseRequest: Schema.optionalKey(WireRequest),
  /** A request of the keyless calculator instead of a projection. */
  calculator: Schema.optionalKey(Schema.Struct({ plan: Schema.NonEmptyString, request: Members })),
  expect: Schema.Record(FigurePath, Value),
  /** The printed figures. */
  published: Schema.optionalKey(Schema.Record(FigurePath, Schema.Finite)),
  /** Why a printed figure differs from `expect`, or has no counterpart there. */
  cause: Schema.optionalKey(Schema.Record(FigurePath, Schema.NonEmptyString)),
  /** The figure of a known error of other calculators. */
  wrong: Schema.optionalKey(
    Schema.Struct({ field: FigurePath, value: Schema.Finite, who: Schema.NonEmptyString, error: Schema.NonEmptyString })
  ),
  notRunBecause: Schema.optionalKey(Schema.NonEmptyString)
})
export type Case = typeof Case.Type

const CaseFile = Schema.Struct({
  about: Schema.NonEmptyString,
  /** The ids that the file must account for. */
  ids: Schema.Array(Schema.NonEmptyString),
  /** Default members of every scenario and loan in the file. */
  defaults: Schema.Struct({ scenario: Members, loan: Members }),
  cases: Schema.Array(Case)
})
type CaseFile = typeof CaseFile.Type

type Defaults = CaseFile["defaults"]

const completeRequest = (request: typeof WireRequest.Type, { loan, scenario }: Defaults): typeof WireRequest.Type => ({
  ...request,
  scenario: { ...scenario, ...request.scenario },
  loans: request.loans.map((own) => ({ ...loan, ...own }))
})

const completeCase = (one: Case, defaults: Defaults): Case => ({
  ...one,
  ...(one.request === undefined ? {} : { request: completeRequest(one.request, defaults) }),
  ...(one.spouseRequest === undefined ? {} : { spouseRequest: completeRequest(one.spouseRequest, defaults) })
})

const decode = Schema.decodeUnknownSync(CaseFile, { onExcessProperty: "error" })

/** Reads a file of cases and completes their requests by the defaults. */
const read = (content: unknown): CaseFile => {
  const file = decode(content)
  return { ...file, cases: file.cases.map((one) => completeCase(one, file.defaults)) }
}

export const workedNumbers = read(workedNumbersFile)
export const taxExamples = read(taxExamplesFile)
export const tableRows = read(tableRowsFile)
export const published = read(publishedFile)
export const peerErrors = read(peerErrorsFile)

/** The day on which every case is answered, and the first month of repayment. */
export const ANSWERED_ON = "2026-11-20"
export const START = { year: 2026, month: 12 } as const

/** Tolerance of figures printed in whole dollars. */
const WHOLE_DOLLAR_SLACK = 0.5

const EQUAL_BELOW = 0.005

/** Whether a printed figure equals the expected one to the printed precision. */
export const agrees = (printed: number, expected: number): boolean => {
  const gap = Math.abs(printed - expected)
  return gap < EQUAL_BELOW || (Number.isInteger(printed) && gap <= WHOLE_DOLLAR_SLACK)
}

export const DISPOSITIONS = ["run as stated", "run with other constants", "difference", "not run"] as const
export type Disposition = (typeof DISPOSITIONS)[number]

const dispositionOfCase = (one: Case): Disposition => {
  if (one.notRunBecause !== undefined) return "not run"
  const differs = Object.entries(one.published ?? {}).some(([field, printed]) => {
    const expected = one.expect[field]
    return typeof expected !== "number" || !agrees(printed, expected)
  })
  if (differs) return "difference"
  return one.constantsYear === 2026 ? "run as stated" : "run with other constants"
}

/** The disposition of an example: that of its case furthest from "run as stated". */
export const dispositionOf = (file: CaseFile, id: string): Disposition => {
  const found = file.cases.filter((one) => one.of === id).map(dispositionOfCase)
  if (found.length === 0) throw new Error(`no case accounts for ${id}`)
  return DISPOSITIONS.findLast((disposition) => found.includes(disposition))!
}
