/**
 * `repay import`: converts the file that borrowers download at studentaid.gov into a request. The
 * file is read locally and sent nowhere. Missing values are left out and reported, never guessed.
 */
import { Clock, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { MAX_ARMS } from "../../../schema/bounds.ts"
import { EligibilityRequest } from "../../../schema/eligibility.ts"
import { required } from "../../../schema/primitives.ts"
import { IncludeYearly } from "../../../schema/projection.ts"
import { Scenario } from "../../../schema/scenario.ts"
import { contradictionsOf, contradictoryDates, currentLaw, startMonthOf } from "../../engine/index.ts"
import { contradictionMessages } from "../../messages/contradictions.ts"
import { pausedLine, refusalSentence, understood, warningLines } from "../../messages/myAidData.ts"
import { MAX_BYTES } from "../../myAidData/layout.ts"
import { readMyAidData } from "../../myAidData/readMyAidData.ts"
import type { MyAidData, ReadLoan, ReadPause } from "../../myAidData/result.ts"
import { decodeStrictly } from "../../request/decode.ts"
import type { FieldErrors } from "../../request/fieldErrors.ts"
import { badInput, type CommandFailed } from "../failures.ts"
import { argument } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand } from "../output.ts"
import { importedView } from "../views/imported.ts"
import type { Given } from "./flagReader.ts"
import { ofFlags } from "./naming.ts"
import { PAUSES, pauseText } from "./pauses.ts"
import { givenFlags, presentWith } from "./requestCommand.ts"
import { fieldLines, readFileBytes, STANDARD_INPUT } from "./requestFile.ts"
import { flagAt, flagsOf, HOUSEHOLDS, type Households, requestOf } from "./requestFlags.ts"
import { FIRST_BORROWED } from "./scenarioFlags.ts"

const HouseholdsOfFlags = Schema.Struct({
  arms: Schema.Array(Schema.Struct({ scenario: required(Scenario, "a scenario object") })).check(
    Schema.isBetweenLength(1, MAX_ARMS, { message: `must be given 1 to ${MAX_ARMS} times` })
  ),
  includeYearly: IncludeYearly
})

const readAid = Effect.fnUntraced(function* (path: string) {
  if (path === STANDARD_INPUT) return yield* badInput("-: import reads a file, not standard input; name the file")
  const read = readMyAidData(yield* readFileBytes(path, MAX_BYTES))
  return read._tag === "Refused" ? yield* badInput(`${path}: ${refusalSentence(read)}`) : read
})

interface Loans {
  readonly loans: ReadonlyArray<ReadLoan["loan"]>
  readonly firstBorrowedOn?: string
}

/** The body for `eligible` (no household flags), `project` (one plan) or `compare`. */
const bodyOf = ({ loans, ...first }: Loans, pauses: ReadonlyArray<ReadPause>, households: Households | null) => {
  if (households === null) return { loans, ...first }
  const { arms, ...rest } = households
  const read = { ...first, ...(pauses.length === 0 ? {} : { pauses }) }
  const filled = arms.map(({ scenario }) => ({ scenario: { ...read, ...scenario }, loans }))
  return filled.length === 1 ? { ...filled[0], ...rest } : { arms: filled, ...rest }
}

/** The number that a loan of the request has in the file. */
const ofFile = ({ loans }: MyAidData, position: number): string => `loan ${loans[position]?.number} of the file`

/** Problems of fields as a failure, each by its path and by the loan's number in the file. */
const toMend = (aid: MyAidData, heading: string, problems: FieldErrors): CommandFailed => {
  const named = Object.entries(problems).map(([path, messages]) => {
    const [, index] = /^loans\[(\d+)\]/.exec(path) ?? []
    return [index === undefined ? path : `${path} (${ofFile(aid, Number(index))})`, messages] as const
  })
  return badInput(heading, ...fieldLines(Object.fromEntries(named)))
}

