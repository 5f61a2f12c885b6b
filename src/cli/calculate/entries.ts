/**
 * The syntax of flags for dated things: `3:income=80000,status=mfj`. A key, a colon, then members
 * `name=value`, separated by commas.
 */
import { Result } from "effect"
import type { FlagSpec } from "./flagSpec.ts"
import type { Parser } from "./parsers.ts"

/** The texts before and after the first mark; the second is undefined without a mark. */
export const halves = (text: string, mark: ":" | "=" | ".." | "@"): readonly [before: string, after?: string] => {
  const at = text.indexOf(mark)
  return at === -1 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + mark.length).trim()]
}

/** A comma before exactly three digits is part of a number, not a separator. */
export const SEPARATOR = /,(?!\d{3}(?!\d))/

/** A member has the name and the parser of its flag. */
export type Member = readonly [spec: FlagSpec, sample: string]

/** Parses comma-separated `name=value` members into fields. */
export const parseMembers = (members: ReadonlyArray<Member>): Parser<Readonly<Record<string, unknown>>> => {
  const sent = ([spec, sample]: Member) => `${spec.flag}=${sample}`
  const all = `send one or more of ${members.map(sent).join(", ")}`
  return (text) => {
    const fields: Record<string, unknown> = {}
    for (const item of text.split(SEPARATOR).filter((part) => part.trim() !== "")) {
      const [name, value = ""] = halves(item, "=")
      const member = members.find(([{ flag }]) => flag === name.toLowerCase())
      if (member === undefined) return Result.fail(`${JSON.stringify(name)} is not known: ${all}`)
      const [{ field, flag, read }] = member
      if (value === "") return Result.fail(`${flag} needs a value: send ${sent(member)}`)
      if (field in fields) return Result.fail(`sets ${flag} twice: set it once`)
      const result = read(value)
      if (Result.isFailure(result)) return Result.fail(`${JSON.stringify(`${flag}=${value}`)} ${result.failure}`)
      fields[field] = result.success
    }
    return Object.keys(fields).length === 0 ? Result.fail(`changes nothing: ${all}`) : Result.succeed(fields)
  }
}
