/** `repay paths`: the plan, or change of plan, with the lowest cost, without a server or a record. */
import { Effect, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { PathsRequest } from "../../../schema/paths.ts"
import { Engine } from "../../engine/Engine.ts"
import { withHelp } from "../helpText.ts"
import { pathsView } from "../views/paths.ts"
import { requestCommand } from "./requestCommand.ts"
import { CURRENT, PATHS, withAdditions } from "./requestFlags.ts"
import { ANY_PLAN, PLAN } from "./scenarioFlags.ts"
import { bestPath } from "./unrecordedAnswers.ts"

const currentFlag = Flag.String(CURRENT).pipe(
  Flag.withMetavar(PLAN.metavar!),
  Flag.withDescription("The plan that the borrower is in, if known; SAVE and REPAYE too"),
  Flag.filterMap(
    (text) => Result.getSuccess(PLAN.read(text)),
    () => ANY_PLAN
  ),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const FLAGS = "--income 60000 --balance 30000 --rate 6"

export const pathsCommand = requestCommand(
  "paths",
  {
    schema: PathsRequest,
    shape: PATHS,
    added: ({ loans, scenario }) => withAdditions([{ loans, scenario: { ...scenario, planChanges: null } }]),
    operation: "runProjection",
    flags: FLAGS,
    fields: { currentPlan: currentFlag }
  },
  Effect.fn("repay.paths")(function* ({ naming, present, request }) {
    const answer = yield* bestPath(request, naming)
    yield* present(answer, pathsView(answer))
  })
).pipe(
  withHelp(
    "Find the plan, or the change of plan, with the lowest cost of those tried.",
    "Tries every plan that can be elected, alone and with one change to another: after each year of repayment up to the 25th, and in June and July 2028, when PAYE and ICR end. With --current every path begins with that plan, and may leave it after a month; SAVE and REPAYE have ended, so every path does. Cost is what is paid plus the tax on what is forgiven; with --discount, what both are worth today.",
    "Takes the flags of project without --plan and --switch, or a file with the body of POST /v1/projection, whose planType and planChanges are replaced; it may have a currentPlan too. The table has each plan alone, and the best path of each pair of plans that costs less than the best plan alone. Needs no server and no key, and records nothing. This is not advice: income, family and the law may change."
  ),
  Command.withExamples([
    { command: `repay paths ${FLAGS}`, description: "One loan, by flags" },
    { command: `repay paths ${FLAGS} --months 60 --current PAYE`, description: "Five years into PAYE" },
    {
      command: "repay paths request.json --json | jq .paths[0].planChanges",
      description: "Only the change of the best"
    }
  ]),
  Command.provide(Engine.layer)
)
