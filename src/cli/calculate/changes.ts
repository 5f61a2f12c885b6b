/** The flag for changes in later years: `3:income=80000,status=mfj`. */
import { Result } from "effect"
import { halves, type Member, parseMembers, SEPARATOR } from "./entries.ts"
import type { FlagSpec } from "./flagSpec.ts"
import type { Parser } from "./parsers.ts"
import {
  BUDGET,
  DEPENDENTS,
  EXTRA,
  FAMILY,
  INCOME,
  PSLF,
  SPOUSE_BALANCE,
  SPOUSE_INCOME,
  STATUS
} from "./scenarioFlags.ts"

/** A change in the form of the API. */
export interface ChangeSent {
  readonly fromYear: number
  readonly [field: string]: unknown
}

const EXAMPLE = "3:income=80000,status=mfj"

/** In the order of the summary. */
const MEMBERS: ReadonlyArray<Member> = [
  [INCOME, "80000"],
  [SPOUSE_INCOME, "40000"],
  [SPOUSE_BALANCE, "20000"],
  [DEPENDENTS, "2"],
  [PSLF, "yes"],
  [STATUS, "mfj"],
  [FAMILY, "4"],
  [EXTRA, "50"],
  [BUDGET, "600"]
]
const parseFacts = parseMembers(MEMBERS)

const parseChange: Parser<ChangeSent> = (text) => {
  const [year, facts = ""] = halves(text, ":")
  if (!/^\d+$/.test(year)) return Result.fail(`begins with a year of repayment and a colon: send ${EXAMPLE}`)
  const fromYear = Number(year)
  if (fromYear === 1)
    return Result.fail("year 1 is described by the other flags, such as --income: changes begin with year 2")
  return Result.mapBoth(parseFacts(facts), {
    onFailure: (message) => `year ${fromYear}: ${message}`,
    onSuccess: (fields) => ({ fromYear, ...fields })
  })
}

/** The words of version 0.2, each with its replacement. */
const OLD_WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^income /, "income="],
  [/^spouse income /, "spouse-income="],
  [/^spouse loans /, "spouse-balance="],
  [/^(\d+) dependents?$/, "dependents=$1"],
  [/^no dependents$/, "dependents=0"],
  [/^public service$/, "pslf=yes"],
  [/^no public service$/, "pslf=no"],
  [/^married$/, "status=mfj"],
  [/^married separately$/, "status=mfs"],
  [/^single$/, "status=single"],
  [/^head of household$/, "status=hoh"]
]

/** Translates a change of version 0.2, such as "year 3: income $80,000, married". */
const rewritten = (text: string): string => {
  const [year, facts = ""] = halves(text.toLowerCase().replaceAll("$", ""), ":")
  const items = facts.split(SEPARATOR).map((item) => item.trim())
  const members = items.map((item) => OLD_WORDS.reduce((words, [old, now]) => words.replace(old, now), item))
  return `${year.replace(/^year /, "")}:${members.join(",")}`
}

/** One change a line, in any order. */
const parseAll: Parser<ReadonlyArray<ChangeSent>> = (text) =>
  Result.flatMap(Result.all(text.split("\n").map(parseChange)), (changes) => {
    const years = changes.map(({ fromYear }) => fromYear)
    const twice = years.find((year, index) => years.indexOf(year) < index)
    return twice === undefined
      ? Result.succeed([...changes].sort((a, b) => a.fromYear - b.fromYear))
      : Result.fail(`has year ${twice} twice: put both into one, such as ${EXAMPLE}`)
  })

export const parseChanges: Parser<ReadonlyArray<ChangeSent>> = (text) => {
  const read = parseAll(text)
  if (Result.isSuccess(read)) return read
  const now = text.split("\n").map(rewritten)
  return Result.isSuccess(parseAll(now.join("\n")))
    ? Result.fail(`has another spelling now: send ${now.map((change) => `--change ${change}`).join(" ")}`)
    : read
}

const sayChange = (change: ChangeSent): string => {
  const told = MEMBERS.flatMap(([{ field, say }]) => {
    const value = change[field] ?? null
    return value === null ? [] : [say(value as Parameters<FlagSpec["say"]>[0])]
  })
  return `from year ${change.fromYear} ${told.join(" and ")}`
}

export const CHANGES: FlagSpec = {
  flag: "change",
  field: "changes",
  metavar: "<year:facts>",
  repeats: true,
  about: `From a later year on: ${EXAMPLE}; may be repeated`,
  read: parseChanges,
  say: (value) => (value as ReadonlyArray<ChangeSent>).map(sayChange).join(", ")
}
