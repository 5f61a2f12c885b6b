/** `repay explain`: one month's payment step by step, without a server, key or record. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { ExplainRequest, MAX_MONTHS } from "../../../schema/explanation.ts"
import { Engine } from "../../engine/Engine.ts"
import { withHelp } from "../helpText.ts"
import { explanationView } from "../views/explanation.ts"
import { requestCommand } from "./requestCommand.ts"
import { EXPLANATION, withAdditions } from "./requestFlags.ts"
import { explain } from "./unrecordedAnswers.ts"

const monthFlag = Flag.Int("month").pipe(
  Flag.withDescription("The month to explain, counted from 1; before that of the request"),
  Flag.filter(
    (month) => month >= 1 && month <= MAX_MONTHS,
    () => `a whole number from 1 to ${MAX_MONTHS}`
  ),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const FLAGS = "--plan RAP --income 60000 --balance 30000 --rate 6"

export const explainCommand = requestCommand(
  "explain",
  {
    schema: ExplainRequest,
    shape: EXPLANATION,
    added: (request) => withAdditions([request]),
    operation: "explainPayment",
    flags: FLAGS,
    fields: { month: monthFlag }
  },
  Effect.fn("repay.explain")(function* ({ naming, present, request }) {
    const answer = yield* explain(request, naming)
    yield* present(answer, explanationView(answer))
  })
).pipe(
  withHelp(
    "Explain the payment of a month, step by step.",
    "Takes the flags of project, or a file with the body of POST /v1/explain: { scenario, loans, month }, so any request of project will do. Each step has its formula and the rule behind it. Needs no server and no key, and records nothing."
  ),
  Command.withExamples([
    { command: `repay explain ${FLAGS}`, description: "The first payment of one loan, by flags" },
    { command: "repay explain request.json", description: "The first payment" },
    { command: "repay explain request.json --month 13", description: "The first payment of the second year" }
  ]),
  Command.provide(Engine.layer)
)
