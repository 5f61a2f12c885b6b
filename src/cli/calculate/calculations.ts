/** `repay project`, `compare` and `eligible`: local calculations, without a server or a record. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { ComparisonRequest } from "../../../schema/comparison.ts"
import { EligibilityRequest } from "../../../schema/eligibility.ts"
import { PlansRequest } from "../../../schema/plans.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import { Engine } from "../../engine/Engine.ts"
import { withHelp } from "../helpText.ts"
import { say } from "../output.ts"
import { comparisonView, plansView } from "../views/comparison.ts"
import { eligibilityView } from "../views/eligibility.ts"
import { projectionView } from "../views/projection.ts"
import { byFlags, requestCommand } from "./requestCommand.ts"
import { COMPARISON, ELIGIBILITY, EVERY_PLAN, PROJECTION, withAdditions } from "./requestFlags.ts"
import * as Unrecorded from "./unrecordedAnswers.ts"

const NOT_RECORDED = "Computed locally without a key: nothing is recorded, so this answer has no id to verify."

const PROJECT_FLAGS = "--plan RAP --income 60000 --balance 30000 --rate 6"
const COMPARE_FLAGS = "--plan RAP --plan standard --income 60000 --balance 30000 --rate 6"
const ELIGIBLE_FLAGS = "--type direct-unsubsidized --balance 30000 --rate 6"

export const projectCommand = requestCommand(
  "project",
  {
    schema: ProjectionRequest,
    shape: PROJECTION,
    added: (request) => withAdditions([request]),
    operation: "runProjection",
    flags: PROJECT_FLAGS
  },
  Effect.fn("repay.project")(function* ({ format, naming, present, request }) {
    // The view always shows the years; including them changes no other figure.
    const answer = yield* Unrecorded.project(format.isJson ? request : { ...request, includeYearly: true }, naming)
    if (format.isJson) yield* say(NOT_RECORDED)
    yield* present(answer, projectionView(answer, request.scenario))
  })
).pipe(
  withHelp(
    "Project one loan book under one plan.",
    "Takes flags, those of a loan once for each loan, or a file with the body of POST /v1/projection: { scenario, loans, includeYearly }. Flags take rates in percent (6.54), files as fractions (0.0654). --plan, --income, --balance and --rate are required. The answer begins with how the flags were read and what was assumed.",
    "A change begins with a year of repayment from 2 on and a colon. One or more of these follow, with commas between: income=80000, spouse-income=40000, spouse-balance=20000, status=mfj, dependents=2, pslf=yes or pslf=no, family=4, extra=50, budget=600. Values are read as those of the flags are.",
    "A pause is a kind (school, deferment, forbearance), a colon, its first month (none if it runs already), two dots, the first month that is due again, and perhaps @ and its loans, counted from 1: forbearance:2026-12..2027-06@1,3. Without @ it is for all loans. Another plan begins in a month: 2028-06=IBR-NEW.",
    "Needs no server and no key, and records nothing. Prints the figures and a table of the years on a terminal, and the JSON of the HTTP answer elsewhere (answerId and verifyUrl are null)."
  ),
  Command.withExamples([
    { command: `repay project ${PROJECT_FLAGS}`, description: "One loan, by flags" },
    {
      command: `repay project ${PROJECT_FLAGS} --made 2019-08 --extra 100 --change 3:income=80000,status=mfj`,
      description: "With its date, more paid than is due, and a change in the third year"
    },
    { command: `repay project ${PROJECT_FLAGS} --balance 5000 --rate 4`, description: "Two loans" },
    {
      command: `repay project ${PROJECT_FLAGS} --pause school:..2027-12 --lump 2028-03=2000`,
      description: "In school until May 2027, then in grace; $2,000 more in March 2028"
    },
    {
      command: `repay project ${PROJECT_FLAGS.replace("RAP", "standard")} --switch 2028-06=IBR-NEW`,
      description: "Another plan from June 2028 on"
    },
    { command: "repay project --example > request.json", description: "A file to begin with" },
    { command: "repay project request.json", description: "Read the request from a file" },
    { command: "repay project - --json < request.json", description: "Read standard input, print JSON" },
    { command: "repay project request.json --table | less", description: "Page through the table" }
  ]),
  Command.provide(Engine.layer)
)

export const compareCommand = requestCommand(
  "compare",
  {
    schema: ComparisonRequest,
    shape: COMPARISON,
    added: ({ arms }) => withAdditions(arms),
    operation: "compareScenarios",
    flags: COMPARE_FLAGS
  },
  Effect.fn("repay.compare")(function* ({ format, naming, present, request }) {
    const answer = yield* Unrecorded.compare(request, naming)
    if (format.isJson) yield* say(NOT_RECORDED)
    yield* present(answer, comparisonView(answer))
  }),
  byFlags(
    { schema: PlansRequest, shape: EVERY_PLAN },
    Effect.fn("repay.compare")(function* ({ naming, present, request }) {
      const answer = yield* Unrecorded.plans(request, naming)
      yield* present(answer, plansView(answer))
    })
  )
).pipe(
  withHelp(
    "Compare every plan that can be chosen, or 2 to 10 scenarios, and name the one with the lowest cost.",
    "Takes flags for loans and a household, without --plan for every plan that can be chosen, or under several plans (with --switch for each of them), or a file with the body of POST /v1/comparison: { arms: [{ scenario, loans }], includeYearly }. Cost is what is paid plus the tax on what is forgiven. In a file, give each scenario a label. Needs no server and no key, and records nothing."
  ),
  Command.withExamples([
    { command: "repay compare --income 60000 --balance 30000 --rate 6", description: "Every plan that can be chosen" },
    { command: `repay compare ${COMPARE_FLAGS}`, description: "The same loan under two plans" },
    { command: "repay compare request.json", description: "One line per scenario" },
    { command: "repay compare request.json --json | jq .lowestCostLabel", description: "Only the label" }
  ]),
  Command.provide(Engine.layer)
)

export const eligibleCommand = requestCommand(
  "eligible",
  {
    schema: EligibilityRequest,
    shape: ELIGIBILITY,
    added: () => [],
    operation: "getEligiblePlans",
    flags: ELIGIBLE_FLAGS
  },
  Effect.fn("repay.eligible")(function* ({ naming, present, request }) {
    const answer = yield* Unrecorded.eligiblePlans(request, naming)
    yield* present(answer, eligibilityView(answer))
  })
).pipe(
  withHelp(
    "List the plans that each loan can elect.",
    "Takes flags, those of a loan once for each loan, or a file with the body of POST /v1/plan-eligibility: { loans, firstBorrowedOn }. Every plan listed is accepted by project and compare for that loan."
  ),
  Command.withExamples([
    { command: `repay eligible ${ELIGIBLE_FLAGS}`, description: "One loan, by flags" },
    { command: "repay eligible loans.json", description: "Read the loans from a file" }
  ]),
  Command.provide(Engine.layer)
)
