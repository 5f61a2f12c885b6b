/** `repay usage`: lists the calls charged to each key in a month. */
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { monthOf, type Period } from "../../services/accounts/month.ts"
import { badInput } from "../failures.ts"
import { helpText } from "../helpText.ts"
import { dataCommand } from "../output.ts"
import { USAGE } from "../views/lists.ts"
import { keyNamed } from "./administer.ts"
import { allFlag, sayIfFull, showPages } from "./pagination.ts"
import { READS, withReader } from "./reader.ts"

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
const MONTH_CHARACTERS = "YYYY-MM".length

/** The named month, else the current one (UTC). */
const monthNamed = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isNone(named)) return monthOf(new Date(yield* Clock.currentTimeMillis))
  if (!MONTH.test(named.value)) return yield* badInput("--month: use a month such as 2026-11 (UTC)")
  return monthOf(new Date(`${named.value}-01T00:00:00Z`))
})

const monthText = ({ periodStart }: Period): string => periodStart.toISOString().slice(0, MONTH_CHARACTERS)

export const usageCommand = dataCommand(
  "usage",
  {
    month: Flag.String("month").pipe(
      Flag.withMetavar("<month>"),
      Flag.withDescription("Of this month, such as 2026-11; else of the present one (UTC)"),
      Flag.optional
    ),
    key: Flag.String("key").pipe(
      Flag.withMetavar("<prefix or id>"),
      Flag.withDescription("Only of this key"),
      Flag.optional
    ),
    all: allFlag
  },
  Effect.fn("repay.usage")(function* (input, format) {
    const month = yield* monthNamed(input.month)
    const key = Option.isNone(input.key) ? null : yield* keyNamed("--key", input.key.value)
    const { listUsage, totalUsage } = yield* Effect.promise(() => import("../../services/accounts/usageList.ts"))
    const { MAX_LISTED } = yield* Effect.promise(() => import("../../services/pagination.ts"))
    const wanted = { month, key, most: input.all ? null : MAX_LISTED }
    yield* withReader(
      Effect.fnUntraced(function* ({ settings, sql }) {
        const total = yield* totalUsage(sql, wanted)
        yield* showPages(format, {
          name: "usage",
          before: { month: monthText(month), ...total },
          columns: USAGE,
          none: `No key was charged in ${monthText(month)}.`,
          pages: (take) =>
            Effect.tap(listUsage(sql, settings, wanted, take), (count) => sayIfFull(count, wanted.most, "most used"))
        })
      })
    )
  })
).pipe(
  Command.withDescription(
    helpText(
      "List what each key was charged in a month, the most used first, with the quota that its kind has in this configuration. Refused calls are not charged and not listed here: only the metrics count them.",
      READS
    )
  ),
  Command.withExamples([
    { command: "repay usage --month 2026-10", description: "Who called most in October" },
    { command: "repay usage --key slr_live_Ab12Cd", description: "What is left of one key's month" }
  ])
)
