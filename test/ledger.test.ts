/**
 * Tests of the rules ledger: form, lock, versions, and the figures of its sources. Those figures
 * are transcribed here a second time by hand, from the published tables.
 */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type Addition, allAdded, allOf, type Circumstance } from "../ledger/circumstances.ts"
import { inForceOn, type Rule, rule, series } from "../ledger/entry.ts"
import {
  bears,
  constants,
  engineRevision,
  omissionById,
  omissions,
  publishedOmissions,
  releasedAtUtc,
  ruleById,
  rules,
  ruleVersion
} from "../ledger/index.ts"
import lock from "../ledger/ledger.lock.json" with { type: "json" }
import { entryHash, notYetInForce, versionOf } from "../ledger/version.ts"
import { LOAN_TYPES } from "../schema/loan.ts"
import { EVIDENCE_GRADES } from "../schema/rules.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../schema/scenario.ts"
import { EVIDENCE_FILE, renderEvidence } from "../scripts/generate/evidence.ts"
import { publishedRules } from "../src/services/answers/publishedRules.ts"

const entries = [...constants, ...publishedOmissions]
const ids = entries.map((entry) => entry.id)
/** Ids of the entries with figures transcribed here. */
const transcribed = new Set<string>()
const valueOf = (id: string) => {
  transcribed.add(id)
  return ruleById(id).value
}

/** Ids of the entries for which `holds` is false, so that a failing check names them. */
const offenders = <E extends { readonly id: string }>(all: ReadonlyArray<E>, holds: (entry: E) => boolean) =>
  all.filter((entry) => !holds(entry)).map((entry) => entry.id)

const isFrozenThroughout = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout))

const isCalendarDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

const camelCase = (id: string): string => id.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())

