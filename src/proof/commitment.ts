/**
 * The commitment of a record to its answer: the SHA-256 of the brief answer as RFC 8785 JSON. A
 * brief answer has ids for citations and omissions, and no provenance for each projection of a
 * comparison. Its `textsHash` covers the texts that were left out, and its random salt keeps the
 * figures from being guessed.
 */
import { refuse, type Sha256, toHex, utf8, webSha256 } from "./bytes.ts"

/** The fields of a record that are compared with an answer. */
export type AnswerRecord = { readonly answerId: string; readonly answerHash: string }
const MEMBERS = "answerHash answerId endpoint eventType inputsHash recordedAtUtc ruleVersion source".split(" ")
/** Parses the record in a receipt: RFC 8785 JSON of exactly these fields, all of them text. */
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

/**
 * Whether all JSON parsers read the text alike: no name is duplicate or escaped, and numbers have
 * the usual form.
 */
const isPlain = (text: string, value: unknown): boolean => {
  const plain = (part: string): string => (part.includes("\\") ? JSON.stringify(JSON.parse(part)) : part)
  const solid = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1")
  if (/[{,]"[^"\\]*\\/.test(solid)) return false
  return JSON.stringify(value) === (solid.includes("\\") ? solid.replace(/"(?:[^"\\]|\\.)*"/g, plain) : solid)
}

/** Citations and omissions of an answer. Rejects other texts before the more costly hashing. */
const textsOf = ({ provenance }: Answer): ReadonlyArray<Texts> => {
  const { citations, knownOmissions, notes = [], textsHash, ...others } = provenance
  const isFlat = (one: object) => Object.values(one).every((value) => typeof value !== "object" || value === null)
  const isTexts = (all: unknown): all is Texts =>
    Array.isArray(all) && all.every((one) => typeof one?.id === "string" && isFlat(one))
  const isPlainOne = isFlat(others) && Array.isArray(notes) && isFlat(notes) && textsHash === undefined
  if (isTexts(citations) && isTexts(knownOmissions) && isPlainOne) return [citations, knownOmissions]
  return refuse("it is not an answer of this service")
}

/** The hash that the record of this answer, full or brief, contains if nothing was altered. */
export const answerHashOf = async (answer: string, sha256: Sha256 = webSha256): Promise<string> => {
  const hashOf = async (value: unknown) => toHex(await sha256(utf8(canonicalJson(value))))
  const value = JSON.parse(answer) as Answer
  const isBrief = typeof value.provenance["textsHash"] === "string"
  const parts = isBrief ? [] : [value, ...(value.projections ?? [])]
  if (parts.length > MAX_PARTS) refuse("it has more parts than any answer")
  const textsOfParts = parts.map(textsOf)
  const texts = textsOfParts.flat(2)
  if (texts.length > MAX_TEXTS) refuse("it has more texts than any answer")
  if (!isPlain(answer, value)) refuse("this service would not have written the answer in this form")
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
