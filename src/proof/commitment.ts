/**
 * What the record of an answer commits to: SHA-256 of the RFC 8785 JSON of the answer as it was received, its salt
 * included, in which citations and omissions stand as their ids, and all their texts as one hash. So an answer that
 * carries their ids and that hash alone commits to the same.
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

/** How a hash of this kind begins. Those of another are of answers without a salt: they prove nothing to others. */
export const SALTED = "a2-"

const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`
}

/** The value of a JSON text that says everything once and in one way: else two who read it might see different figures. */
const readJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  const again = (part: string): string => (part[0] === '"' ? JSON.stringify(JSON.parse(part)) : "")
  const said = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, again)
  return said === JSON.stringify(value) ? value : refuse("the answer is not written as this service writes one")
}

/** The hash that the record of this answer has, if the answer is as it left. */
export const answerHashOf = async (answer: string, sha256: Sha256 = webSha256): Promise<string> => {
  const hexOf = async (text: string) => toHex(await sha256(utf8(text)))
  const committedProvenance = async (provenance: { readonly citations: Texts; readonly knownOmissions: Texts }) => {
    if ("textsHash" in provenance) refuse("the answer has a member that this service does not write")
    const { citations, knownOmissions } = provenance
    const hashes = await Promise.all([...citations, ...knownOmissions].map((text) => hexOf(canonicalJson(text))))
    const [cited, omitted] = [citations, knownOmissions].map((texts) => texts.map(({ id }) => id))
    return { ...provenance, citations: cited, knownOmissions: omitted, textsHash: await hexOf(hashes.join("")) }
  }
  const committed = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(committed))
    if (typeof value !== "object" || value === null) return value
    const members = Object.entries(value).map(async ([name, member]: [string, unknown]) => [
      name,
      await (name === "provenance" ? committedProvenance(member as never) : committed(member))
    ])
    return Object.fromEntries(await Promise.all(members))
  }
  return `${SALTED}${await hexOf(canonicalJson(await committed(readJson(answer))))}`
}

/** Believes that the answer, as text, is the one that was recorded, to the last figure; or refuses. */
export const checkAnswer = async (answer: string, record: AnswerRecord): Promise<void> => {
  if (!record.answerHash?.startsWith(SALTED))
    refuse("the record was made before answers had a salt, and covers no figures")
  if ((await answerHashOf(answer)) !== record.answerHash) refuse("the answer is not the one that was recorded")
}
