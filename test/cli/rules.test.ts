/**
 * `repay rules` and `repay openapi`: the published documents, and the differences between two
 * ledgers.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { constants, engineRevision, rules as ledgerRules, publishedOmissions, ruleVersion } from "../../ledger/index.ts"
import { RulesResponse } from "../../schema/rules.ts"
import { differenceOf, ruleIdOf } from "../../src/cli/calculate/rulesDiff.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file } = filesOf("rules")

const published = async (): Promise<RulesResponse> => {
  const { stdout } = await repay(["rules", "--json"])
  return Schema.decodeUnknownSync(RulesResponse, { onExcessProperty: "error" })(JSON.parse(stdout))
}

describe("repay rules", () => {
  it("prints the document of GET /v1/rules", async () => {
    const rules = await published()
    expect(rules.version).toBe(ruleVersion)
    expect(rules.constants.map(({ id }) => id)).toEqual(constants.map(({ id }) => id))
    expect(rules.knownOmissions.length).toBe(publishedOmissions.length)
  })

  it("lists every constant and every omission in a table", async () => {
    const { stdout } = await repay(["rules", "--table"])
    const firstWords = linesOf(stdout).map((line) => line.split(" ")[0])
    for (const { id } of [...constants, ...publishedOmissions]) expect(firstWords).toContain(id)
  })

  it("lists the entries of one grade of evidence, and refuses an unknown grade", async () => {
    const { code, stdout } = await repay(["rules", "--evidence", "third-party", "--json"])
    const listed = Schema.decodeUnknownSync(RulesResponse, { onExcessProperty: "error" })(JSON.parse(stdout))
    const expected = constants.filter(({ source }) => source.evidence === "third-party")
    expect({ code, ids: listed.constants.map(({ id }) => id) }).toEqual({ code: 0, ids: expected.map(({ id }) => id) })
    expect(expected.length).toBeGreaterThan(0)
    expect(new Set(listed.knownOmissions.map(({ source }) => source.evidence))).toEqual(new Set(["third-party"]))
    const table = await repay(["rules", "--evidence", "third-party", "--table"])
    for (const { id } of expected) expect(table.stdout).toMatch(new RegExp(`^${id} .*third-party`, "m"))
    expect(await repay(["rules", "--evidence", "memory"])).toMatchObject({
      code: 2,
      stderr: "--evidence: use one of statute, official-copy, open-model, third-party, convention\n"
    })
    const both = await repay(["rules", "--evidence", "statute", "--diff", "-"], { input: "{}" })
    expect(both).toMatchObject({ code: 2, stderr: "--evidence and --diff: use one of them\n" })
  })

  it("compares with a document of a release without grades, or with other grades", async () => {
    const rules = await published()
    const [first, second, ...others] = rules.constants
    const { evidence: _none, ...source } = first!.source
    const older = {
      ...rules,
      constants: [{ ...first!, source }, { ...second!, source: { ...second!.source, evidence: "hearsay" } }, ...others]
    }
    const { code, stdout } = await repay(["rules", "--diff", file("ungraded.json", older), "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      added: [],
      removed: [],
      changed: [
        { id: first!.id, changes: [{ path: "source.evidence", after: first!.source.evidence }] },
        { id: second!.id, changes: [{ before: "hearsay", after: second!.source.evidence }] }
      ]
    })
  })

  it("finds no change in its own document", async () => {
    const path = file("same.json", await published())
    expect(await repay(["rules", "--diff", path, "--table"])).toMatchObject({
      code: 0,
      stdout: `Nothing changed: ${ruleVersion} and ${ruleVersion} contain the same rules.\n`
    })
  })

  it("lists the entries changed, added and removed since an older document", async () => {
    const rules = await published()
    const [first, second, third, ...others] = rules.constants
    const older = {
      ...rules,
      version: "rl1-000000000000",
      constants: [{ ...first!, label: "Old label" }, { ...second!, id: "gone" }, { ...third!, value: 7 }, ...others]
    }
    const path = file("older.json", older)
    const table = await repay(["rules", "--diff", path, "--table"])
    expect(table.code).toBe(0)
    const lines = linesOf(table.stdout)
    expect(lines.filter((line) => !line.startsWith("      + "))).toEqual([
      `From rl1-000000000000 to ${ruleVersion}: 2 changed, 1 added, 1 removed`,
      "Figures may differ.",
      `  in force now: constant ${second!.id}: ${second!.label}`,
      `~ constant ${third!.id}: ${third!.label}`,
      "    value",
      "      - 7",
      `+ constant ${second!.id}: ${second!.label}`,
      `- constant gone: ${second!.label}`,
      "Only reworded:",
      `~ constant ${first!.id}: ${first!.label}`,
      "    label",
      '      - "Old label"'
    ])
    expect(lines.at(-1)).toBe(`      + ${JSON.stringify(first!.label)}`)
    const json = await repay(["rules", "--diff", "-"], { input: JSON.stringify(older) })
    expect(JSON.parse(json.stdout)).toMatchObject({
      from: "rl1-000000000000",
      to: ruleVersion,
      figuresMayDiffer: true,
      engineRevision: { before: engineRevision, after: engineRevision },
      cameIntoForce: [{ kind: "constant", id: second!.id }],
      superseded: [],
      added: [{ kind: "constant", id: second!.id }],
      removed: [{ kind: "constant", id: "gone" }],
      changed: [
        {
          id: first!.id,
          valueChanged: false,
          changes: [{ path: "label", before: "Old label", after: first!.label }]
        },
        { id: third!.id, valueChanged: true, changes: [{ path: "value", before: 7, after: third!.value }] }
      ]
    })
  })

  it("separates changed words from changes that may move figures", async () => {
    const rules = await published()
    const [first, ...others] = rules.constants
    const reworded = { ...rules, constants: [{ ...first!, definition: "Old words." }, ...others] }
    const { stdout } = await repay(["rules", "--diff", "-", "--table"], { input: JSON.stringify(reworded) })
    expect(linesOf(stdout).slice(1, 4)).toEqual([
      `Figures are the same: engine revision ${engineRevision}, the same values in force.`,
      "Only reworded:",
      `~ constant ${first!.id}: ${first!.label}`
    ])
  })

  it("reads a document from before the engine had revisions", async () => {
    const { engineRevision: now, ...older } = await published()
    const path = file("before-revisions.json", { ...older, version: "rl1-000000000000" })
    const { code, stdout } = await repay(["rules", "--diff", path, "--table"])
    expect([code, ...linesOf(stdout)]).toEqual([
      0,
      `From rl1-000000000000 to ${ruleVersion}: 0 changed, 0 added, 0 removed`,
      "Figures may differ.",
      `  engine revision: unknown before, ${now} now`
    ])
  })

  it("refuses a file that is no rules document, and exits with 2", async () => {
    for (const [path, why] of [
      [file("no.json", "{"), "is not valid JSON; use a response of GET /v1/rules\n"],
      [file("other.json", { version: "rl1-1" }), "\nconstants: is required\n"]
    ])
      expect(await repay(["rules", "--diff", path!])).toMatchObject({ code: 2, stderr: expect.stringContaining(why!) })
  })
})

describe("the difference of two ledgers", () => {
  const entry = { ...constants[0]!, id: "entry", value: { floor: 10, bands: [1, 2, 3] } }
  const ledger = (...entries: ReadonlyArray<RulesResponse["constants"][number]>): RulesResponse => ({
    version: "rl1-1",
    generatedAtUtc: "2026-01-01T00:00:00Z",
    engineRevision: 1,
    constants: entries,
    knownOmissions: [],
    howToUse: ""
  })
  const changesOf = (value: unknown) =>
    differenceOf(ledger(entry), ledger({ ...entry, value: value as typeof entry.value })).changed.flatMap(
      ({ changes }) => changes
    )

  it.each([
    ["the path inside a value", { floor: 12, bands: [1, 2, 3] }, { path: "value.floor", before: 10, after: 12 }],
    ["the place in a list", { floor: 10, bands: [1, 5, 3] }, { path: "value.bands[1]", before: 2, after: 5 }],
    ["no value of before if there was none", { floor: 10, bands: [1, 2, 3, 4] }, { path: "value.bands[3]", after: 4 }],
    ["no value of now if there is none", { bands: [1, 2, 3] }, { path: "value.floor", before: 10 }],
    ["a null", { floor: null, bands: [1, 2, 3] }, { path: "value.floor", before: 10, after: null }],
    ["a value of another shape in full", 7, { path: "value", before: entry.value, after: 7 }]
  ])("names %s", (_, value, change) => expect(changesOf(value)).toEqual([change]))

  type Constant = RulesResponse["constants"][number]
  const dated = (year: number): Constant => ({
    ...entry,
    id: `rate-${year}`,
    value: year,
    effectiveDate: `${year}-07-01`
  })
  const released = (date: string, ...entries: ReadonlyArray<Constant>) => ({
    ...ledger(...entries),
    generatedAtUtc: `${date}T12:00:00Z`
  })
  const idsOf = (entries: ReadonlyArray<{ readonly id: string }>) => entries.map(({ id }) => id)

  it("names the constants that came into force between the releases, and those that they superseded", () => {
    const entries = [dated(2025), dated(2026), dated(2027)]
    const difference = differenceOf(released("2026-06-30", ...entries), released("2026-07-01", ...entries))
    expect(idsOf(difference.cameIntoForce)).toEqual(["rate-2026"])
    expect(difference.superseded).toMatchObject([{ id: "rate-2025", by: "rate-2026" }])
    expect(difference).toMatchObject({ figuresMayDiffer: true, added: [], removed: [], changed: [] })
    const later = differenceOf(released("2026-07-01", ...entries), released("2027-06-30", ...entries))
    expect(later).toMatchObject({ figuresMayDiffer: false, cameIntoForce: [], superseded: [] })
  })

  it("lists an added constant as in force, unless it was published ahead", () => {
    const [old, next] = [dated(2025), dated(2026)]
    const inForce = differenceOf(released("2026-06-30", old), released("2026-08-01", old, next))
    expect([idsOf(inForce.cameIntoForce), idsOf(inForce.superseded)]).toEqual([["rate-2026"], ["rate-2025"]])
    const ahead = differenceOf(released("2026-05-01", old), released("2026-06-30", old, next))
    expect(ahead).toMatchObject({ figuresMayDiffer: false, cameIntoForce: [], added: [{ id: "rate-2026" }] })
  })

  it("reports that figures may differ if only the engine changed", () => {
    const difference = differenceOf(ledger(entry), { ...ledger(entry), engineRevision: 2 })
    expect(difference).toMatchObject({ figuresMayDiffer: true, engineRevision: { before: 1, after: 2 }, changed: [] })
  })

  it("groups the constants of each rule in the current ledger by their ids", () => {
    const ruleIds = ledgerRules.map(({ entries }) => [...new Set(entries.map(({ id }) => ruleIdOf(id)))])
    expect(ruleIds.filter((ids) => ids.length !== 1)).toEqual([])
    expect(new Set(ruleIds.flat()).size).toBe(ledgerRules.length)
  })

  it("ignores the order of entries", () => {
    const other = { ...entry, id: "other" }
    const difference = differenceOf(ledger(entry, other), ledger(other, entry))
    expect(difference).toMatchObject({ added: [], removed: [], changed: [] })
  })
})

describe("repay openapi", () => {
  it("prints the document for the given address", async () => {
    const { code, stdout } = await repay(["openapi", "--public-url", "https://api.example.org/"])
    const document = JSON.parse(stdout) as { openapi: string; servers: unknown; paths: Record<string, unknown> }
    expect(code).toBe(0)
    expect(document.openapi).toBe("3.1.0")
    expect(document.servers).toEqual([{ url: "https://api.example.org" }])
    expect(Object.keys(document.paths)).toContain("/v1/projection")
  })

  it("refuses an invalid address", async () => {
    const stderr = "--public-url: use an address such as https://api.example.org\n"
    expect(await repay(["openapi", "--public-url", "nowhere"])).toMatchObject({ code: 2, stderr })
  })
})
