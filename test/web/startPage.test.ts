/** The start page as the server sends it, and its form for browsers without scripts. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { useService } from "../support/runningService.ts"

const service = useService()

const EXAMPLE = {
  "loan1.type": "DIRECT STAFFORD UNSUBSIDIZED",
  "loan1.balance": "30000",
  "loan1.rate": "6.53",
  income: "60000",
  state: "TX"
}

const post = (fields: Readonly<Record<string, string>>, type = "application/x-www-form-urlencoded") =>
  service().call("POST", "/", { body: String(new URLSearchParams(fields)), headers: { "content-type": type } })

const pageOf = async (fields: Readonly<Record<string, string>>): Promise<string> => {
  const response = await post(fields)
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
  return response.text()
}

const loansOn = (html: string): number => (html.match(/name="loan\d+\.balance"/g) ?? []).length

describe("the start page", () => {
  it("may run its own scripts and send its form, and nothing else", async () => {
    const response = await service().call("GET", "/")
    const policy = response.headers.get("content-security-policy")!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|connect-src|https?:|\*/)
    const html = await response.text()
    expect(html).not.toMatch(/<script(?![^>]* src="\/page\.js")|\son\w+=|\sstyle=/)
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html)!
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}';`)
  })

  it("answers its form with every plan, in figures to the cent", async () => {
    const html = await pageOf({ ...EXAMPLE, action: "compute" })
    const calculated = await service().call("POST", "/v1/calculators/loan", {
      json: { balance: 30_000, ratePct: 6.53, borrowerAgi: 60_000, state: "TX" }
    })
    const { plans } = (await calculated.json()) as {
      plans: ReadonlyArray<{ monthlyPayment: number; totalPaid: number }>
    }
    for (const { monthlyPayment, totalPaid } of plans) {
      expect(html).toContain(`<data value="${monthlyPayment}">`)
      expect(html).toContain(`<data value="${totalPaid}">`)
    }
  })

  it("keeps the typed values, and adds and removes loans", async () => {
    const added = await pageOf({ ...EXAMPLE, action: "add" })
    expect([loansOn(added), added.includes('value="30000"'), added.includes('value="60000"')]).toEqual([2, true, true])
    const two = { ...EXAMPLE, "loan2.balance": "77" }
    const removed = await pageOf({ ...two, action: "remove1" })
    expect([loansOn(removed), removed.includes('value="77"'), removed.includes('value="30000"')]).toEqual([
      1,
      true,
      false
    ])
    expect(loansOn(await pageOf({ ...EXAMPLE, action: "example" }))).toBe(2)
    expect(await pageOf({ ...EXAMPLE, action: "clear" })).not.toContain('value="30000"')
  })

  it("reports a problem at its field, and shows no figure then", async () => {
    const html = await pageOf({ ...EXAMPLE, income: "a lot" })
    expect(html).toContain('id="income-problem"')
    expect(html).not.toContain("<data")
  })

  it("shows sent values as text", async () => {
    const html = await pageOf({ ...EXAMPLE, income: '"><script>alert(1)</script>', "loan1.type": "<u>" })
    expect(html).not.toMatch(/<script>|<u>/)
  })

  it("accepts only a form, and none that is too long", async () => {
    await expectProblem(await post(EXAMPLE, "application/json"), 415, "unsupported-media-type")
    await expectProblem(await post({ income: "1".repeat(70_000) }), 413, "payload-too-large")
    await expectProblem(
      await service().call("POST", "/", {
        body: Buffer.from([0x69, 0x3d, 0xff]),
        headers: { "content-type": "application/x-www-form-urlencoded" }
      }),
      400,
      "validation"
    )
  })
})
