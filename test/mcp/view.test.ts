/** The view of an answer in a chat program: who names it, what it draws, and what it does not take for an answer. */
import fc from "fast-check"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { Answer } from "../../src/web/chat/Answer.ts"
import { linesOf } from "../../src/web/chat/content.ts"
import { runs, seedOr } from "../support/random.ts"
import { comparison, plans } from "../support/requests.ts"
import { answerOf, useToolServer } from "../support/toolServer.ts"

const service = useToolServer()

const VIEW = "ui://repayment-of-record/answer"

/** Connects to both addresses, in both revisions. */
const CONNECTIONS = (["/mcp", "/mcp/open"] as const).flatMap((path) =>
  (["auto", "legacy"] as const).map((mode) => [path, mode] as const)
)

const htmlOf = (content: unknown): string => renderToString(h(Answer, { lines: linesOf(content) }))

const drawn = async (tool: "compare_plans" | "compare_scenarios", args: object) => {
  const client = await service().connectCurrent(await service().mint(), "auto")
  const answer = answerOf(await client.callTool({ name: tool, arguments: { ...args } }))
  await client.close()
  return { answer, html: htmlOf(answer) }
}

describe("the view", () => {
  it.each(CONNECTIONS)("is named by its tools and can be read at %s (%s)", async (path, mode) => {
    const client = await service().connectCurrent(path === "/mcp" ? await service().mint() : "", mode, path)
    const { tools } = await client.listTools()
    const named = tools.filter(({ _meta }) => _meta !== undefined)
    expect(named.map(({ _meta }) => _meta)).toEqual(named.map(() => ({ ui: { resourceUri: VIEW } })))
    const all = path === "/mcp" ? ["compare_scenarios", "compare_plans"] : ["compare_plans"]
    expect(named.map(({ name }) => name).toSorted()).toEqual(all.toSorted())
    const { contents } = await client.readResource({ uri: VIEW })
    expect(contents).toEqual([
      { uri: VIEW, mimeType: "text/html;profile=mcp-app", text: expect.stringMatching(/^<!doctype html>/) }
    ])
    await client.close()
  })

  it("draws every plan of compare_plans with its figures", async () => {
    const { answer, html } = await drawn("compare_plans", plans)
    const all = answer["plans"] as ReadonlyArray<{ lifetimeCost: number; firstPayment: number }>
    expect(linesOf(answer)!.map(({ cost, figures }) => [cost, figures.firstMonthPayment])).toEqual(
      all.map(({ firstPayment, lifetimeCost }) => [lifetimeCost, firstPayment])
    )
    for (const { lifetimeCost } of all) expect(html).toContain(`<data value="${lifetimeCost}">`)
  })

  it("has no plan on a card that depends on a date which was not sent", async () => {
    const cardsOf = async (firstBorrowedOn: string | null) => {
      const { html } = await drawn("compare_plans", { ...plans, scenario: { ...plans.scenario, firstBorrowedOn } })
      return html.slice(0, html.indexOf('class="card plots"'))
    }
    expect(await cardsOf(null)).not.toMatch(/Income-Based|PAYE/)
    expect(await cardsOf("2016-08-25")).toContain("Income-Based, 10%")
  })

  it("draws the arms of compare_scenarios under their labels, which are text", async () => {
    const [first, second] = comparison.arms
    const label = '<img src=x onerror="alert(1)">'
    const arms = [{ ...first!, scenario: { ...first!.scenario, label } }, second!]
    const { html } = await drawn("compare_scenarios", { arms })
    expect(html).toContain("&lt;img src=x onerror=")
    expect(html).not.toContain("<img")
  })

  it("draws nothing of anything else", () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (content) => {
        expect(linesOf(content)).toBe(undefined)
        expect(linesOf({ plans: content })).toBe(undefined)
        expect(linesOf({ projections: [content] })).toBe(undefined)
      }),
      { numRuns: runs(300, 3000), seed: seedOr(20_261_129) }
    )
    expect(htmlOf({})).toContain("This answer has no figures to draw.")
  })

  it("draws nothing of an answer with one figure that no answer has", async () => {
    const { answer } = await drawn("compare_plans", plans)
    const [plan, ...others] = answer["plans"] as ReadonlyArray<Record<string, unknown>>
    const wrong = {
      planType: ["RAP <b>", "toString", 5],
      firstPayment: [Number.NaN, -1, 1e300, "358", null],
      totalOutOfPocket: [Number.POSITIVE_INFINITY, {}],
      monthsToFinish: [1.5, 601],
      payoffOrForgivenessDate: ["soon", "2026-13-45", "9".repeat(1000)],
      forgivenessType: ["Magic"]
    }
    for (const [member, values] of Object.entries(wrong))
      for (const value of values)
        expect(linesOf({ plans: [{ ...plan, [member]: value }, ...others] }), `${member} ${value}`).toBe(undefined)
    expect(linesOf({ plans: Array.from({ length: 21 }, () => plan) })).toBe(undefined)
    expect(linesOf({ plans: [{ ...plan, more: { deep: ["nothing of it is drawn"] } }] })).toHaveLength(1)
  })
})
