/**
 * The flags for what happens in a month: pauses, `forbearance:2026-12..2027-06@1,3`, lump sums,
 * `2027-03=5000`, and changes of plan, `2028-06=IBR-NEW`.
 */
import { Result } from "effect"
import { MAX_LOANS } from "../../../schema/bounds.ts"
import { type LumpSum, PAUSE_KINDS, type PauseKind, type PlanChange } from "../../../schema/scenario.ts"
import { isDay } from "../../../schema/shape.ts"
import { lumpSumWords, type PauseSent, pauseWords, planChangeWords } from "../../messages/pauses.ts"
import type { ReadPause } from "../../myAidData/result.ts"
import { halves } from "./entries.ts"
import type { FlagSpec } from "./flagSpec.ts"
import { type Parser, parseDollars, parseName } from "./parsers.ts"
import { PLAN } from "./scenarioFlags.ts"

const NAMES: Readonly<Record<PauseKind, string>> = {
  InSchool: "school",
  Deferment: "deferment",
  Forbearance: "forbearance"
}
const PAUSE_EXAMPLES = "send school:..2027-05 if it runs already, or forbearance:2026-12..2027-06"

const parseKind = parseName(PAUSE_KINDS, {
  otherNames: { names: { GRACE: ["InSchool"], UNEMPLOYMENT: ["Deferment"], HARDSHIP: ["Deferment"] } },
  aliases: Object.fromEntries(PAUSE_KINDS.map((kind) => [NAMES[kind], kind])),
  send: "school, deferment or forbearance"
})

/** Anything else about a month depends on the request, and the API checks it. */
const parseMonth: Parser<string> = (text) =>
  isDay(`${text}-01`)
    ? Result.succeed(text)
    : Result.fail(`${JSON.stringify(text)} must be a month: send year and month, such as 2027-05`)

/** Loans are counted from 1, as in sentences, and from 0 in requests. */
const parseLoan: Parser<number> = (text) =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LOANS
    ? Result.succeed(Number(text) - 1)
    : Result.fail(`${JSON.stringify(text)} must be the number of a loan: send @1 for the first, or @1,3 for two`)

const parseLoans: Parser<ReadonlyArray<number>> = (text) =>
  Result.flatMap(Result.all(text.split(",").map((loan) => parseLoan(loan.trim()))), (loans) => {
    const twice = loans.find((loan, index) => loans.indexOf(loan) < index)
    return twice === undefined ? Result.succeed(loans) : Result.fail(`has loan ${twice + 1} twice: send each loan once`)
  })

const parsePause: Parser<PauseSent> = (text) => {
  const [kind, rest = ""] = halves(text, ":")
  const [months, loans] = halves(rest, "@")
  const [from, until] = halves(months, "..")
  if (until === undefined) return Result.fail(`needs a kind, a colon and months: ${PAUSE_EXAMPLES}`)
  return Result.gen(function* () {
    return {
      kind: (yield* parseKind(kind)) as PauseKind,
      ...(from === "" ? {} : { from: yield* parseMonth(from) }),
      until: yield* parseMonth(until),
      ...(loans === undefined ? {} : { loans: yield* parseLoans(loans) })
    }
  })
}

const parseLump: Parser<LumpSum> = (text) => {
  const [month, amount] = halves(text, "=")
  if (amount === undefined) return Result.fail("needs a month, an equals sign and dollars: send 2027-03=5000")
  return Result.gen(function* () {
    return { on: yield* parseMonth(month), amount: yield* parseDollars(amount) }
  })
}

const parseSwitch: Parser<PlanChange> = (text) => {
  const [month, plan] = halves(text, "=")
  if (plan === undefined) return Result.fail("needs a month, an equals sign and a plan: send 2028-06=IBR-NEW")
  return Result.gen(function* () {
    return { from: yield* parseMonth(month), planType: (yield* PLAN.read(plan)) as PlanChange["planType"] }
  })
}

/** One entry a line. */
const parseEach =
  <A>(parse: Parser<A>): Parser<ReadonlyArray<A>> =>
  (text) =>
    Result.all(text.split("\n").map(parse))

/** The value of `--pause` for a pause; without an end, with the letters of a month for it. */
export const pauseText = ({ kind, loans, until }: ReadPause): string =>
  `${NAMES[kind]}:..${until ?? "YYYY-MM"}@${loans.map((position) => position + 1).join()}`

export const PAUSES: FlagSpec = {
  flag: "pause",
  field: "pauses",
  metavar: "<kind:months>",
  repeats: true,
  about: "Nothing due until a month: school:..2027-05@1,3; may be repeated",
  read: parseEach(parsePause),
  say: (value) => (value as ReadonlyArray<PauseSent>).map(pauseWords).join(", ")
}

export const LUMP_SUMS: FlagSpec = {
  flag: "lump",
  field: "lumpSums",
  metavar: "<month=dollars>",
  repeats: true,
  about: "Paid once, beyond what is due: 2027-03=5000; may be repeated",
  read: parseEach(parseLump),
  say: (value) => (value as ReadonlyArray<LumpSum>).map(lumpSumWords).join(", ")
}

/** In any order, as changes in later years are. */
export const SWITCHES: FlagSpec = {
  flag: "switch",
  field: "planChanges",
  metavar: "<month=plan>",
  repeats: true,
  about: "Another plan from a month on: 2028-06=IBR-NEW; may be repeated",
  read: (text) =>
    Result.map(parseEach(parseSwitch)(text), (changes) => changes.toSorted((a, b) => (a.from < b.from ? -1 : 1))),
  say: (value) => (value as ReadonlyArray<PlanChange>).map(planChangeWords).join(", ")
}