/** Fails with the missing fields, else with what contradicts itself, the law or the calendar. */
const requireComplete = Effect.fnUntraced(function* (aid: MyAidData, sent: Loans, scenario?: Scenario) {
  const { firstBorrowedOn, loans } = yield* Effect.mapError(decodeStrictly(EligibilityRequest)(sent), (problems) =>
    toMend(aid, "The request is not complete yet. Fill in:", problems)
  )
  const start = startMonthOf(new Date(yield* Clock.currentTimeMillis))
  const contradictions = contradictoryDates(currentLaw, { firstBorrowedOn, loans, path: ["firstBorrowedOn"] }, start)
  const naming = { ...ofFlags(loans.length), madeOn: (position: number) => `the madeOn of ${ofFile(aid, position)}` }
  if (contradictions.length === 0) {
    if (scenario === undefined) return
    // Dates were just checked, so no date of a scenario is among these.
    const ofScenario = contradictionsOf(currentLaw, { loans, scenario: { ...scenario, firstBorrowedOn: null } }, start)
    if (ofScenario.length === 0) return
    const lines = contradictionMessages(ofScenario, [], naming)
    return yield* badInput(...lines.map(([field, message]) => `--${flagAt(field)}: ${message}`))
  }
  const problems = contradictionMessages(contradictions, [], naming)
  return yield* toMend(
    aid,
    "The request has dates that cannot be right. Change them, or take them out:",
    Object.fromEntries(problems.map(([field, message]) => [field, [message]]))
  )
})

const FLAGS = "--plan RAP --income 60000"

export const importCommand = dataCommand(
  "import",
  {
    file: argument("file", "MyStudentData.txt, as downloaded at studentaid.gov"),
    ...flagsOf(HOUSEHOLDS)
  },
  Effect.fn("repay.import")(function* ({ specs, file, plan = [] }, format) {
    const given: Given = specs
    const hasFlags = givenFlags(given, plan).length > 0
    const flags = hasFlags
      ? yield* requestOf(HOUSEHOLDS, HouseholdsOfFlags, given, plan)
      : { body: null, request: null, summary: [] }
    const aid = yield* readAid(file)
    const sent = given[FIRST_BORROWED.flag]
    const first = aid.firstBorrowedOn
    const loans: Loans = {
      loans: aid.loans.map(({ loan }) => loan),
      ...(first === null || sent !== undefined ? {} : { firstBorrowedOn: first })
    }
    const warnings = aid.warnings.filter(({ id }) => id !== "no-first-borrowed" || sent === undefined)
    const pauses = given[PAUSES.flag] === undefined ? aid.pauses : []
    const written = hasFlags ? pauses.filter(({ until }) => until !== null) : []
    const paused = pauses.map((pause) =>
      pausedLine(aid, pause, written.includes(pause) ? undefined : `--${PAUSES.flag} ${pauseText(pause)}`)
    )
    const present = presentWith(format, [understood(aid), ...warningLines(warnings), ...paused, ...flags.summary])
    yield* present(bodyOf(loans, written, flags.body), importedView(aid))
    const scenario = flags.request?.arms[0]?.scenario
    const dated = scenario?.firstBorrowedOn ?? loans.firstBorrowedOn
    return yield* requireComplete(aid, dated === undefined ? loans : { ...loans, firstBorrowedOn: dated }, scenario)
  })
).pipe(
  withHelp(
    "Turn the file that borrowers download at studentaid.gov (My Aid, View Details, Download My Aid Data) into a request.",
    "Prints { loans } for eligible; with --plan and --income a request for project, and with several plans one for compare. The flags of the household are those of project. Each loan has the day on which it was made. If the dates of the file show since when the borrower has owed without a break, the request has that day too; --first-borrowed overrides it. A loan in school, grace, deferment or forbearance is paused if the file shows until when; else the flag to add is named. --pause overrides all of them, and its loans are those of the request, counted from 1.",
    "Standard error says what was read, what was left out and what to check; a table shows it above the loans. If the file lacks a required field, the request is printed without it, standard error names the field, and the exit code is 2.",
    "The file is read on this machine and sent nowhere. Names, ids and schools in it are not printed."
  ),
  Command.withExamples([
    { command: "repay import MyStudentData.txt", description: "What was read, and what to check" },
    {
      command: `repay import MyStudentData.txt ${FLAGS} > request.json && repay project request.json`,
      description: "All loans of the file under one plan"
    },
    { command: "repay import MyStudentData.txt --json | repay eligible -", description: "The plans of each loan" }
  ])
)
