/** Tests of notes: unusual rates, loans outside the plan, a missing income, the cheapest arm. */
import { describe, expect, it } from "vitest"
import { armNotes, percentNotes, rateNotes } from "../../src/messages/notes.ts"
import { answerHashOf } from "../../src/proof/commitment.ts"
import { calculator, household, loan, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off" })

const book = (...rates: ReadonlyArray<number>) =>
  rates.map((interestRate) => ({
    loanType: "DIRECT STAFFORD UNSUBSIDIZED" as const,
    principalBalance: 1000,
    interestBalance: 0,
    interestRate,
    disbursedAmount: 0,
    idrMonthsInRepayment: 0,
    pslfCount: 0,
    madeOn: null
  }))

/** The text of the service's answer. */
const ask = async (path: string, json: object, key?: string) =>
  (await service().call("POST", path, { json, key })).text()

/** An answer of the service, and its notes. */
const notesOf = async (path: string, json: object, key?: string) => {
  const answer = JSON.parse(await ask(path, json, key))
  return [answer, answer.provenance?.notes] as const
}

describe("a rate of a book", () => {
  it.each([
    [0.5, "loans[0].interestRate 0.5 was read as 50% a year; send 0.005 for 0.5%"],
    [0.25, "loans[0].interestRate 0.25 was read as 25% a year; send 0.0025 for 0.25%"],
    [1, "loans[0].interestRate 1 was read as 100% a year; send 0.01 for 1%"],
    [0.000654, "loans[0].interestRate 0.000654 was read as 0.0654% a year; send 0.0654 for 6.54%"]
  ])("of %d gets a note with its reading", (rate, note) => expect(rateNotes(book(rate))).toEqual([note]))

  it.each([0, 0.001, 0.0275, 0.0908, 0.2499])("of %d gets no note", (rate) => expect(rateNotes(book(rate))).toEqual([]))

  it("is named by its loan and arm, and after ten notes only a count follows", () => {
    expect(rateNotes(book(0.05, 0.5))).toEqual([expect.stringMatching(/^loans\[1\]\.interestRate /)])
    expect(armNotes([{ loans: book(0.05) }, { loans: book(0.5) }])).toEqual([
      expect.stringMatching(/^arms\[1\]\.loans\[0\]\.interestRate /)
    ])
    const all = rateNotes(book(...new Array<number>(100).fill(0.5)))
    expect([all.length, all.at(-1)]).toEqual([11, "90 more interest rates are as unusual"])
  })
})

describe("a rate of the calculator in percent", () => {
  it("of 65.4 gets a note with its reading", () =>
    expect(percentNotes({ ratePct: 65.4 })).toEqual([
      "ratePct 65.4 was read as 65.4% a year, which is more than any federal student loan bears."
    ]))

  it.each([0, 1, 6.54, 24.9])("of %d gets no note", (ratePct) => expect(percentNotes({ ratePct })).toEqual([]))
})

describe("the notes of an answer", () => {
  const odd = { ...projection, loans: [{ ...loan, interestRate: 0.5 }] }
  const note = "loans[0].interestRate 0.5 was read as 50% a year; send 0.005 for 0.5%"

  it("are in its provenance, covered by the hash of its record", async () => {
    const text = await ask("/v1/projection", odd, await service().mint())
    const { provenance } = JSON.parse(text)
    expect(provenance.notes).toEqual([note])
    const record = await (await service().call("GET", `/v1/verify/${provenance.answerId}`)).json()
    expect(await answerHashOf(text)).toBe(record.answerHash)
    expect(await answerHashOf(text.replace("read as 50%", "read as 5%"))).not.toBe(record.answerHash)
  })

  it("are absent if there is nothing to note", async () => {
    expect(await ask("/v1/projection", projection, await service().mint())).not.toContain('"notes"')
    expect(await ask("/v1/explain", projection)).not.toContain('"notes"')
  })

  it("are in comparison, explanation and calculator too", async () => {
    const arms = [{ scenario, loans: [loan] }, odd]
    const [compared, notes] = await notesOf("/v1/comparison", { arms }, await service().mint())
    expect(notes).toEqual([`arms[1].${note}`])
    expect(compared.projections[1].provenance.notes).toEqual([note])
    expect(compared.projections[0].provenance).not.toHaveProperty("notes")
    expect(JSON.parse(await ask("/v1/explain", odd)).notes).toEqual([note])
    const { assumptions } = JSON.parse(await ask("/v1/calculators/loan", { ...calculator, ratePct: 60 }))
    expect(assumptions[0]).toMatch(/^ratePct 60 was read as 60% a year, /)
  })
})

describe("loans that the plan cannot take", () => {
  const parent = { loanType: "DIRECT PLUS PARENT", principalBalance: 80_000, interestRate: 0.0654 }
  const loans = [{ ...loan, principalBalance: 45_000, interestRate: 0.0654 }, parent]
  const mixed = { scenario: { ...scenario, adjustedGrossIncome: 55_000 }, loans }
  const note =
    "loans[1] (DIRECT PLUS PARENT) cannot be repaid under REPAYMENT ASSISTANCE; STANDARD applies instead, $910 of the first payment of $1,139"

  it("are named with their part of the first payment", async () => {
    const [{ year1MonthlyPayment }, notes] = await notesOf("/v1/projection", mixed, await service().mint())
    expect(notes).toEqual([note])
    expect(year1MonthlyPayment).toBe(1139)
  })

  it("are named with their arm in a comparison", async () => {
    const arms = [
      { ...mixed, scenario: { ...mixed.scenario, label: "RAP" } },
      { ...mixed, scenario: { ...mixed.scenario, planType: "STANDARD", label: "Standard" } }
    ]
    const [{ projections }, notes] = await notesOf("/v1/comparison", { arms }, await service().mint())
    expect(notes).toEqual([`arms[0].${note}`])
    expect(projections[0].provenance.notes).toEqual([note])
    expect(projections[1].provenance).not.toHaveProperty("notes")
  })

  it("are only counted after the third", async () => {
    const json = { ...mixed, loans: [...loans, ...new Array(97).fill(parent), { ...parent, principalBalance: 0 }] }
    const [, [many]] = await notesOf("/v1/projection", json, await service().mint())
    expect(many).toMatch(
      /^loans\[1\] \(DIRECT PLUS PARENT\), loans\[2\] \(DIRECT PLUS PARENT\), loans\[3\] \(DIRECT PLUS PARENT\), 95 more cannot/
    )
  })
})

describe("pauses, lump sums and families", () => {
  const ask = async (path: string, json: object, key?: string) => (await notesOf(path, json, key))[0]
  const withScenario = (added: object) => ({ scenario: { ...scenario, ...added }, loans: [loan, loan] })
  const past = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, "YYYY-MM".length)
  const inTwoYears = `${new Date().getUTCFullYear() + 2}-01`
  const CASES: ReadonlyArray<readonly [object, RegExp]> = [
    [
      { pauses: [{ kind: "Forbearance", until: past }] },
      /^scenario\.pauses\[0\] changes nothing: it was over in [A-Z][a-z]+ \d{4}$/
    ],
    [
      { pauses: [{ kind: "InSchool", from: `${inTwoYears.slice(0, 4)}-01`, until: `${inTwoYears.slice(0, 4)}-07` }] },
      /^InSchool counts as a deferment for loans\[0\], loans\[1\]: /
    ],
    [{ lumpSums: [{ on: past, amount: 1 }] }, /^scenario\.lumpSums\[0\] changes nothing: in .* nothing is repaid$/],
    [
      { dependents: 2, familySize: 2 },
      /^scenario\.familySize 2 is less than the 3 people of the return; it is used as sent$/
    ],
    [
      {
        dependents: 1,
        familySize: 2,
        changes: [
          { fromYear: 3, dependents: 2 },
          { fromYear: 4, adjustedGrossIncome: 1 }
        ]
      },
      /^scenario\.changes\[0\]: familySize 2 is less than the 3 people/
    ]
  ]

  it.each(CASES)("get a note from projection, comparison and explanation: %j", async (added, note) => {
    const request = withScenario(added)
    const key = await service().mint()
    expect((await ask("/v1/projection", request, key)).provenance.notes).toEqual([expect.stringMatching(note)])
    expect((await ask("/v1/explain", request)).notes).toEqual([expect.stringMatching(note)])
    const { notes } = (await ask("/v1/comparison", { arms: [{ scenario, loans: [loan] }, request] }, key)).provenance
    expect(notes).toEqual([expect.stringMatching(/arms\[1\]\./)])
    expect(notes[0].replaceAll("arms[1].", "")).toMatch(note)
  })

  it("get no note if they are read as sent", async () => {
    const pauses = [{ kind: "Deferment", from: inTwoYears, until: `${inTwoYears.slice(0, 4)}-06`, loans: [1] }]
    const added = { pauses, lumpSums: [{ on: inTwoYears, amount: 10 }], familySize: 2, monthlyBudget: 300 }
    expect((await ask("/v1/explain", withScenario(added))).notes).toBeUndefined()
    const small = await ask("/v1/explain", withScenario({ monthlyBudget: 200 }))
    expect(small.notes).toEqual([
      "scenario.monthlyBudget is less than the first payment due, $250: what is due is paid"
    ])
  })

  it("get a note from the calculator for a family smaller than that of the return", async () => {
    const of = async (added: object) => (await ask("/v1/calculators/loan", { ...calculator, ...added })).assumptions[0]
    expect(await of({ dependents: 1, familySize: 1 })).toBe(
      "familySize 1 is less than the 2 people of the return; it is used as sent."
    )
    expect(await of({ dependents: 1, familySize: 2 })).toMatch(/^The borrower has one loan without/)
  })
})

