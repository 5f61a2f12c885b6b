/**
 * Tests of the hash of an answer and of the record in a receipt. Anyone can recompute the recorded
 * hash from the answer as sent, whatever its spacing, order of fields or escapes. An altered answer
 * must have another hash.
 */

import { createHash } from "node:crypto"
import canonicalize from "canonicalize"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { BriefComparison, BriefProjection } from "../schema/brief.ts"
import { ComparisonRequest } from "../schema/comparison.ts"
import { ProjectionRequest } from "../schema/projection.ts"
import { compare } from "../src/engine/comparison.ts"
import { currentLaw } from "../src/engine/law/law.ts"
import { project } from "../src/engine/projection.ts"
import { type Sha256, webSha256 } from "../src/proof/bytes.ts"
import { answerHashOf, checkAnswer, readRecord } from "../src/proof/commitment.ts"
import { answerHashOf as recordedHashOf } from "../src/services/answers/brief.ts"
import { comparisonForms, projectionForms, type RecordedForms } from "../src/services/answers/forms.ts"
import { type Identity, newSalt } from "../src/services/answers/provenance.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { comparisonRequests, projectionRequests, type RequestOptions, started } from "./generators/requests.ts"

/** The number of answers in which bits are flipped. */
const BITS_OF = runs(6, 30)
const seed = seedOr(20261122)
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

interface Left {
  /** The answer as the service sends it. */
  readonly text: string
  /** The answer as an MCP tool sends it: citations and omissions are only ids. */
  readonly brief: string
  /** The hash in the record of the answer. */
  readonly answerHash: string
  readonly answerId: string
}

const left = (
  { brief, bytes }: RecordedForms<unknown, BriefProjection | BriefComparison>,
  { answerId }: Identity & { readonly answerId: string }
): Left => ({
  text: Buffer.from(bytes()).toString(),
  brief: JSON.stringify(brief()),
  answerHash: recordedHashOf(brief()),
  answerId
})

const identities = fc.record({
  computedAtUtc: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  answerId: fc.uuid(),
  verifyUrl: fc.webUrl(),
  answerSalt: fc.constant(null).map(newSalt)
})

const drawn = <R>(requests: (options: RequestOptions) => fc.Arbitrary<R>) =>
  started((start) => requests({ additions: true, start }))

const projections = fc
  .tuple(drawn(projectionRequests), identities)
  .map(([[request, start], identity]) => {
    const decoded = Schema.decodeUnknownSync(ProjectionRequest)(request)
    const outcome = project(currentLaw, decoded, start)
    return outcome._tag === "Refusal" ? undefined : left(projectionForms(outcome, decoded, identity), identity)
  })
  .filter((answer) => answer !== undefined)

const comparisons = fc
  .tuple(drawn(comparisonRequests), identities)
  .map(([[request, start], identity]) => {
    const decoded = Schema.decodeUnknownSync(ComparisonRequest)(request)
    const outcome = compare(currentLaw, decoded, start)
    return outcome._tag === "RefusedArms" ? undefined : left(comparisonForms(outcome, decoded.arms, identity), identity)
  })
  .filter((answer) => answer !== undefined)

interface Texts {
  readonly citations: ReadonlyArray<{ readonly id: string }>
  readonly knownOmissions: ReadonlyArray<{ readonly id: string }>
}

interface Part {
  readonly provenance: Texts
}

/** The hash by the steps of docs/verification.md, with a third-party library. */
const asDocumented = (text: string): string => {
  const answer: Part & { readonly projections?: ReadonlyArray<Part> } = JSON.parse(text)
  const parts = [answer, ...(answer.projections ?? [])]
  const hashOf = (value: unknown) => sha256(canonicalize(value)!)
  const hashes = parts.flatMap(({ provenance: { citations, knownOmissions } }) =>
    [...citations, ...knownOmissions].map(hashOf)
  )
  const provenances = parts.map(({ provenance }) => ({
    ...provenance,
    citations: provenance.citations.map(({ id }) => id),
    knownOmissions: provenance.knownOmissions.map(({ id }) => id)
  }))
  const own: Record<string, unknown> = { ...provenances[0] }
  for (const name of ["computedBy", "engine", "parityVerified"]) delete own[name]
  const brief = {
    ...answer,
    ...(answer.projections === undefined
      ? {}
      : { projections: answer.projections.map(({ provenance: _, ...figures }) => figures) }),
    provenance: { ...own, textsHash: hashOf([hashes, provenances]) }
  }
  return `a2-${hashOf(brief)}`
}

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)])
  return Object.fromEntries(members.reverse())
}

