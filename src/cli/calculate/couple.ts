/** `repay couple`: two borrowers on a joint and on separate returns, without a server or a record. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { CoupleRequest } from "../../../schema/couple.ts"
import { Engine } from "../../engine/Engine.ts"
import { badInput } from "../failures.ts"
import { switchFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, printJson, show } from "../output.ts"
import { coupleView } from "../views/couple.ts"
import { readRequest, requestArgument } from "./requestFile.ts"
import { couple } from "./unrecordedAnswers.ts"

const EXAMPLE = {
  state: "WI",
  dependents: 1,
  annualIncomeGrowth: 0.03,
  annualPriceGrowth: 0.025,
  splitIncome: true,
  first: {
    adjustedGrossIncome: 62000,
    workingTowardsPslf: true,
    loans: [
      {
        loanType: "DIRECT STAFFORD UNSUBSIDIZED",
        principalBalance: 120000,
        interestBalance: 0,
        interestRate: 0.0608,
        disbursedAmount: 120000,
        idrMonthsInRepayment: 60,
        pslfCount: 60
      }
    ]
  },
  second: {
    adjustedGrossIncome: 48000,
    workingTowardsPslf: false,
    loans: [
      {
        loanType: "DIRECT STAFFORD UNSUBSIDIZED",
        principalBalance: 31000,
        interestBalance: 0,
        interestRate: 0.0375,
        disbursedAmount: 31000,
        idrMonthsInRepayment: 0,
        pslfCount: 0
      }
    ]
  }
} satisfies typeof CoupleRequest.Encoded

export const coupleCommand = dataCommand(
  "couple",
  {
    request: Argument.optional(requestArgument),
    example: switchFlag("example", "Print a request to begin with, and do nothing else")
  },
  Effect.fnUntraced(function* ({ example, request }, format) {
    if (example) return yield* printJson(EXAMPLE)
    if (Option.isNone(request))
      return yield* badInput("No request: give a file", "A file to begin with: repay couple --example > couple.json")
    const answer = yield* couple(yield* readRequest(request.value, CoupleRequest))
    return yield* show(format, answer, coupleView(answer))
  })
).pipe(
  withHelp(
    "Compare joint and separate returns of a couple that has loans.",
    "For each kind of return, every plan that each spouse can choose is tried, and the one that costs least is shown: what is paid plus the tax on what is forgiven; with a discountRate, what both are worth today. Separate returns add the federal income tax that both pay more than jointly, by the brackets and standard deductions alone. With splitIncome, in community property states, each separate return carries half of both incomes.",
    "Takes a file with the household and both spouses: see --example. On separate returns the first spouse claims the dependents. Needs no server and no key, and records nothing. This is not advice: income, family and the law may change."
  ),
  Command.withExamples([
    { command: "repay couple --example > couple.json", description: "A request to begin with" },
    { command: "repay couple couple.json", description: "Both returns" },
    { command: "repay couple couple.json --json | jq .lowest", description: "Only the return that costs less" }
  ]),
  Command.provide(Engine.layer)
)