describe("a change of plan", () => {
  const ffel = { ...loan, loanType: "FFEL STAFFORD UNSUBSIDIZED" }
  const leaving = (planType: string) => ({
    scenario: {
      ...scenario,
      adjustedGrossIncome: 30_000,
      planType: "INCOME BASED (OLD)",
      planChanges: [{ from: `${new Date().getUTCFullYear() + 2}-07`, planType }]
    },
    loans: [ffel, loan]
  })

  it("gets a note for interest that joins, and for the loans that its plan cannot take", async () => {
    const [, notes] = await notesOf("/v1/projection", leaving("REPAYMENT ASSISTANCE"), await service().mint())
    expect(notes).toEqual([
      expect.stringMatching(/^scenario\.planChanges\[0\]: \$[\d,]+\.\d\d of unpaid interest joins the principal$/),
      "scenario.planChanges[0] moves loans[0] to STANDARD: its plan cannot take them"
    ])
  })

  it("gets none about loans that its plan takes", async () => {
    const [, notes] = await notesOf("/v1/projection", leaving("STANDARD"), await service().mint())
    expect(notes).toEqual([expect.stringContaining("joins the principal")])
  })
})

describe("a joint return without the spouse's income", () => {
  const joint = { ...scenario, filingStatus: "MFJ" }
  const note =
    "scenario.spouseAdjustedGrossIncome was not sent and counts as 0; send the spouse's annual income, or 0 if there is none"
  const ask = async (changes: object) =>
    notesOf("/v1/projection", { ...projection, scenario: { ...joint, ...changes } }, await service().mint())

  it.each([{}, { spouseAdjustedGrossIncome: null }])("gets a note that it counts as 0 (%j)", async (changes) =>
    expect((await ask(changes))[1]).toEqual([note])
  )

  it.each([{ spouseAdjustedGrossIncome: 0 }, { filingStatus: "MFS" }])("gets no note with %j", async (changes) =>
    expect((await ask(changes))[1]).toBeUndefined()
  )

  it("gets one note from a comparison, and one each from explanation and calculator", async () => {
    const arms = [scenario, { ...joint, label: "a" }, { ...joint, planType: "STANDARD" }].map((each) => ({
      scenario: { label: each.planType, ...each },
      loans: [loan]
    }))
    const [, notes] = await notesOf("/v1/comparison", { arms }, await service().mint())
    expect(notes).toEqual([`arms[1, 2].${note}`])
    const [explained] = await notesOf("/v1/explain", { ...projection, scenario: joint })
    expect(explained.notes).toEqual([note])
    const [calculated] = await notesOf("/v1/calculators/loan", { ...calculator, filingStatus: "MFJ" })
    expect(calculated.assumptions[0]).toBe(`${note.replace("scenario.spouseAdjustedGrossIncome", "spouseAgi")}.`)
    const [complete] = await notesOf("/v1/calculators/loan", { ...calculator, filingStatus: "MFJ", spouseAgi: 1 })
    expect(complete.assumptions[0]).toMatch(/^The borrower has one loan without/)
  })
})

