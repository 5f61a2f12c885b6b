/** The rules ledger as pages: complete, searchable, and safe against markup in a search. */

import { describe, expect, it } from "vitest"
import { constants, publishedOmissions, releasedAtUtc, ruleVersion } from "../../ledger/index.ts"
import { PROBLEM_EXAMPLES } from "../../src/http/pages/problemExamples.ts"
import { escapeHtml } from "../../src/messages/escapeHtml.ts"
import { expectProblem } from "../support/answers.ts"
import { useService } from "../support/runningService.ts"

const service = useService()
const pageOf = async (path: string) => (await service().call("GET", path)).text()

const ENTRIES = [...constants, ...publishedOmissions]

/** The article of an entry on a page; undefined if it is missing. */
const articleIn = (page: string, id: string): string | undefined =>
  new RegExp(`<article id="${id}">([\\s\\S]*?)</article>`).exec(page)?.[1]

const idsIn = (page: string): ReadonlyArray<string> => [...page.matchAll(/<article id="([^"]*)"/g)].map(([, id]) => id!)

/** All values of an entry that have no members of their own. */
const leavesOf = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value]

describe("GET /rules", () => {
  it("contains an article for every rule and omission, and no duplicate ids", async () => {
    const page = await pageOf("/rules")
    expect([...idsIn(page)].sort()).toEqual(ENTRIES.map(({ id }) => id).sort())
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.length).toBe(new Set(ids).size)
  })

  it("shows exactly the numbers of every rule, and all of its words and dates", async () => {
    const page = await pageOf("/rules")
    for (const { id, value } of constants) {
      const article = articleIn(page, id)!
      const leaves = leavesOf(value)
      const numbers = [...article.matchAll(/<data value="([^"A-Za-z]*)">[^<]+<\/data>/g)].map(([, number]) =>
        Number(number)
      )
      expect([id, numbers.sort()]).toEqual([id, leaves.filter((leaf) => typeof leaf === "number").sort()])
      const words = leaves.filter((leaf) => typeof leaf === "string")
      const missing = words.filter(
        (word) => ![`datetime="${word}"`, `value="${word}"`, escapeHtml(word)].some((shown) => article.includes(shown))
      )
      expect([id, missing]).toEqual([id, []])
      const answers = [...article.matchAll(/<td>(yes|no)<\/td>/g)].map(([, answer]) => answer === "yes")
      expect([id, answers.sort()]).toEqual([id, leaves.filter((leaf) => typeof leaf === "boolean").sort()])
    }
  })

  it("shows the definition, source, evidence and dates of each entry", async () => {
    const page = await pageOf("/rules")
    for (const entry of ENTRIES) {
      const article = articleIn(page, entry.id)
      const { label, lastVerified, source } = entry
      for (const text of [label, source.authority, source.note, source.cadence])
        expect(article).toContain(escapeHtml(text))
      expect(article).toContain(escapeHtml("definition" in entry ? entry.definition : entry.detail))
      expect(article).toContain(`<a href="${escapeHtml(source.url)}" rel="noreferrer">`)
      for (const date of [entry.effectiveDate, lastVerified]) expect(article).toContain(`<time datetime="${date}">`)
    }
  })

  it("shows bands, factors and guidelines as tables with units", async () => {
    const page = await pageOf("/rules")
    expect(articleIn(page, "rap-base-payment-bands")).toContain(
      '<tr><th scope="row"><data value="10000">$10,000</data></th><td><data value="20000">$20,000</data></td><td>&ndash;</td><td><data value="0.01">1%</data></td></tr>'
    )
    expect(articleIn(page, "icr-income-percentage-factors-2026")).toContain(
      '<tr><th scope="row"><data value="18873">$18,873</data></th><td><data value="57.79">57.79%</data></td></tr>'
    )
    expect(articleIn(page, "poverty-guideline-2026")).toContain(
      '<tr><th scope="row">Alaska</th><td><data value="19950">$19,950</data></td><td><data value="7100">$7,100</data></td></tr>'
    )
    expect(articleIn(page, "rap-forgiveness-term")).toContain('<data value="360">360 months (30 years)</data>')
  })

  it("collapses long tables, and has a caption for each table", async () => {
    const page = await pageOf("/rules")
    expect(articleIn(page, "state-income-tax-ar-2026")).toMatch(/<details><summary>Rows: \d+ rows<\/summary>/)
    expect(page.match(/<table>/g)!.length).toBe(page.match(/<table><caption>[^<]+<\/caption>/g)!.length)
  })

  it("distinguishes values in force from earlier ones", async () => {
    const page = await pageOf("/rules")
    expect(articleIn(page, "poverty-guideline-2026")).toContain(
      '<dd>since <time datetime="2026-01-13">13 January 2026</time></dd>'
    )
    expect(articleIn(page, "poverty-guideline-2025")).toMatch(
      /from <time datetime="2025-01-15">15 January 2025<\/time> until <time datetime="2026-01-13">13 January 2026<\/time>, when <a href="\/rules\/poverty-guideline-2026">/
    )
  })

  it("names the version, its date and the JSON form, and has no broken links", async () => {
    const page = await pageOf("/rules")
    expect(page).toContain(`<code>${ruleVersion}</code>`)
    expect(page).toContain(`<time datetime="${releasedAtUtc.slice(0, 10)}">`)
    expect(page).toContain('href="/v1/rules"')
    const links = new Set([...page.matchAll(/href="([/#][^"]*)"/g)].map(([, href]) => href!))
    for (const href of links) {
      if (href.startsWith("#")) expect(page).toContain(` id="${href.slice(1)}"`)
      else expect([href, (await service().call("HEAD", href)).status]).toEqual([href, 200])
    }
  })

  it("runs no script and loads no resource", async () => {
    const response = await service().call("GET", "/rules")
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"
    )
    expect(response.headers.get("cache-control")).toBe("public, max-age=300")
    expect(await response.text()).not.toMatch(/<script|<img|<link|<iframe|@import|url\(| on[a-z]+=/)
  })
})

