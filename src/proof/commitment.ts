/**
 * What the record of an answer commits to: SHA-256 of the RFC 8785 JSON of the answer as it was received, its salt
 * included, in which citations and omissions stand as their ids, and all their texts as one hash.
 */
import { refuse, type Sha256, toHex, utf8, webSha256 } from "./bytes.ts"

/** The members of a record that are compared with an answer. */
export type AnswerRecord = { readonly answerId: string; readonly answerHash: string | null }
const MEMBERS = "answerHash answerId endpoint eventType inputsHash recordedAtUtc ruleVersion source".split(" ")
/** A record as a receipt has it: the RFC 8785 JSON of exactly these members, each of them text; or refuses. */
export const readRecord = (text: string): AnswerRecord & Readonly<Record<string, string>> => {
  const value = JSON.parse(text)
  const record = Object.fromEntries(MEMBERS.map((name) => [name, String(value?.[name])]))
  return JSON.stringify(record) === text ? (record as never) : refuse("what is logged is not a record of an answer")
}

type Texts = ReadonlyArray<{ readonly id: string }>
type Part = { readonly provenance: Readonly<Record<"citations" | "knownOmissions" | "textsHash", unknown>> }
/** Projections, and texts of the rules in all: more than the largest answer has. */
const [MOST_PARTS, MOST_TEXTS] = [16, 1024]

/** How a hash of this kind begins. Those of another are of answers without a salt: they prove nothing to others. */
export const SALTED = "a2-"

const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const member = (name: string): string => `${JSON.stringify(name)}:${canonicalJson((value as never)[name])}`
  return `{${Object.keys(value).sort().map(member).join(",")}}`
}

/** Of a JSON text that says everything once and in one way: of another, two who read it might see different figures. */
const isPlain = (text: string, value: unknown): boolean => {
  const plain = (part: string): string => (part.includes("\\") ? JSON.stringify(JSON.parse(part)) : part)
  const solid = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1")
  return JSON.stringify(value) === (solid.includes("\\") ? solid.replace(/"(?:[^"\\]|\\.)*"/g, plain) : solid)
}

/** Refused before anything else is done: whoever sends a text that is no answer is not to cost more than one. */
const textsOf = ({ provenance: { citations, knownOmissions, textsHash } }: Part): ReadonlyArray<Texts> => {
  const isTexts = (all: unknown): all is Texts => Array.isArray(all) && all.every((one) => typeof one?.id === "string")
  const isPart = isTexts(citations) && isTexts(knownOmissions) && textsHash === undefined
  return isPart ? [citations, knownOmissions] : refuse("it is not an answer of this service")
}

/** The hash that the record of this answer has, if the answer is as it left. */
export const answerHashOf = async (answer: string, sha256: Sha256 = webSha256): Promise<string> => {
  const hexOf = async (text: string) => toHex(await sha256(utf8(text)))
  const committed = async (part: Part) => {
    const [citations, knownOmissions] = textsOf(part).map((texts) => texts.map(({ id }) => id))
    const each = await Promise.all(textsOf(part).flatMap((texts) => texts.map((text) => hexOf(canonicalJson(text)))))
    const provenance = { ...part.provenance, citations, knownOmissions, textsHash: await hexOf(each.join("")) }
    return { ...part, provenance }
  }
  const value = JSON.parse(answer) as Part & { readonly projections?: ReadonlyArray<Part> }
  const parts = [value, ...(value.projections ?? [])]
  if (parts.length > MOST_PARTS || parts.flatMap(textsOf).flat().length > MOST_TEXTS) refuse("no answer has as much")
  if (!isPlain(answer, value)) refuse("the answer is not written as this service writes one")
  const projections = value.projections && { projections: await Promise.all(value.projections.map(committed)) }
  return `${SALTED}${await hexOf(canonicalJson({ ...(await committed(value)), ...projections }))}`
}

/** Believes that the answer, as text, is the one that was recorded, to the last figure; or refuses. */
export const checkAnswer = async (answer: string, record: AnswerRecord): Promise<void> => {
  if (!record.answerHash?.startsWith(SALTED)) refuse("the record is of an answer from before answers had a salt")
  if ((await answerHashOf(answer)) !== record.answerHash) refuse("the answer is not the one that was recorded")
}
