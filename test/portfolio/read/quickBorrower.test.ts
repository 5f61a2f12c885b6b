/** The fast decoder of borrowers, which must agree with their schema. */
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { Borrower } from "../../../src/portfolio/read/borrower.ts"
import { quickBorrower } from "../../../src/portfolio/read/quickBorrower.ts"
import { decodeStrictly } from "../../../src/request/decode.ts"
import { borrowerOf } from "../../support/borrowers.ts"
import { EDGES } from "../../support/edges.ts"

const decode = decodeStrictly(Borrower)
const bySchema = (value: unknown) => Result.getOrUndefined(Effect.runSync(Effect.result(decode(value))))

const WHOLE = {
  ...borrowerOf(1, 2),
  spouseAdjustedGrossIncome: 1,
  spouseFederalLoanBalance: 2,
  currentPlan: "save"
}
const [LOAN, ...LOANS] = WHOLE.loans

const without = (of: object, name: string) => Object.fromEntries(Object.entries(of).filter(([key]) => key !== name))

/** The value with each member changed or removed, and with an unknown one. */
const changesOf = (of: object): ReadonlyArray<object> =>
  [...Object.keys(of), "unknown", "planType", "label"].flatMap((name) => [
    without(of, name),
    ...EDGES.map((edge) => ({ ...of, [name]: edge }))
  ])

const VALUES: ReadonlyArray<unknown> = [
  WHOLE,
  ...EDGES,
  ...changesOf(WHOLE),
  ...["ibr-new", "IBR old", "rap", "paye"].map((currentPlan) => ({ ...WHOLE, currentPlan })),
  ...changesOf({ pslfCount: 1, disbursedAmount: 9, ...LOAN }).map((loan) => ({ ...WHOLE, loans: [...LOANS, loan] })),
  ...["A", " A", "A\u0000", "x".repeat(128), "x".repeat(129), "😀".repeat(64), "😀".repeat(65)].map((borrowerId) => ({
    ...WHOLE,
    borrowerId
  }))
]

describe("the fast decoder", () => {
  it("accepts the same values as the schema, with the same result", () => {
    expect(quickBorrower(WHOLE)).toBeDefined()
    for (const value of VALUES) expect(quickBorrower(value), JSON.stringify(value)).toEqual(bySchema(value))
  })
})