/** Escapes everything beyond ASCII, as some JSON writers do. */
const escaped = (text: string): string =>
  text.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const isRefused = (text: string, record: Left): Promise<boolean> =>
  checkAnswer(text, record).then(
    () => false,
    () => true
  )

describe("the hash of an answer", () => {
  it.each([
    ["projection", projections, runs(20, 100)],
    ["comparison", comparisons, runs(8, 30)]
  ] as const)(
    "can be recomputed from a %s in full or brief form and in any spelling of its JSON",
    async (_, answers, numRuns) => {
      await fc.assert(
        fc.asyncProperty(answers, async ({ answerHash, brief, text }) => {
          expect(asDocumented(text)).toBe(answerHash)
          const value: unknown = JSON.parse(text)
          for (const spelling of [
            text,
            JSON.stringify(value, null, 2),
            JSON.stringify(reversed(value), null, "\t"),
            escaped(text),
            brief,
            JSON.stringify(reversed(JSON.parse(brief)), null, 1)
          ]) {
            expect(await answerHashOf(spelling)).toBe(answerHash)
          }
        }),
        { numRuns, seed }
      )
    }
  )

  it("does not match a text with a single flipped bit", async () => {
    const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    let changes = 0
    await fc.assert(
      fc.asyncProperty(projections, fc.nat(), fc.nat(7), async (answer, place, bit) => {
        for (const form of [answer.text, answer.brief]) {
          const bytes = new TextEncoder().encode(form)
          for (let at = place % 61; at < bytes.length; at += 61) {
            const changed = bytes.slice()
            changed[at]! ^= 1 << bit
            changes += 1
            let text: string
            try {
              text = decode(changed)
            } catch {
              continue
            }
            expect(await isRefused(text, answer), text.slice(Math.max(0, at - 40), at + 40)).toBe(true)
          }
        }
      }),
      { numRuns: BITS_OF, seed }
    )
    expect(changes).toBeGreaterThan((4000 * BITS_OF) / 60)
  })

  it("does not match an answer with anything duplicated, added, removed, moved or respelled", async () => {
    // Lists that read the same in reverse, such as two equal arms or one citation, would prove
    // nothing.
    const hasOrder = (list: ReadonlyArray<unknown>) => JSON.stringify(list) !== JSON.stringify(list.toReversed())
    const several = comparisons.filter(({ text }) => {
      const { projections, provenance } = JSON.parse(text)
      return hasOrder(projections) && hasOrder(provenance.citations)
    })
    const [answer] = fc.sample(several, { numRuns: 1, seed })
    const { text } = answer!
    const value = JSON.parse(text)
    const { provenance } = value
    const brief = JSON.parse(answer!.brief)
    const { textsHash } = brief.provenance
    const [arm, ...arms] = value.projections
    const first = arm.provenance
    const ofWhole = (changes: object) => JSON.stringify({ ...value, provenance: { ...provenance, ...changes } })
    const ofFirstArm = (changes: object) =>
      JSON.stringify({ ...value, projections: [{ ...arm, provenance: { ...first, ...changes } }, ...arms] })
    const others = [
      ofWhole({ textsHash }),
      JSON.stringify({ ...brief, projections: value.projections }),
      JSON.stringify({ ...value, projections: brief.projections }),
      JSON.stringify({ ...brief, provenance: { ...brief.provenance, citations: provenance.citations } }),
      JSON.stringify({ ...brief, provenance: { ...brief.provenance, citations: [] } }),
      JSON.stringify({ ...brief, provenance: { ...brief.provenance, textsHash: textsHash.replace(/./, "x") } }),
      JSON.stringify({ ...value, projections: null }),
      JSON.stringify({ ...value, projections: [...value.projections.slice(0, -1), brief.projections.at(-1)] }),
      ofFirstArm({ engine: "another" }),
      ofFirstArm({ citations: first.citations.map((each: object) => ({ ...each, url: "https://example.org" })) }),
      ofFirstArm({ citations: first.citations.slice(1) }),
      ofFirstArm({ answerId: null }),
      text.replace('"projections":', '"lowestCostLabel":"doctored","projections":'),
      text.replace('"totalOutOfPocket":', '"totalOutOfPocket":1,"totalOutOfPocket":'),
      text.replace(/"monthsToFinish":(\d+)/, '"monthsToFinish":$1.0'),
      text.replace(/"monthsToFinish":(\d+)/, '"monthsToFinish":$1e0'),
      JSON.stringify({ ...value, note: "all is well" }),
      ofWhole({ textsHash: "0" }),
      JSON.stringify({ ...value, projections: value.projections.toReversed() }),
      JSON.stringify({ ...value, projections: value.projections.slice(1) }),
      ofWhole({ citations: provenance.citations.toReversed() }),
      ofWhole({ citations: provenance.citations.slice(1) }),
      ofWhole({ answerSalt: newSalt() }),
      JSON.stringify({ ...value, provenance: null }),
      ofWhole({ citations: "x".repeat(1_000_000) }),
      ofWhole({ knownOmissions: { length: 1 } }),
      ofWhole({ citations: provenance.citations.map(({ id }: { id: string }) => id) }),
      ofWhole({ citations: Array.from({ length: 1025 }, () => ({ id: "" })) }),
      JSON.stringify({ ...value, projections: "x".repeat(1_000_000) }),
      JSON.stringify([value]),
      "null",
      "",
      `${text}x`
    ]
    expect(await isRefused(text, answer!)).toBe(false)
    for (const other of others) {
      expect(other).not.toBe(text)
      expect(await isRefused(other, answer!), other.slice(0, 200)).toBe(true)
    }
  })

  it("is not computed for a text that is not an answer or has too many parts", async () => {
    let hashed = 0
    const counting: Sha256 = (bytes) => {
      hashed++
      return webSha256(bytes)
    }
    const provenance = { citations: "x".repeat(1_000_000), knownOmissions: [] }
    const many = Array.from({ length: 2000 }, () => ({ id: "" }))
    const none = { provenance: { citations: [], knownOmissions: [] } }
    const parts = { ...none, projections: Array.from({ length: 4000 }, () => none) }
    for (const other of [{ provenance }, { provenance: { citations: many, knownOmissions: [] } }, parts]) {
      await expect(answerHashOf(JSON.stringify(other), counting)).rejects.toThrow()
    }
    expect(hashed).toBe(0)
  })

  it("includes a salt of 16 bytes, so equal figures have different hashes", () => {
    const salts = Array.from({ length: 1000 }, newSalt)
    expect(new Set(salts).size).toBe(salts.length)
    expect(salts.every((salt) => Buffer.from(salt, "base64url").length === 16)).toBe(true)
  })

  it("of another version does not match", async () => {
    const [answer] = fc.sample(projections, { numRuns: 1, seed })
    const answerHash = answer!.answerHash.replace("a2-", "a1-")
    await expect(checkAnswer(answer!.text, { ...answer!, answerHash })).rejects.toThrow(/not the one that was recorded/)
  })
})

describe("a record in a receipt", () => {
  const members = {
    answerHash: "a2-1",
    answerId: "5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11",
    endpoint: "POST /v1/projection",
    eventType: "calc.projection.run",
    inputsHash: "h1-1",
    recordedAtUtc: "2026-11-22T00:00:00.000Z",
    ruleVersion: "rl1-1",
    source: "PublicApi"
  }
  const text = JSON.stringify(members)

  it("is read in its canonical form", () => expect(readRecord(text)).toEqual(members))

  it.each([
    "",
    "null",
    "[]",
    '"record"',
    "{}",
    `{"answerId":"${members.answerId}"}`,
    text.replace("{", '{"answerHash":"a2-2",'),
    text.replace("}", ',"zone":"UTC"}'),
    text.replace('"a2-1"', "null"),
    text.replace('"h1-1"', "1"),
    text.replace(":", ": "),
    JSON.stringify(Object.fromEntries(Object.entries(members).reverse()))
  ])("is refused in any other form: %s", (other) => expect(() => readRecord(other)).toThrow())
})