it("tells of a comparison of both returns, now or later, that the income tax of the couple is in no figure", async () => {
  const couple = { ...household, planType: "INCOME BASED", spouseAdjustedGrossIncome: 41_000 }
  const scenarios = (filingStatus: string) => [
    { ...couple, filingStatus },
    {
      ...household,
      planType: "INCOME BASED",
      changes: [{ fromYear: 3, filingStatus, spouseAdjustedGrossIncome: 41_000 }]
    }
  ]
  const [joint, separate] = [scenarios("MarriedFilingJointly"), scenarios("MarriedFilingSeparately")]
  for (const index of [0, 1]) {
    const arms = [joint[index], separate[index]].map((scenario) => ({ scenario, loans: [loan] }))
    const [, notes] = await notesOf("/v1/comparison", { arms }, await service().mint())
    expect(notes).toEqual([
      "separate returns (arms[1]) may mean more income tax than a joint one, and change the spouse's own loan payment; no figure includes either"
    ])
  }
})

describe("the cheapest arm of a comparison", () => {
  const notesFor = async (...arms: ReadonlyArray<readonly [planType: string, label: string | null]>) => {
    const json = arms.map(([planType, label]) => ({ scenario: { ...household, planType, label }, loans: [loan] }))
    return (await notesOf("/v1/comparison", { arms: json }, await service().mint()))[1]
  }

  it.each(["mine", null])("gets no note when its label is unique, or no arm has one (%j)", async (label) =>
    expect(await notesFor(["GRADUATED", null], ["STANDARD", label])).toBeUndefined()
  )

  it.each([
    ["mine", null],
    ["same", "same"]
  ])("is named when its label does not identify it (%j and %j)", async (other, label) =>
    expect(await notesFor(["GRADUATED", other], ["STANDARD", label])).toEqual([
      "the lowest total with tax is that of arms[1] (STANDARD)"
    ])
  )

  it("is followed by the cheapest electable arm when its plan is closed", async () => {
    const poor = { ...household, adjustedGrossIncome: 40_000 }
    const arms = ["STANDARD", "SAVE", "GRADUATED"].map((planType) => ({
      scenario: { ...poor, planType, label: planType },
      loans: [{ ...loan, idrMonthsInRepayment: 100 }]
    }))
    const [answer, notes] = await notesOf("/v1/comparison", { arms }, await service().mint())
    expect(answer.lowestCostLabel).toBe("SAVE")
    expect(notes).toEqual(["SAVE can no longer be elected; the lowest that can be elected is arms[0] (STANDARD)"])
    const ended = ["SAVE", "REVISED PAY AS YOU EARN"].map((planType) => ({
      ...arms[1],
      scenario: { ...poor, planType }
    }))
    const [, closed] = await notesOf("/v1/comparison", { arms: ended }, await service().mint())
    expect(closed).toEqual(["SAVE can no longer be elected; neither can the others"])
  })
})
