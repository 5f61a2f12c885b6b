/** Tests of the hash of inputs: equal for equal inputs, different for any other, and keyed. */
import { Effect, Redacted } from "effect"
import { ComparisonRequest } from "../../../schema/comparison.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { canonicalJson } from "../../../src/proof/commitment.ts"
import { requestWriter } from "../../../src/request/canonical.ts"
import { decodeStrictly } from "../../../src/request/decode.ts"
import { inputsHashOf } from "../../../src/services/answers/inputsHash.ts"
import { assert, describe, it } from "../../support/effects.ts"

/** Of three requests, as commit 09f8d4e gave them. */
const HASHES = [
  "h1-2cfdd92dc8440c5be1cf1edf75a8692825bebc26c4c27b685225baae5b41ff60",
  "h1-76ae9d37a5cff9ea1c2d6c34a134b22366b2e69eeb91b1b4bb3384cf596dfda6",
  "h1-6f9039bfafc59c33beea57d4bda7c98f8ec2f5509894657c8631b51f68a479fc"
]

const keyed = (pepper: string) => (eventType: string, canonicalRequest: string) =>
  inputsHashOf(Redacted.make(pepper), eventType, canonicalRequest)

describe("the hash of inputs [F54]", () => {
  it("depends on everything except the order of members", function* () {
    const ofText = keyed("a pepper")
    const of = (eventType: string, request: unknown) => ofText(eventType, canonicalJson(request))
    const base = of("calc.projection.run", { a: 1, b: [1, 2], c: null })
    assert.match(base, /^h1-[0-9a-f]{64}$/)
    assert.strictEqual(of("calc.projection.run", { c: null, b: [1, 2], a: 1.0 }), base)
    const others = [
      of("calc.comparison.run", { a: 1, b: [1, 2], c: null }),
      of("calc.projection.run", { a: 1, b: [2, 1], c: null }),
      of("calc.projection.run", { a: 1, b: [1, 2], c: 0 }),
      of("calc.projection.run", { a: "1", b: [1, 2], c: null })
    ]
    assert.strictEqual(new Set([base, ...others]).size, 5)
  })

  it("depends on the pepper", function* () {
    assert.notStrictEqual(keyed("a pepper")("e", "1"), keyed("another pepper")("e", "1"))
  })

  it("takes the positions of a pause in any order, and all of them as none", function* () {
    const of = keyed("a pepper")
    const one = { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 60_000, interestRate: 0.06 }
    const scenario = {
      ...{ planType: "STANDARD", adjustedGrossIncome: 60_000, filingStatus: "Single", dependents: 0 },
      ...{ state: "TX", workingTowardsPslf: false }
    }
    const armWith = (positions: ReadonlyArray<number> | null) => ({
      scenario: { ...scenario, pauses: [{ kind: "Deferment", until: "2027-05", loans: positions }] },
      loans: [one, one, one]
    })
    const projected = (positions: ReadonlyArray<number> | null) =>
      Effect.map(decodeStrictly(ProjectionRequest)(armWith(positions)), (decoded) =>
        of("calc.projection.run", requestWriter(ProjectionRequest)(decoded))
      )
    const compared = (positions: ReadonlyArray<number> | null) =>
      Effect.map(decodeStrictly(ComparisonRequest)({ arms: [armWith(null), armWith(positions)] }), (decoded) =>
        of("calc.comparison.run", requestWriter(ComparisonRequest)(decoded))
      )
    for (const hashOf of [projected, compared]) {
      const [all, last] = [yield* hashOf(null), yield* hashOf([1, 2])]
      assert.strictEqual(yield* hashOf([2, 0, 1]), all)
      assert.strictEqual(yield* hashOf([2, 1]), last)
      assert.strictEqual(new Set([all, last, yield* hashOf([2])]).size, 3)
    }
  })

  it("is what it was before requests could add dates, changes, payments and pauses", function* () {
    const of = keyed("a pepper of the three hashes of before, long enough")
    const few = {
      scenario: {
        planType: "REPAYMENT ASSISTANCE",
        adjustedGrossIncome: 60_000,
        filingStatus: "Single",
        dependents: 0,
        state: "TX",
        workingTowardsPslf: false
      },
      loans: [{ loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 60_000, interestRate: 0.06 }]
    }
    const all = {
      scenario: {
        planType: "income based",
        adjustedGrossIncome: 60_000.5,
        spouseAdjustedGrossIncome: 1,
        spouseFederalLoanBalance: 2,
        filingStatus: "mfj",
        dependents: 3,
        state: "ak",
        workingTowardsPslf: true,
        annualIncomeGrowth: 0.03,
        label: "a label"
      },
      loans: [
        {
          loanType: "direct plus graduate",
          principalBalance: 1e-7,
          interestBalance: 12.34,
          interestRate: 0.0654,
          disbursedAmount: 5,
          idrMonthsInRepayment: 6,
          pslfCount: 7
        },
        ...few.loans
      ]
    }
    const nothing = {
      ...{ firstBorrowedOn: null, annualPriceGrowth: null, changes: [], extraMonthlyPayment: 0.004 },
      ...{ familySize: null, pauses: [], monthlyBudget: 0.004, lumpSums: null, discountRate: null }
    }
    const projected = (request: unknown) =>
      Effect.map(decodeStrictly(ProjectionRequest)(request), (decoded) =>
        of("calc.projection.run", requestWriter(ProjectionRequest)(decoded))
      )
    const compared = yield* decodeStrictly(ComparisonRequest)({ arms: [few, all] })
    assert.strictEqual(yield* projected(few), HASHES[0])
    assert.strictEqual(yield* projected({ ...few, scenario: { ...few.scenario, ...nothing } }), HASHES[0])
    assert.strictEqual(yield* projected({ ...all, includeYearly: true }), HASHES[1])
    assert.strictEqual(of("calc.comparison.run", requestWriter(ComparisonRequest)(compared)), HASHES[2])
  })
})
