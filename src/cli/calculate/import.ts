/**
 * `repay import`: converts the file that borrowers download at studentaid.gov into a request. The
 * file is read locally and sent nowhere. Missing values are left out and reported, never guessed.
 */
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { MAX_ARMS } from "../../../schema/bounds.ts"
import { EligibilityRequest } from "../../../schema/eligibility.ts"
import { required } from "../../../schema/primitives.ts"
import { IncludeYearly } from "../../../schema/projection.ts"
import { Scenario } from "../../../schema/scenario.ts"
import { refusalSentence, understood, warningLines } from "../../messages/myAidData.ts"
import { MAX_BYTES } from "../../myAidData/layout.ts"
import { readMyAidData } from "../../myAidData/readMyAidData.ts"
import type { MyAidData, ReadLoan } from "../../myAidData/result.ts"
import { decodeStrictly } from "../../request/decode.ts"
import { badInput, type CommandFailed } from "../failures.ts"
import { helpText } from "../helpText.ts"
import { dataCommand } from "../output.ts"
import { importedView } from "../views/imported.ts"
import type { Given } from "./flagReader.ts"
import { givenFlags, presentWith } from "./requestCommand.ts"
import { fieldLines, readFileBytes, STANDARD_INPUT } from "./requestFile.ts"
import { flagsOf, HOUSEHOLDS, type Households, requestOf } from "./requestFlags.ts"

const HouseholdsOfFlags = Schema.Struct({
  arms: Schema.Array(Schema.Struct({ scenario: required(Scenario, "a scenario object") })).check(
    Schema.isBetweenLength(1, MAX_ARMS, { message: `is one of up to ${MAX_ARMS} here` })
  ),
  includeYearly: IncludeYearly
})

const readAid = Effect.fnUntraced(function* (path: string) {
  if (path === STANDARD_INPUT) return yield* badInput("-: import reads a file, not standard input; name the file")
  const read = readMyAidData(yield* readFileBytes(path, MAX_BYTES))
  return read._tag === "Refused" ? yield* badInput(`${path}: ${refusalSentence(read)}`) : read
})

/** The body for `eligible` (no household flags), `project` (one plan) or `compare`. */
const bodyOf = (loans: ReadonlyArray<ReadLoan["loan"]>, households: Households | null) => {
  if (households === null) return { loans }
  const { arms, ...rest } = households
  const filled = arms.map(({ scenario }) => ({ scenario, loans }))
  return filled.length === 1 ? { ...filled[0], ...rest } : { arms: filled, ...rest }
}

/** Fails with the missing fields, each by its path and by the loan's number in the file. */
const requireComplete = ({ loans }: MyAidData): Effect.Effect<void, CommandFailed> =>
  Effect.catch(
    Effect.asVoid(decodeStrictly(EligibilityRequest)({ loans: loans.map(({ loan }) => loan) })),
    (problems) => {
      const named = Object.entries(problems).map(([path, messages]) => {
        const [, index = ""] = /^loans\[(\d+)\]/.exec(path) ?? []
        return [`${path} (loan ${loans[Number(index)]?.number} of the file)`, messages] as const
      })
      return Effect.fail(
        badInput("The request is not complete yet. Fill in:", ...fieldLines(Object.fromEntries(named)))
      )
    }
  )

const FLAGS = "--plan RAP --income 60000"

export const importCommand = dataCommand(
  "import",
  {
    file: Argument.String("file").pipe(Argument.withDescription("MyStudentData.txt, as downloaded at studentaid.gov")),
    ...flagsOf(HOUSEHOLDS)
  },
  Effect.fn("repay.import")(function* ({ specs, file, plan = [] }, format) {
    const given: Given = specs
    const hasFlags = givenFlags(given, plan).length > 0
    const flags = hasFlags ? yield* requestOf(HOUSEHOLDS, HouseholdsOfFlags, given, plan) : { body: null, summary: [] }
    const aid = yield* readAid(file)
    const body = bodyOf(
      aid.loans.map(({ loan }) => loan),
      flags.body
    )
    const present = presentWith(format, [understood(aid), ...warningLines(aid.warnings), ...flags.summary])
    yield* present(body, importedView(aid))
    return yield* requireComplete(aid)
  })
).pipe(
  Command.withDescription(
    helpText(
      "Turn the file that borrowers download at studentaid.gov (My Aid, View Details, Download My Aid Data) into a request.",
      "Prints { loans } for eligible; with --plan and --income a request for project, and with several plans one for compare. The flags of the household are those of project. What was read, what was left out and what to check is said on standard error, beside a table on standard output. Where the file does not say what a request needs, the request is printed without it, the fields to fill in are named, and the exit code is 2.",
      "The file is read on this machine and sent nowhere. Names, ids and schools in it are not printed."
    )
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
