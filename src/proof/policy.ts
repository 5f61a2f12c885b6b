/**
 * Trust policies (C2SP tlog-policy). A policy names trusted logs and witnesses, and how many
 * witnesses must have seen a checkpoint. Keys are Ed25519: type 0x01 of logs, 0x04 of witnesses.
 */
import { refuse, toHex } from "./bytes.ts"
import { openCheckpoint } from "./checkpoint.ts"
import { COSIGNATURE_TYPE, cosignatureOf, ED25519_TYPE, parseVerifierKey, type SignatureType } from "./note.ts"

/** Maximum numbers of logs, witnesses and groups. */
const MAX_EACH = 32
const MAX_POLICY_CHARACTERS = 65_536

export interface Witness {
  /** Its name within the policy, which may differ from that of its key. */
  readonly name: string
  readonly verifierKey: string
  /** The prefix of its `add-checkpoint`. */
  readonly url: string | null
}

interface Group {
  readonly least: number
  readonly members: ReadonlyArray<string>
}

export interface Policy {
  /** Keys of the trusted logs. If there are none, the caller says which log it trusts. */
  readonly logs: ReadonlyArray<string>
  readonly witnesses: ReadonlyMap<string, Witness>
  readonly groups: ReadonlyMap<string, Group>
  /** The name of a witness or group; `none`: no cosignature is needed. */
  readonly quorum: string
}

const NONE = "none"
/** The syntax of each line, with the minimum and maximum number of words after the first. */
const FORMS = new Map<string, readonly [form: string, least: number, most: number]>([
  ["log", ["log VKEY [URL]", 1, 2]],
  ["witness", ["witness NAME VKEY [URL]", 2, 3]],
  ["group", ["group NAME all|any|NUMBER NAME...", 3, 2 + 2 * MAX_EACH]],
  ["quorum", ["quorum NAME", 1, 1]]
])

const leastOf = (count: string, members: number): number => {
  if (count === "any") return 1
  const least = count === "all" ? members : /^[1-9]\d{0,2}$/.test(count) ? Number(count) : 0
  return least >= 1 && least <= members ? least : refuse(`write all, any or a number from 1 to ${members}`)
}

/** Reads a policy. Throws with the number of the line that is wrong. */
export const parsePolicy = async (text: string): Promise<Policy> => {
  const logs: Array<string> = []
  const witnesses = new Map<string, Witness>()
  const groups = new Map<string, Group>()
  const keys = new Set<string>()
  const inGroup = new Set<string>()
  let quorum: string | undefined
  const isKnown = (name: string) => witnesses.has(name) || groups.has(name)
  const checkNew = (name: string) => (name === NONE || isKnown(name)) && refuse(`the name ${name} is taken`)
  const checkKey = async (key: string, type: SignatureType) => {
    const id = `${type} ${toHex((await parseVerifierKey(key, type)).publicKey)}`
    if (keys.has(id)) refuse("the key stands on an earlier line")
    keys.add(id)
  }
  const read = async (word: string, values: ReadonlyArray<string>) => {
    const [first = "", second = "", third] = values
    const [form, least, most] = FORMS.get(word) ?? refuse(`write ${[...FORMS.keys()].join(", ")} or #`)
    if (values.length < least || values.length > most) refuse(`write ${form}`)
    if (word === "log") {
      await checkKey(first, ED25519_TYPE)
      logs.push(first)
    } else if (word === "witness") {
      checkNew(first)
      await checkKey(second, COSIGNATURE_TYPE)
      witnesses.set(first, { name: first, verifierKey: second, url: third?.replace(/\/+$/, "") ?? null })
    } else if (word === "group") {
      checkNew(first)
      const members = values.slice(2)
      for (const member of members) {
        if (!isKnown(member)) refuse(`no earlier line defines ${member}`)
        if (inGroup.has(member)) refuse(`${member} is in a group already`)
        inGroup.add(member)
      }
      groups.set(first, { least: leastOf(second, members.length), members })
    } else {
      if (quorum !== undefined) refuse("there is a quorum already")
      if (first !== NONE && !isKnown(first)) refuse(`no earlier line defines ${first}`)
      quorum = first
    }
    if (Math.max(logs.length, witnesses.size, groups.size) > MAX_EACH) refuse(`there are more than ${MAX_EACH}`)
  }
  if (text.length > MAX_POLICY_CHARACTERS) refuse(`it is longer than ${MAX_POLICY_CHARACTERS} characters`)
  for (const [index, line] of text.split("\n").entries()) {
    try {
      if (/[^\t\x20-\x7e\u0080-\u{10ffff}]/u.test(line)) refuse("it has a control character")
      const [word, ...values] = line.split(/[ \t]+/).filter((part) => part !== "")
      if (word !== undefined && !word.startsWith("#")) await read(word, values)
    } catch (cause) {
      refuse(`line ${index + 1}: ${(cause as Error).message}`)
    }
  }
  return { logs, witnesses, groups, quorum: quorum ?? refuse("it has no quorum line") }
}

export interface Witnessed {
  /** The witnesses that saw the checkpoint, and when, in the order of the policy. */
  readonly seen: ReadonlyArray<{ readonly name: string; readonly at: Date }>
  /** The witnesses that the quorum lacks; none if it is fulfilled. */
  readonly missing: ReadonlyArray<string>
}

/**
 * Finds the policy's witnesses that saw a checkpoint, and when. Throws if one of their cosignatures
 * is wrong, or if the policy names logs and none of them signed the checkpoint.
 */
export const witnessedBy = async (note: string, policy: Policy): Promise<Witnessed> => {
  if (policy.logs.length > 0) await openCheckpoint(note, policy.logs)
  const all = await Promise.all(
    [...policy.witnesses.values()].map(async ({ name, verifierKey }) => {
      const seen = await cosignatureOf(note, verifierKey)
      return seen === null ? [] : [{ name, at: seen.at }]
    })
  )
  const seen = all.flat()
  const lacking = (name: string): ReadonlyArray<string> => {
    const group = policy.groups.get(name)
    if (group === undefined) return seen.some((one) => one.name === name) ? [] : [name]
    const missing = group.members.map(lacking)
    return missing.filter((names) => names.length === 0).length >= group.least ? [] : missing.flat()
  }
  return { seen, missing: policy.quorum === NONE ? [] : lacking(policy.quorum) }
}
