/**
 * Commitment of a record to its answer: SHA-256 of the RFC 8785 JSON of the brief answer with salt.
 * There, citations and omissions are ids, arms have no provenance; `textsHash` covers the rest.
 */
import { refuse, type Sha256, toHex, utf8, webSha256 } from "./bytes.ts"

/** The members of a record that are compared with an answer. */
export type AnswerRecord = { readonly answerId: string; readonly answerHash: string }
const MEMBERS = "answerHash answerId endpoint eventType inputsHash recordedAtUtc ruleVersion source".split(" ")
/** Parses the record in a receipt: RFC 8785 JSON of exactly these members, all of them text. */
export const readRecord = (text: string): AnswerRecord & Readonly<Record<string, string>> => {
  const value = JSON.parse(text)
  const record = Object.fromEntries(MEMBERS.map((name) => [name, String(value?.[name])]))
  return JSON.stringify(record) === text ? (record as never) : refuse("what is logged is not a record of an answer")
}

type Texts = ReadonlyArray<{ readonly id: string }>
type Answer = { readonly provenance: Readonly<Record<string, unknown>>; readonly projections?: ReadonlyArray<Answer> }
const MAX_PARTS = 16
const MAX_TEXTS = 1024

/** Version of the hash format. */
const FORM = "a2-"

/** JSON by RFC 8785, for values of JSON.parse. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const member = (name: string): string => `${JSON.stringify(name)}:${canonicalJson((value as never)[name])}`
  return `{${Object.keys(value).sort().map(member).join(",")}}`
}

/** Whether two JSON parsers must agree: no duplicate members, escaped names or odd numbers. */
const isPlain = (text: string, value: unknown): boolean => {
  const plain = (part: string): string => (part.includes("\\") ? JSON.stringify(JSON.parse(part)) : part)
  const solid = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1")
  if (/[{,]"[^"\\]*\\/.test(solid)) return false
  return JSON.stringify(value) === (solid.includes("\\") ? solid.replace(/"(?:[^"\\]|\\.)*"/g, plain) : solid)
}

/** Rejects a text that is no answer before hashing, so that it costs no more than an answer. */
const textsOf = ({ provenance }: Answer): ReadonlyArray<Texts> => {
  const { citations, knownOmissions, notes = [], textsHash, ...others } = provenance
  const isFlat = (one: object) => Object.values(one).every((value) => typeof value !== "object" || value === null)
  const isTexts = (all: unknown): all is Texts =>
    Array.isArray(all) && all.every((one) => typeof one?.id === "string" && isFlat(one))
  const isPlainOne = isFlat(others) && Array.isArray(notes) && isFlat(notes) && textsHash === undefined
  if (isTexts(citations) && isTexts(knownOmissions) && isPlainOne) return [citations, knownOmissions]
  return refuse("it is not an answer of this service")
}

/** Hash that the record of this unaltered answer contains. The answer may be whole or brief. */
export const answerHashOf = async (answer: string, sha256: Sha256 = webSha256): Promise<string> => {
  const hashOf = async (value: unknown) => toHex(await sha256(utf8(canonicalJson(value))))
  const value = JSON.parse(answer) as Answer
  const isBrief = typeof value.provenance["textsHash"] === "string"
  const parts = isBrief ? [] : [value, ...(value.projections ?? [])]
  if (parts.length > MAX_PARTS) refuse("no answer has as much")
  const textsOfParts = parts.map(textsOf)
  const texts = textsOfParts.flat(2)
  if (texts.length > MAX_TEXTS) refuse("no answer has as much")
  if (!isPlain(answer, value)) refuse("the answer is not written as this service writes one")
  const provenances: ReadonlyArray<Answer["provenance"]> = parts.map((part, index) => {
    const [citations, knownOmissions] = textsOfParts[index]!.map((all) => all.map(({ id }) => id))
    return { ...part.provenance, citations, knownOmissions }
  })
  const textsHash = await hashOf([await Promise.all(texts.map(hashOf)), provenances])
  const { computedBy: _, engine: __, parityVerified: ___, ...outer } = provenances[0] ?? {}
  const figures = value.projections && { projections: value.projections.map(({ provenance: _, ...rest }) => rest) }
  return `${FORM}${await hashOf(isBrief ? value : { ...value, ...figures, provenance: { ...outer, textsHash } })}`
}

/** Checks that the answer is the recorded one, to the last figure; throws if not. */
export const checkAnswer = async (answer: string, record: AnswerRecord): Promise<void> => {
  if ((await answerHashOf(answer)) !== record.answerHash) refuse("the answer is not the one that was recorded")
}
