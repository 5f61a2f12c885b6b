/**
 * The flag for changes in later years, and its small language: "year 3: income 80000, married". A
 * comma, a semicolon or "and" stands between members, and each member is read by the spec of its
 * own flag.
 */
import { Result } from "effect"
import type { FlagSpec } from "./flagSpec.ts"
import type { Parser } from "./parsers.ts"
import { DEPENDENTS, INCOME, PSLF, SPOUSE_BALANCE, SPOUSE_INCOME, STATUS } from "./scenarioFlags.ts"

/** A change as the API takes it. */
export interface ChangeSent {
  readonly fromYear: number
  readonly [field: string]: unknown
}

const EXAMPLE = "'year 3: income 80000, married'"
const MEMBERS =
  "income 80000, spouse income 40000, spouse loans 20000, married, married separately, single, head of household, 2 dependents, no dependents, public service, no public service"

const JOINTLY = "jointly"

interface Member {
  readonly spec: FlagSpec
  /** Its name in messages. */
  readonly name: string
  readonly pattern: RegExp
  /** The text that the spec reads; empty if it is missing. */
  readonly value: (match: RegExpExecArray) => string
  /** Completes "needs". */
  readonly needs?: string
}

const amount = (spec: FlagSpec, name: string, names: string, example: string): Member => ({
  spec,
  name,
  pattern: new RegExp(`^(?:${names})\\b[\\s:=]*(?:(?:of|to|is)\\s+)?(.*)$`),
  value: ([, text = ""]) => text,
  needs: `an amount: send ${example}`
})

const PEOPLE = "(?:dependents?|children|child|kids?)"

/** In the order in which they are told. The status comes last, because its pattern takes anything. */
const LANGUAGE: ReadonlyArray<Member> = [
  amount(INCOME, "income", "income|agi", "income 80000"),
  amount(SPOUSE_INCOME, "spouse income", "spouse(?:'s)? (?:income|agi)", "spouse income 40000"),
  amount(SPOUSE_BALANCE, "spouse loans", "spouse(?:'s)? (?:loans?|balance|debt)", "spouse loans 20000"),
  {
    spec: DEPENDENTS,
    name: "dependents",
    pattern: new RegExp(`^(?:(no|\\d+) ${PEOPLE}|${PEOPLE}[\\s:=]*(\\d*))$`),
    value: ([, before, after = ""]) => (before === "no" ? "0" : (before ?? after)),
    needs: "a number: send 2 dependents"
  },
  {
    spec: PSLF,
    name: "public service",
    pattern: /^(no )?(?:public service|pslf)$/,
    value: ([, no]) => String(no === undefined)
  },
  {
    spec: STATUS,
    name: "the filing status",
    pattern: /^(?:filing |status )?(.+)$/,
    value: ([, status = ""]) => (status === "married" ? JOINTLY : status)
  }
]

const YEAR = /^\s*(?:from\s+)?(?:year\s*(\d+)|(\d+)(?=\s*[:=-]))\s*[:,=-]?(.*)$/i

/** A comma inside a number is no separator: exactly three digits follow it. */
const SEPARATOR = /(?:;|(?<!\d),|,(?!\d{3}(?!\d)))(?:\s*and\s+)?|\s+and\s+/i

const itemsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(SEPARATOR)
    .map((item) => item.trim().replaceAll(/\s+/g, " "))
    .filter((item) => item !== "")

type Read = Result.Result<readonly [member: Member, value: unknown], string>

const readItem = (item: string): Read => {
  const quoted = JSON.stringify(item)
  const plain = item.toLowerCase().replaceAll("’", "'")
  for (const member of LANGUAGE) {
    const match = member.pattern.exec(plain)
    if (match === null) continue
    const text = member.value(match)
    if (text === "") return Result.fail(`${quoted} needs ${member.needs}`)
    const read = member.spec.read(text)
    if (Result.isSuccess(read)) return Result.succeed([member, read.success] as const)
    if (member.spec !== STATUS) return Result.fail(`${quoted} ${read.failure}`)
  }
  return Result.fail(`${quoted} is not clear: send one or more of ${MEMBERS}`)
}

const readItems = (items: ReadonlyArray<string>): Result.Result<Record<string, unknown>, string> => {
  if (items.length === 0) return Result.fail(`changes nothing: send one or more of ${MEMBERS}`)
  const members: Record<string, unknown> = {}
  for (const item of items) {
    const read = readItem(item)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const [{ name, spec }, value] = read.success
    if (members[spec.field] !== undefined) return Result.fail(`sets ${name} twice: set it once`)
    members[spec.field] = value
  }
  return Result.succeed(members)
}

const parseChange: Parser<ChangeSent> = (text) => {
  const [, named, bare, rest = ""] = YEAR.exec(text) ?? []
  const year = named ?? bare
  if (year === undefined) return Result.fail(`begins with a year of repayment: send ${EXAMPLE}`)
  const fromYear = Number(year)
  if (fromYear === 1)
    return Result.fail("year 1 is described by the other flags, such as --income: changes begin with year 2")
  const read = readItems(itemsOf(rest))
  return Result.isFailure(read)
    ? Result.fail(`year ${fromYear}: ${read.failure}`)
    : Result.succeed({ fromYear, ...read.success })
}

/** Reads one change a line, in any order. */
export const parseChanges: Parser<ReadonlyArray<ChangeSent>> = (text) => {
  const changes: Array<ChangeSent> = []
  for (const line of text.split("\n")) {
    const read = parseChange(line)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const { fromYear } = read.success
    if (changes.some((change) => change.fromYear === fromYear))
      return Result.fail(`has year ${fromYear} twice: put both into one, such as ${EXAMPLE}`)
    changes.push(read.success)
  }
  return Result.succeed(changes.sort((a, b) => a.fromYear - b.fromYear))
}

const sayChange = (change: ChangeSent): string => {
  const told = LANGUAGE.flatMap(({ spec }) => {
    const value = change[spec.field] ?? null
    return value === null ? [] : [spec.say(value as Parameters<FlagSpec["say"]>[0])]
  })
  return `from year ${change.fromYear} ${told.join(" and ")}`
}

export const CHANGES: FlagSpec = {
  flag: "change",
  field: "changes",
  metavar: "<text>",
  repeats: true,
  about: "A later year: 'year 3: income 80000, married'; may be repeated",
  read: parseChanges,
  say: (value) => (value as ReadonlyArray<ChangeSent>).map(sayChange).join(", ")
}