describe("a search", () => {
  const found = async (query: string) => idsIn(await pageOf(`/rules?${query}`))

  it("finds entries that contain every word, in any case, also in values", async () => {
    expect(await found("q=RAP%20dependent%20reduction")).toContain("rap-dependent-reduction")
    expect(await found("q=%2418,873")).toEqual(["icr-income-percentage-factors-2026"])
    expect(await found("q=rap-base-payment-bands")).toContain("rap-base-payment-bands")
  })

  it("filters by plan, and includes entries for every plan", async () => {
    const ids = await found("plan=REPAYMENT+ASSISTANCE")
    expect(ids).toContain("rap-base-payment-bands")
    expect(ids).toContain("federal-standard-deduction-2026")
    expect(ids).not.toContain("icr-terms")
  })

  it("filters by kind", async () => {
    expect([...(await found("kind=omissions"))].sort()).toEqual(publishedOmissions.map(({ id }) => id).sort())
    expect([...(await found("kind=rules"))].sort()).toEqual(constants.map(({ id }) => id).sort())
  })

  it("filters by grade of evidence", async () => {
    const graded = ENTRIES.filter(({ source }) => source.evidence === "third-party").map(({ id }) => id)
    expect([...(await found("evidence=third-party"))].sort()).toEqual(graded.sort())
  })

  it("combines all filters, and shows them in the form", async () => {
    const page = await pageOf("/rules?q=spouse&plan=SAVE&kind=omissions&evidence=statute")
    expect(page).toContain(`${idsIn(page).length} of ${ENTRIES.length} entries match.`)
    expect(idsIn(page)).toContain("omission-joint-debt-share")
    expect(page).toContain('value="spouse"')
    for (const chosen of ["SAVE", "omissions", "statute"]) expect(page).toContain(`<option value="${chosen}" selected>`)
  })

  it.each(["q=no+such+rule+anywhere", "plan=RAP", "kind=x", "evidence=surely"])(
    "finds nothing for %s",
    async (query) => {
      const response = await service().call("GET", `/rules?${query}`)
      const page = await response.text()
      expect([response.status, idsIn(page)]).toEqual([200, []])
      expect(page).toContain("Nothing matches.")
    }
  )

  it.each(["", "q=", "q=+&plan=&kind=&evidence=", "utm_source=x"])(
    "without criteria (%s) shows the whole page",
    async (query) => {
      expect(await pageOf(`/rules?${query}`)).toBe(await pageOf("/rules"))
    }
  )

  it("is shown as text, even if it contains markup [F51]", async () => {
    const markup = `"><script>alert('1')</script>&amp;`
    const page = await pageOf(`/rules?q=${encodeURIComponent(markup)}&plan=${encodeURIComponent(markup)}`)
    expect(page).toContain(`value="${escapeHtml(markup)}"`)
    expect(page).not.toContain("<script")
    expect(await pageOf("/rules?q=%00%ff%zz")).toContain("Nothing matches.")
  })

  it("is cut after 100 characters, and uses the first value of a repeated field", async () => {
    const page = await pageOf(`/rules?q=${"x".repeat(5000)}&q=interest`)
    expect(page).toContain(`value="${"x".repeat(100)}"`)
  })
})

describe("the rate limit of searches", () => {
  const limited = useService({ RATE_LIMIT_KEYLESS: "1/h" })

  it("is that of the keyless calculations; the whole page and single rules have none", async () => {
    expect((await limited().call("GET", "/rules?q=interest")).status).toBe(200)
    await expectProblem(await limited().call("GET", "/rules?q=interest"), 429, "rate-limited")
    for (const path of ["/rules", "/rules/interest-accrual"])
      expect((await limited().call("GET", path)).status).toBe(200)
  })
})

describe("GET /rules/{id}", () => {
  it.each(ENTRIES.map(({ id, label }) => [id, label]))("shows %s", async (id, label) => {
    const response = await service().call("GET", `/rules/${id}`)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const page = await response.text()
    expect(page).toContain(`<h1>${escapeHtml(label)}</h1>`)
    expect(page).toContain(`<link rel="canonical" href="${service().publicUrl}/rules/${id}">`)
    expect(page).toContain(`href="/rules#${id}"`)
  })

  it("shows the values of the other dates", async () => {
    const page = await pageOf("/rules/poverty-guideline-2026")
    for (const amount of ["$15,960", "$15,650", "$15,060"]) expect(page).toContain(amount)
  })

  it("answers HEAD, and 404 for an unknown rule", async () => {
    const head = await service().call("HEAD", "/rules/rap-base-payment-bands")
    expect([head.status, await head.text()]).toEqual([200, ""])
    await expectProblem(await service().call("GET", "/rules/rap-base-payment"), 404, "not-found")
    await expectProblem(await service().call("GET", "/rules/%3Cscript%3E"), 404, "not-found")
  })
})

describe("links to the rules", () => {
  it("are on the start page", async () => expect(await pageOf("/")).toContain('href="/rules"'))

  it("are on the pages of problems that rules decide", async () => {
    const decided = Object.entries(PROBLEM_EXAMPLES).flatMap(([slug, { rules = [] }]) =>
      rules.map((id) => [slug, id] as const)
    )
    expect(decided.length).toBeGreaterThan(0)
    for (const [slug, id] of decided) {
      expect(await pageOf(`/problems/${slug}`)).toContain(`href="/rules/${id}"`)
      expect((await service().call("HEAD", `/rules/${id}`)).status).toBe(200)
    }
  })
})
