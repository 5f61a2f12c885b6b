/** A rate that is probably not meant is read as it stands, and the answer says how. */
import { describe, expect, it } from "vitest"
import { answerHashOf } from "../../src/proof/commitment.ts"
import { armNotes, percentNotes, rateNotes } from "../../src/wording/notes.ts"
import { calculator, loan, projection, scenario } from "../support/requests.ts"
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
    pslfCount: 0
  }))

describe("a rate of a book", () => {
  it.each([
    [0.5, "loans[0].interestRate 0.5 was read as 50% a year; send 0.005 for 0.5%"],
    [0.25, "loans[0].interestRate 0.25 was read as 25% a year; send 0.0025 for 0.25%"],
    [1, "loans[0].interestRate 1 was read as 100% a year; send 0.01 for 1%"],
    [0.000654, "loans[0].interestRate 0.000654 was read as 0.0654% a year; send 0.0654 for 6.54%"]
  ])("of %d is read aloud", (rate, note) => expect(rateNotes(book(rate))).toEqual([note]))

  it.each([0, 0.001, 0.0275, 0.0908, 0.2499])("of %d is what it seems", (rate) =>
    expect(rateNotes(book(rate))).toEqual([])
  )

  it("is named by its place, in a comparison by its arm too, and ten are enough", () => {
    expect(rateNotes(book(0.05, 0.5))).toEqual([expect.stringMatching(/^loans\[1\]\.interestRate /)])
    expect(armNotes([{ loans: book(0.05) }, { loans: book(0.5) }])).toEqual([
      expect.stringMatching(/^arms\[1\]\.loans\[0\]\.interestRate /)
    ])
    const all = rateNotes(book(...new Array<number>(100).fill(0.5)))
    expect([all.length, all.at(-1)]).toEqual([11, "90 more interest rates are as unusual"])
  })
})

describe("a rate of the calculator, in percent,", () => {
  it.each([
    [0.0654, "ratePct 0.0654 was read as 0.0654% a year; send 6.54 for 6.54%."],
    [65.4, "ratePct 65.4 was read as 65.4% a year, which is more than any federal student loan bears."]
  ])("of %d is read aloud", (ratePct, note) => expect(percentNotes({ ratePct })).toEqual([note]))

  it.each([0, 0.1, 6.54, 24.9])("of %d is what it seems", (ratePct) => expect(percentNotes({ ratePct })).toEqual([]))
})

describe("an answer", () => {
  const odd = { ...projection, loans: [{ ...loan, interestRate: 0.5 }] }
  const ask = async (path: string, json: object, key?: string) =>
    (await service().call("POST", path, { json, key })).text()
  const note = "loans[0].interestRate 0.5 was read as 50% a year; send 0.005 for 0.5%"

  it("has the note in its provenance, and its record commits to it", async () => {
    const text = await ask("/v1/projection", odd, await service().mint())
    const { provenance } = JSON.parse(text)
    expect(provenance.notes).toEqual([note])
    const record = await (await service().call("GET", `/v1/verify/${provenance.answerId}`)).json()
    expect(await answerHashOf(text)).toBe(record.answerHash)
    expect(await answerHashOf(text.replace("read as 50%", "read as 5%"))).not.toBe(record.answerHash)
  })

  it("has none where there is nothing to say", async () => {
    expect(await ask("/v1/projection", projection, await service().mint())).not.toContain('"notes"')
    expect(await ask("/v1/explain", projection)).not.toContain('"notes"')
  })

  it("of a comparison, an explanation and the calculator has it too", async () => {
    const arms = [{ scenario, loans: [loan] }, odd]
    const json = { arms: arms.map(({ loans, scenario: each }) => ({ scenario: each, loans })) }
    const compared = JSON.parse(await ask("/v1/comparison", json, await service().mint()))
    expect(compared.provenance.notes).toEqual([`arms[1].${note}`])
    expect(compared.projections[1].provenance.notes).toEqual([note])
    expect(compared.projections[0].provenance).not.toHaveProperty("notes")
    expect(JSON.parse(await ask("/v1/explain", odd)).notes).toEqual([note])
    const { assumptions } = JSON.parse(await ask("/v1/calculators/loan", { ...calculator, ratePct: 0.06 }))
    expect(assumptions[0]).toBe("ratePct 0.06 was read as 0.06% a year; send 6 for 6%.")
  })
})