describe("entries", () => {
  it("match the lock, entry by entry and as a whole", () => {
    const hashes = Object.fromEntries(entries.map((entry) => [entry.id, entryHash(entry)]))
    expect(hashes, "a rule changed: see docs/changing-the-law.md").toEqual(lock.entries)
    expect(ruleVersion).toBe(versionOf(constants, publishedOmissions, releasedAtUtc, engineRevision))
    expect([ruleVersion, releasedAtUtc, engineRevision]).toEqual([
      lock.version,
      lock.releasedAtUtc,
      lock.engineRevision
    ])
    expect(new Date(releasedAtUtc).toISOString()).toBe(releasedAtUtc)
  })

  it("have the version that the changelog names", () => {
    const [named] = /rl1-[0-9a-f]{12}/.exec(readFileSync("CHANGELOG.md", "utf8")) ?? []
    expect(named).toBe(ruleVersion)
  })

  it("give the same version when it is computed from the published JSON", () => {
    const published = JSON.parse(JSON.stringify(publishedRules))
    expect(ruleVersion).toMatch(/^rl1-[0-9a-f]{12}$/)
    const { generatedAtUtc, knownOmissions } = published
    expect(versionOf(published.constants, knownOmissions, generatedAtUtc, published.engineRevision)).toBe(ruleVersion)
  })

  it("give another version with another revision of the engine, a positive integer", () => {
    expect(Number.isSafeInteger(engineRevision) && engineRevision >= 1).toBe(true)
    expect(lock.engineRevision).toBe(engineRevision)
    expect(versionOf(constants, publishedOmissions, releasedAtUtc, engineRevision + 1)).not.toBe(ruleVersion)
  })

  it("have unique kebab-case ids and unique labels", () => {
    expect(offenders(entries, ({ id }) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(entries.map(({ label }) => label)).size).toBe(entries.length)
  })

  it("are exported under their id in camel case, without the date if a rule has several", async () => {
    const everyRule: Readonly<Record<string, Rule>> = { ...(await import("../ledger/rules/index.ts")) }
    const misnamed = Object.entries(everyRule).filter(([name, { entries: dated }]) => {
      const ids = dated.map(({ id }) => (dated.length === 1 ? id : id.replace(/-\d{4}(-\d{2})?\b/, "")))
      return ids.some((id) => name !== camelCase(id))
    })
    expect(misnamed.map(([name]) => name)).toEqual([])
    expect(omissions.length).toBe(publishedOmissions.length)
  })

  it("are exported from every file of rules", () => {
    const files = readdirSync(new URL("../ledger/rules", import.meta.url)).filter((file) => file !== "index.ts")
    const barrel = readFileSync("ledger/rules/index.ts", "utf8")
    expect(files.filter((file) => !barrel.includes(`export * from "./${file}"\n`))).toEqual([])
  })

  it("of one rule have different dates, so that none shadows another", () => {
    const stem = (id: string) => id.replace(/-20\d{2}(-\d{2})?\b/, "")
    const stems = rules.map(({ entries: dated }) => stem(dated[0]!.id))
    expect(stems.filter((one, index) => stems.indexOf(one) !== index)).toEqual([])
    for (const { entries: dated } of rules) {
      const dates = dated.map(({ effectiveDate }) => effectiveDate)
      expect(dates).toEqual([...new Set(dates)].sort())
      expect(new Set(dated.map(({ id }) => stem(id))).size).toBe(1)
    }
  })

  it("name an authority, an https URL, a cadence, the text read, and a grade of evidence", () => {
    const sourced = ({ source }: (typeof entries)[number]) =>
      source.authority !== "" &&
      source.cadence !== "" &&
      URL.canParse(source.url) &&
      source.url.startsWith("https://") &&
      /^\S.*[^.]\.$/.test(source.note) &&
      EVIDENCE_GRADES.includes(source.evidence)
    expect(offenders(entries, sourced)).toEqual([])
  })

  it("have a source other than memory", () => {
    expect(offenders(entries, (entry) => !/memory/i.test(JSON.stringify(entry)))).toEqual([])
    const readAtAll = ({ source }: (typeof entries)[number]) =>
      source.evidence !== "statute" || /\bread\b/.test(source.note)
    expect(offenders(entries, readAtAll)).toEqual([])
  })

  it("have real dates, verified no later than today", () => {
    expect(offenders(entries, (entry) => isCalendarDate(entry.effectiveDate))).toEqual([])
    expect(offenders(entries, (entry) => isCalendarDate(entry.lastVerified))).toEqual([])
    expect(offenders(entries, (entry) => new Date(entry.lastVerified) <= new Date())).toEqual([])
    const expires = ({ effectiveDate, expiresDate }: (typeof publishedOmissions)[number]) =>
      expiresDate === "" || (isCalendarDate(expiresDate) && expiresDate > effectiveDate)
    expect(offenders(publishedOmissions, expires)).toEqual([])
  })

  it("have an explanation of at most 700 characters", () => {
    const isBrief = (text: string) => /^[A-Z0-9]/.test(text) && text.endsWith(".") && text.length <= 700
    expect(offenders(constants, ({ definition }) => isBrief(definition))).toEqual([])
    expect(offenders(publishedOmissions, ({ detail }) => isBrief(detail))).toEqual([])
  })

  it("that cite a text replaced by the rule of 2026 also name its current paragraph, or that it was not read", () => {
    const isReplaced = /685\.(?:208|209|221)\([^.]*early 2023/
    const saysNow = /\bnow\b|of 2026|later numbering|as revised/
    const linksToNow = /ecfr\.gov\/current\/title-34\/section-685\.2(?:08|09|10)$/
    const holds = ({ source }: (typeof constants)[number]) =>
      !linksToNow.test(source.url) || !isReplaced.test(source.note) || saysNow.test(source.note)
    expect(constants.filter(({ source }) => isReplaced.test(source.note)).length).toBeGreaterThan(10)
    expect(offenders(constants, holds)).toEqual([])
  })

  it("belong to a plan type, ALL, PSLF or TEACHER", () => {
    const plans: ReadonlyArray<string> = [...PLAN_TYPES, "ALL", "PSLF", "TEACHER"]
    expect(offenders(constants, ({ plan }) => plans.includes(plan))).toEqual([])
  })

  it("are deeply frozen and contain only JSON", () => {
    expect(Object.isFrozen(constants) && Object.isFrozen(omissions) && Object.isFrozen(publishedOmissions)).toBe(true)
    expect(offenders([...entries, ...omissions], isFrozenThroughout)).toEqual([])
    expect(JSON.parse(JSON.stringify(entries))).toEqual(entries)
  })

  it("are not marked as locked by cases if no figure depends on them", () => {
    const idle = rules.filter(({ informative }) => informative).flatMap((one) => one.entries)
    expect(offenders(idle, ({ parityLocked }) => !parityLocked)).toEqual([])
  })

  it("are found by id, and an unknown id throws", () => {
    expect(ruleById("pslf-terms").label).toBe("Public Service Loan Forgiveness")
    expect(omissionById("omission-amt").label).toBe("Alternative minimum tax")
    expect(() => ruleById("pslf")).toThrow("the rules ledger has no entry pslf")
  })
})

describe("docs/generated/evidence.md", () => {
  it("matches the ledger", () => {
    expect(readFileSync(EVIDENCE_FILE, "utf8")).toBe(renderEvidence())
  })

  it("names every entry whose note says that a text was not read, and grades no such rule as read", () => {
    const unread = [...constants, ...publishedOmissions].filter(({ source }) => /not (?:read|found)/.test(source.note))
    expect(unread.length).toBeGreaterThan(20)
    const [, names = ""] = /not read or not found:\s+([^.]*)\./.exec(renderEvidence()) ?? []
    expect(names.split(/,\s+/)).toEqual(unread.map(({ id }) => `\`${id}\``))
    const { source } = ruleById("idr-family-size")
    expect([source.evidence, source.note]).toEqual([
      "convention",
      expect.stringContaining("drafted on the text of 2023; not read")
    ])
  })
})

describe("values by date", () => {
  const shared = { plan: "ALL", unit: "USD", definition: "An amount." }
  const dated = (id: string, value: number) => ({
    id,
    label: id,
    value,
    source: ruleById("pslf-terms").source,
    lastVerified: "2026-11-20",
    parityLocked: false
  })
  const amount = series(shared, { "2099-01-15": dated("amount-2099", 3), "2098-01-15": dated("amount-2098", 2) })

  it("share their text and are sorted by date", () => {
    expect(amount.entries.map(({ id }) => id)).toEqual(["amount-2098", "amount-2099"])
    expect(amount.entries[0]).toEqual({ ...shared, ...dated("amount-2098", 2), effectiveDate: "2098-01-15" })
  })

  it.each([
    ["2098-01-14", undefined],
    ["2098-01-15", 2],
    ["2099-01-14", 2],
    ["2099-01-15", 3],
    ["2199-12-31", 3]
  ])("on %s come from the newest entry that has begun", (date, value) => {
    expect(inForceOn(amount, date)?.value).toBe(value)
  })

  it("give another version when an entry published ahead comes into force", () => {
    const ahead = [...constants, ...amount.entries]
    const versionAt = (instant: string) => versionOf(ahead, publishedOmissions, instant, engineRevision)
    expect(notYetInForce(ahead, "2099-01-14T23:59:59.999Z")).toEqual(["amount-2099"])
    expect(notYetInForce(ahead, "2099-01-15T00:00:00.000Z")).toEqual([])
    expect(versionAt("2099-01-14T00:00:00.000Z")).toBe(versionAt("2098-01-15T00:00:00.000Z"))
    expect(versionAt("2099-01-15T00:00:00.000Z")).not.toBe(versionAt("2099-01-14T00:00:00.000Z"))
  })

  it("of a rule with one entry are that value from its effective date on", () => {
    const one = rule({ ...shared, ...dated("amount", 1), effectiveDate: "2026-07-01" })
    expect([inForceOn(one, "2026-06-30"), inForceOn(one, "2026-07-01")?.value]).toEqual([undefined, 1])
  })
})

describe("omissions", () => {
  const asked = { planType: "INCOME BASED", state: "TX", filingStatus: "Single" }
  interface Change {
    readonly planType?: string
    readonly state?: string | null
    readonly filingStatus?: string
    readonly when?: ReadonlyArray<Circumstance>
    readonly added?: ReadonlyArray<Addition>
  }
  type Told = readonly [omission: string, change: Change]
  const disclosed = ({ added = [], when = [], ...change }: Change): ReadonlyArray<string> => {
    const { filingStatus, planType, state } = { ...asked, ...change }
    const request = { state, filingStatuses: [filingStatus], additions: allAdded(added) }
    return omissions.filter((omission) => bears(omission, [planType], request, allOf(when))).map(({ id }) => id)
  }

  it("name only existing plans, states and filing statuses", () => {
    const known = new Set<string>([...PLAN_TYPES, "TIERED STANDARD", ...STATES, ...FILING_STATUSES])
    const named = ({ bearsOn }: (typeof omissions)[number]) => [
      ...(bearsOn.plans ?? []),
      ...(bearsOn.states ?? []),
      ...(bearsOn.statesExcept ?? []),
      ...(bearsOn.filingStatuses ?? [])
    ]
    expect(offenders(omissions, (omission) => named(omission).every((name) => known.has(name)))).toEqual([])
  })

  it("are published without their conditions", () => {
    expect(publishedOmissions.filter((omission) => "bearsOn" in omission)).toEqual([])
    expect(publishedOmissions.length).toBe(omissions.length)
  })

  it("put the auto-pay reduction first in every answer", () => {
    for (const planType of PLAN_TYPES) {
      for (const state of [...STATES, null]) {
        expect(disclosed({ planType, state })[0]).toBe("omission-auto-pay-interest-reduction")
      }
    }
  })

  it("bear on an answer only if all their conditions are true", () => {
    const territories = ["PR", "AS", "GU", "VI", "MP"].map(
      (state): Told => ["territory-tax", { when: ["taxed"], state }]
    )
    const told: ReadonlyArray<Told> = [
      ...territories,
      ["in-county-tax", { when: ["taxed"], state: "IN" }],
      ["other-state-tax", { when: ["taxed"], state: "CA" }],
      ["other-state-tax", { when: ["taxed"], state: null }],
      ["payment-count-weighting", { when: ["consolidation"] }],
      ["ms-pslf-tax", { when: ["pslfForgiven"], state: "MS" }],
      ["mixed-book", { when: ["loansOutsidePlan"] }],
      ["save-transition", { planType: "SAVE" }],
      ["plan-sunset", { planType: "INCOME CONTINGENT", when: ["passedOver"] }],
      ["interest-on-leaving-ibr", { planType: "STANDARD", when: ["unpaidInterest"] }],
      ["community-property", { filingStatus: "MarriedFilingSeparately" }],
      ["family-changes", {}],
      ["state-tax-indexation", { when: ["taxed"], state: "WI", added: ["pricesGrow"] }]
    ]
    const untold: ReadonlyArray<Told> = [
      ...territories.map(([, change]): Told => ["other-state-tax", change]),
      ["in-county-tax", { state: "IN" }],
      ["other-state-tax", { when: ["taxed"], state: "TX" }],
      ["other-state-tax", { when: ["taxed"], state: "NC" }],
      ["payment-count-weighting", { when: ["consolidation"], planType: "STANDARD" }],
      ["ms-pslf-tax", { state: "MS" }],
      ["mixed-book", {}],
      ["plan-sunset", { planType: "INCOME CONTINGENT" }],
      ["interest-on-leaving-ibr", { when: ["unpaidInterest"] }],
      ["professional-degree-litigation", {}],
      ["family-changes", { added: ["changes"] }],
      ["guideline-indexation", { added: ["pricesGrow"] }],
      ["state-tax-indexation", { when: ["taxed"], state: "WI" }]
    ]
    const isTold = ([omission, change]: Told) => disclosed(change).includes(`omission-${omission}`)
    expect(told.filter((one) => !isTold(one))).toEqual([])
    expect(untold.filter(isTold)).toEqual([])
  })
})

describe("the lists of loan types and plans", () => {
  const families = valueOf("loan-type-families") as Record<string, string>
  const matrix = valueOf("plan-eligibility-matrix") as Record<string, { codes: Record<string, string> }>

  /** The families, and the code of each for every plan. */
  const CODES = [
    ["direct-student", "open above-balance open open open open open vacated vacated open"],
    ["direct-consolidation", "open above-balance open open open open open vacated vacated open"],
    [
      "direct-consolidation-of-parent-plus",
      "open above-balance open after-counted-month after-counted-month open closed closed closed closed"
    ],
    ["direct-plus-consolidation", "open open open closed closed closed closed closed closed closed"],
    ["direct-parent-plus", "open above-balance open closed closed closed closed closed closed closed"],
    ["ffel-student", "open above-balance open closed open closed closed closed closed closed"],
    ["ffel-ended-before-1998", "open closed open closed open closed closed closed closed closed"],
    ["ffel-parent-plus", "open above-balance open closed closed closed closed closed closed closed"],
    ["perkins", "open closed closed closed closed closed closed closed closed closed"],
    ["health-professions", "open closed closed closed closed closed closed closed closed closed"],
    ["income-contingent-loan", "open closed closed closed closed closed closed closed closed closed"]
  ] as const

  it("give every loan type a family, and every family a code for each plan", () => {
    expect(Object.keys(families)).toEqual([...LOAN_TYPES])
    expect(Object.keys(matrix)).toEqual(CODES.map(([family]) => family))
    expect(new Set(Object.values(families))).toEqual(new Set(Object.keys(matrix)))
    for (const { codes } of Object.values(matrix)) expect(Object.keys(codes)).toEqual([...PLAN_TYPES])
  })

  it.each(CODES)("give family %s the codes %s", (family, codes) => {
    expect(Object.values(matrix[family]!.codes).join(" ")).toBe(codes)
  })

  it("agree with the names of the loan types", () => {
    const typesWith = (test: (type: string) => boolean) => LOAN_TYPES.filter(test)
    expect(valueOf("subsidized-loan-types")).toEqual(
      typesWith((type) => /\bSUBSIDIZED\b/.test(type) && !/NON-/.test(type))
    )
    expect(valueOf("consolidation-loan-types")).toEqual(
      typesWith((type) => type.includes("CONSOLIDATED") && type !== "DIRECT PLUS CONSOLIDATED")
    )
    expect(valueOf("loan-programs")).toEqual({
      direct: typesWith((type) => type.startsWith("DIRECT")),
      ffel: typesWith((type) => type.startsWith("FFEL"))
    })
    expect(valueOf("graduate-loan-types")).toEqual(["DIRECT PLUS GRADUATE"])
  })
})

/** Parses a row of a printed table, such as "12,400 50,400". */
const figures = (row: string): ReadonlyArray<number> => row.split(" ").map((text) => Number(text.replaceAll(",", "")))
type Rows = ReadonlyArray<Record<string, number | null>>
const column = (rows: Rows, name: string) => rows.map((row) => row[name])
const statuses = (row: string) => Object.fromEntries(FILING_STATUSES.map((status, i) => [status, figures(row)[i]]))

describe("the second transcription of the figures agrees for", () => {
  it.each([
    [2024, "15,060 5,380 18,810 6,730 17,310 6,190"],
    [2025, "15,650 5,500 19,550 6,880 17,990 6,330"],
    [2026, "15,960 5,680 19,950 7,100 18,360 6,530"]
  ])("the poverty guidelines of %i", (year, row) => {
    const [first, each, firstAlaska, eachAlaska, firstHawaii, eachHawaii] = figures(row)
    expect(valueOf(`poverty-guideline-${year}`)).toMatchObject({
      contiguous48AndDC: { firstPerson: first, eachAdditional: each },
      alaska: { firstPerson: firstAlaska, eachAdditional: eachAlaska },
      hawaii: { firstPerson: firstHawaii, eachAdditional: eachHawaii }
    })
  })

  it.each([
    ["2025-single", "11,925 48,475 103,350 197,300 250,525 626,350"],
    ["2025-mfj", "23,850 96,950 206,700 394,600 501,050 751,600"],
    ["2025-mfs", "11,925 48,475 103,350 197,300 250,525 375,800"],
    ["2025-hoh", "17,000 64,850 103,350 197,300 250,500 626,350"],
    ["2026-single", "12,400 50,400 105,700 201,775 256,225 640,600"],
    ["2026-mfj", "24,800 100,800 211,400 403,550 512,450 768,700"],
    ["2026-mfs", "12,400 50,400 105,700 201,775 256,225 384,350"],
    ["2026-hoh", "17,700 67,450 105,700 201,750 256,200 640,600"]
  ])("the federal brackets %s", (table, ends) => {
    const { brackets } = valueOf(`federal-income-tax-brackets-${table}`) as unknown as { brackets: Rows }
    expect(column(brackets, "rate")).toEqual([0.1, 0.12, 0.22, 0.24, 0.32, 0.35, 0.37])
    expect(column(brackets, "notOver")).toEqual([...figures(ends), null])
    expect(column(brackets, "over")).toEqual([0, ...figures(ends)])
  })

  it("the federal standard deductions", () => {
    expect(valueOf("federal-standard-deduction-2025")).toMatchObject(statuses("15,750 31,500 15,750 23,625"))
    expect(valueOf("federal-standard-deduction-2026")).toMatchObject(statuses("16,100 32,200 16,100 24,150"))
  })

  it.each([
    [2025, 0.039, 420, 95_001, 369, 89, 97_801],
    [2026, 0.037, 367.2, 94_701, 369.9, 79.9, 97_601]
  ])("Arkansas in %i", (year, top, subtract, highFrom, highFirst, highLast, highLastFrom) => {
    const { rows, ...rest } = valueOf(`state-income-tax-ar-${year}`) as unknown as { rows: Rows }
    expect(rows.slice(0, 5)).toEqual([
      { from: 0, rate: 0, subtract: 0 },
      { from: 5600, rate: 0.02, subtract: 112 },
      { from: 11200, rate: 0.03, subtract: 224 },
      { from: 16000, rate: 0.034, subtract: 288 },
      { from: 26400, rate: top, subtract }
    ])
    const high = rows.slice(5)
    expect(high[0]).toEqual({ from: highFrom, rate: top, subtract: highFirst })
    expect(high.at(-1)).toEqual({ from: highLastFrom, rate: top, subtract: highLast })
    for (const [i, row] of high.entries()) {
      expect(row["from"]).toBe(highFrom + 100 * i)
      expect(row["subtract"]).toBeCloseTo(highFirst - 10 * i, 6)
    }
    expect(rest).toMatchObject({ standardDeduction: statuses("2,470 4,940 2,470 2,470") })
  })

  it("Indiana, Mississippi and North Carolina", () => {
    expect(valueOf("state-income-tax-in-2025")).toMatchObject({ rate: 0.03, exemptionPerPerson: 1000 })
    expect(valueOf("state-income-tax-in-2026")).toMatchObject({ rate: 0.0295, exemptionPerPerson: 1000 })
    const mississippi = {
      zeroBracket: 10_000,
      standardDeduction: statuses("2,300 4,600 2,300 3,400"),
      exemption: statuses("6,000 12,000 6,000 8,000"),
      exemptionPerDependent: 1500
    }
    expect(valueOf("state-income-tax-ms-2025")).toMatchObject({ ...mississippi, rate: 0.044 })
    expect(valueOf("state-income-tax-ms-2026")).toMatchObject({ ...mississippi, rate: 0.04 })
    const standardDeduction = statuses("12,750 25,500 12,750 19,125")
    expect(valueOf("state-income-tax-nc-2025")).toMatchObject({ rate: 0.0425, standardDeduction })
    expect(valueOf("state-income-tax-nc-2026")).toMatchObject({ rate: 0.0399, standardDeduction })
  })

  it.each([
    [2025, "14,680 50,480 323,290", "19,580 67,300 431,060", "9,790 33,650 215,530"],
    [2026, "15,110 51,950 332,720", "20,150 69,260 443,630", "10,080 34,630 221,820"]
  ])("the Wisconsin brackets of %i", (year, single, joint, separate) => {
    const { brackets } = valueOf(`state-income-tax-wi-${year}`) as unknown as { brackets: Record<string, Rows> }
    for (const [i, row] of [single, joint, separate, single].entries()) {
      const rows = brackets[FILING_STATUSES[i]!]!
      expect(column(rows, "rate")).toEqual([0.035, 0.044, 0.053, 0.0765])
      expect(column(rows, "over")).toEqual([0, ...figures(row)])
      expect(column(rows, "notOver")).toEqual([...figures(row), null])
    }
  })

  it.each([
    [2025, "13,560 25,110 11,930 17,520", "19,550 28,210 13,390 19,550"],
    [2026, "13,960 25,840 12,280 18,030", "20,120 29,040 13,780 20,120"]
  ])("the Wisconsin deductions of %i", (year, largest, starts) => {
    const sliding = valueOf(`state-income-tax-wi-${year}`) as unknown as { standardDeduction: Record<string, object> }
    const rates = [0.12, 0.19778, 0.19778, 0.22515]
    for (const [i, status] of FILING_STATUSES.entries()) {
      const expected = { max: figures(largest)[i], phaseOutStart: figures(starts)[i], rate: rates[i] }
      expect(sliding.standardDeduction[status]).toMatchObject(expected)
    }
    expect(sliding).toMatchObject({ exemptionPerPerson: 700 })
  })

  it.each([
    [
      2025,
      "13,722 18,881 24,295 29,831 35,118 41,786 52,483 65,824 79,170 95,150 121,836 172,561 197,858 352,418",
      "13,722 21,650 25,800 33,730 41,786 52,483 65,823 79,170 99,186 132,534 179,230 250,660 409,597"
    ],
    [
      2026,
      "13,717 18,873 24,285 29,819 35,104 41,769 52,462 65,798 79,138 95,112 121,787 172,492 197,779 352,277",
      "13,717 21,641 25,790 33,717 41,769 52,462 65,797 79,138 99,146 132,481 179,158 250,560 409,433"
    ]
  ])("the ICR factors of %i", (year, single, married) => {
    const table = valueOf(`icr-income-percentage-factors-${year}`) as unknown as Record<string, Rows>
    const other = table["marriedOrHeadOfHousehold"]!
    expect(column(table["single"]!, "agi")).toEqual(figures(single))
    expect(column(other, "agi")).toEqual(figures(married))
    expect(column(table["single"]!, "percent")).toEqual(
      figures("55 57.79 60.57 66.23 71.89 80.33 88.77 100 100 111.8 123.5 141.2 150 200")
    )
    expect(column(other, "percent")).toEqual(
      figures("50.52 56.68 59.56 67.79 75.22 87.61 100 100 109.4 125 140.6 150 200")
    )
  })

  it.each([
    ["2020-21", 0.0275, 0.043, 0.053],
    ["2021-22", 0.0373, 0.0528, 0.0628],
    ["2022-23", 0.0499, 0.0654, 0.0754],
    ["2023-24", 0.055, 0.0705, 0.0805],
    ["2024-25", 0.0653, 0.0808, 0.0908],
    ["2025-26", 0.0639, 0.0794, 0.0894],
    ["2026-27", 0.0652, 0.0807, 0.0907]
  ])("the interest rates of %s", (year, undergraduate, graduate, plus) => {
    expect(valueOf(`direct-loan-interest-rate-${year}`)).toMatchObject({ undergraduate, graduate, plus })
  })

  it.each([
    ["ibr-new-terms", { paymentRate: 0.1, povertyMultiple: 1.5, forgivenessMonths: 240 }],
    ["ibr-old-terms", { paymentRate: 0.15, povertyMultiple: 1.5, forgivenessMonths: 300 }],
    ["paye-terms", { paymentRate: 0.1, povertyMultiple: 1.5, forgivenessMonths: 240 }],
    ["icr-terms", { paymentRate: 0.2, povertyMultiple: 1, forgivenessMonths: 300, amortizationMonths: 144 }],
    ["repaye-terms", { paymentRate: 0.1, povertyMultiple: 1.5, forgivenessMonthsUndergraduate: 240 }],
    ["repaye-terms", { forgivenessMonthsGraduate: 300 }],
    ["save-terms", { paymentRateUndergraduate: 0.05, paymentRateGraduate: 0.1, povertyMultiple: 2.25 }],
    ["save-terms", { forgivenessMonthsUndergraduate: 240, forgivenessMonthsGraduate: 300 }],
    ["save-early-forgiveness", { baseBalance: 12_000, baseMonths: 120, stepBalance: 1000, stepMonths: 12 }],
    ["repaye-interest-subsidy", { subsidizedFullMonths: 36, otherwiseShare: 0.5 }],
    ["idr-subsidized-interest-months", { months: 36 }],
    ["idr-small-payment-rule", { zeroBelow: 5, raisedBelow: 10, from5Below10: 10 }],
    ["icr-minimum-payment", { minimumWhenPositive: 5 }],
    ["standard-plan-terms", { months: 120, minimumMonthly: 50 }],
    ["extended-plan-terms", { months: 300, balanceOver: 30_000 }],
    ["graduated-schedule", { stepMonths: 24, lastOverFirst: 3 }],
    ["ten-year-cap-basis", { months: 120 }],
    ["rap-dependent-reduction", { perDependentMonthly: 50 }],
    ["rap-minimum-payment", { monthly: 10 }],
    ["rap-forgiveness-term", { months: 360 }],
    ["rap-principal-match", { cap: 50 }],
    ["pslf-terms", { payments: 120 }],
    ["teacher-loan-forgiveness", { higher: 17_500, lower: 5000, years: 5 }]
  ])("%s %j", (id, terms) => {
    expect(valueOf(id)).toMatchObject(terms)
  })

  it("the RAP bands: 120 a year up to 10,000, then 1 to 10 percent in steps of 10,000", () => {
    const { bands } = valueOf("rap-base-payment-bands") as unknown as { bands: Rows }
    const ends = "10,000 20,000 30,000 40,000 50,000 60,000 70,000 80,000 90,000 100,000"
    expect(column(bands, "notOver")).toEqual([...figures(ends), null])
    expect(column(bands, "over")).toEqual([null, ...figures(ends)])
    expect(bands[0]).toMatchObject({ flatAnnual: 120 })
    expect(column(bands.slice(1), "rate")).toEqual([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1])
  })

  it.each([
    ["tiered-standard-plan-terms", "25,000 50,000 100,000", "120 180 240 300"],
    ["consolidation-standard-terms", "7,500 10,000 20,000 40,000 60,000", "120 144 180 240 300 360"]
  ])("the tiers of %s", (id, below, months) => {
    const { tiers } = valueOf(id) as unknown as { tiers: Rows }
    expect(column(tiers, "below")).toEqual([...figures(below), null])
    expect(column(tiers, "months")).toEqual(figures(months))
  })

  it("the taxability of forgiveness: only time-based, federally and in the five states", () => {
    const taxed = { TimeBased: true, Pslf: false, Teacher: false }
    expect(valueOf("forgiveness-taxability-federal")).toMatchObject({ ...taxed, None: false })
    expect(valueOf("state-tax-on-forgiveness-states")).toEqual(["AR", "IN", "MS", "NC", "WI"])
    for (const state of ["ar", "in", "ms", "nc", "wi"]) {
      expect(valueOf(`state-forgiveness-treatment-${state}`)).toMatchObject(taxed)
    }
  })

  it("every year of a rule with yearly figures", () => {
    const yearly = rules.filter(({ entries: dated, informative }) => dated.length > 1 && !informative)
    expect(yearly.flatMap(({ entries: dated }) => offenders(dated, ({ id }) => transcribed.has(id)))).toEqual([])
  })
})
