/** The laws of lives that bend and of changes of plan, for the oracle itself. The engine is not involved. */
import { describe } from "vitest"
import { runs, seedOr } from "../../test/support/random.ts"
import { type Life, lawsOfLives, lawsOfPlanChanges } from "../lives.ts"
import { type Decimal, ONE } from "./decimal.ts"
import { oracleProject, type Start, type WireProjection } from "./oracle.ts"
import { toCents } from "./rounding.ts"
import { sumOf } from "./worked/asking.ts"

const dollarsOf = (value: Decimal): number => Number(value / (ONE / 10n ** 9n)) / 1e9

function oracleLife(request: WireProjection, start: Start): Life | null {
  const answer = oracleProject({ ...request, includeYearly: true }, start)
  if (answer.kind !== "projection" || answer.edges.length > 0) return null
  const { exact, presentValue, yearly, ...shown } = answer
  const { months } = exact
  const total = (part: "accrued" | "paid" | "waived" | "matched" | "dust") =>
    dollarsOf(sumOf(months.map((month) => month[part])))
  // The dust of a book without a balance is in no month.
  const unmoved =
    months.length === 0 ? sumOf([yearly![0]!.exact.principalBalance, yearly![0]!.exact.interestBalance]) : 0n
  const last = months.at(-1)
  return {
    accrued: total("accrued"),
    paid: total("paid"),
    waived: total("waived"),
    matched: total("matched"),
    forgiven: dollarsOf(exact.amountForgiven),
    left: total("dust") + dollarsOf(unmoved + (last === undefined ? 0n : last.principal + last.interest)),
    firstPayment: dollarsOf(exact.firstPayment),
    payments: months.map(({ paid }) => dollarsOf(paid)),
    tax: dollarsOf(sumOf(exact.taxes.flatMap(({ federal, state }) => [federal, state]))),
    presentValue: exact.presentValue === null ? null : dollarsOf(exact.presentValue.value),
    monthsToFinish: answer.monthsToFinish,
    figures: [shown, yearly!.map(({ exact: _, ...point }) => point), toCents(exact.firstPayment)]
  }
}

const RUNS = { numRuns: runs(15, 150), seed: seedOr(20261128) }

describe("of the oracle", () => lawsOfLives(oracleLife, RUNS))
describe("changes of plan of the oracle", () => lawsOfPlanChanges(oracleLife, RUNS))
