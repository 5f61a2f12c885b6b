/**
 * The commands that list: `repay keys list`, `usage`, `mails` and `subscriptions list`. They show no
 * key, and send and change nothing.
 */
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { SqlClient } from "effect/sql"
import type { AppConfig } from "../../platform/config.ts"
import type { LedgerUnavailable } from "../../services/ledgerUnavailable.ts"
import { badInput, type CommandFailed } from "../failures.ts"
import { argument, optionalFlag, switchFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import type { CommandIo } from "../io.ts"
import { dataCommand, say, show } from "../output.ts"
import { KEYS, listView, MAILS, SUBSCRIPTIONS, USAGE } from "../views/lists.ts"
import type { Column } from "../views/table.ts"
import { keyNamed } from "./administer.ts"
import { checkedEmail } from "./manualBilling.ts"
import { READS, withReader } from "./reader.ts"

type Reading<A> = Effect.Effect<A, LedgerUnavailable, SqlClient.SqlClient | AppConfig | CommandIo>

interface Listing<Row> {
  /** The member of the JSON document that holds the rows. */
  readonly member: string
  /** The members of the JSON document before the rows. */
  readonly before?: Reading<object>
  readonly rows: (most: number) => Reading<ReadonlyArray<Row>>
  readonly columns: ReadonlyArray<Column<Row>>
  /** The table's text when there are no rows. */
  readonly none: string
  /** Names the rows that a truncated list shows. */
  readonly which: string
}

const services = Effect.promise(() => import("../../services/accounts/index.ts"))

/** @param listingOf checks the input before a database is opened */
const listCommand = <const Name extends string, const Config extends Command.Command.Config, Row>(
  name: Name,
  config: Config,
  listingOf: (input: Command.Command.Config.InferValue<Config>) => Effect.Effect<Listing<Row>, CommandFailed, CommandIo>
) =>
  dataCommand(
    name,
    { own: config, all: switchFlag("all", "All of them, up to 100,000") },
    Effect.fnUntraced(function* ({ all, own }, format) {
      const { MAX_LISTED, MAX_LISTED_OF_ALL } = yield* services
      const most = all ? MAX_LISTED_OF_ALL : MAX_LISTED
      const { before = Effect.succeed({}), columns, member, none, rows: read, which } = yield* listingOf(own)
      const { others, rows } = yield* withReader(Effect.all({ others: before, rows: read(most) }))
      yield* show(format, { ...others, [member]: rows }, listView(columns, rows, none))
      if (rows.length === most) yield* say(`Only the ${which} ${most} are shown${all ? "" : "; --all shows all"}.`)
    })
  )

const addressOf = (email: Option.Option<string>) =>
  Option.isNone(email) ? Effect.succeed(null) : checkedEmail(email.value)

export const keyListCommand = listCommand(
  "list",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Only keys made for this address"), Flag.optional),
    environment: Flag.ChoiceWithValue("environment", [
      ["sandbox", "Sandbox"],
      ["production", "Production"]
    ]).pipe(Flag.withDescription("Only keys of this kind"), Flag.optional)
  },
  Effect.fn("repay.keys.list")(function* ({ email, environment }) {
    const { listKeys } = yield* services
    const address = yield* addressOf(email)
    const rows = (most: number) => listKeys(address, Option.getOrNull(environment), most)
    return { member: "keys", rows, columns: KEYS, none: "No keys found.", which: "newest" }
  })
).pipe(
  withHelp(
    "List the API keys, newest first: prefix, kind, whether each is live, expired or revoked and why, when it was made, and the month in which it was last charged for a call. A production key has the address of its subscription. The JSON has every member; no output has a key.",
    READS
  ),
  Command.withShortDescription("List API keys"),
  Command.withExamples([
    { command: "repay keys list --email ada@example.org", description: "Of one address" },
    { command: "repay keys list --environment production --all --json", description: "All that were ever paid for" }
  ])
)

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
const MONTH_CHARACTERS = "YYYY-MM".length

/** The named month, else the current one (UTC). */
const monthNamed = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const { monthOf } = yield* services
  if (Option.isNone(named)) return monthOf(new Date(yield* Clock.currentTimeMillis))
  if (!MONTH.test(named.value)) return yield* badInput("--month: use a month such as 2026-11 (UTC)")
  return monthOf(new Date(`${named.value}-01T00:00:00Z`))
})

export const usageCommand = listCommand(
  "usage",
  {
    month: optionalFlag("month", "<month>", "Of this month, such as 2026-11; else of the present one (UTC)"),
    key: optionalFlag("key", "<prefix or id>", "Only of this key")
  },
  Effect.fn("repay.usage")(function* (input) {
    const { listUsage, totalUsage } = yield* services
    const period = yield* monthNamed(input.month)
    const month = period.periodStart.toISOString().slice(0, MONTH_CHARACTERS)
    const key = Option.isNone(input.key) ? null : yield* keyNamed("--key", input.key.value)
    return {
      member: "usage",
      before: Effect.map(totalUsage({ period, key }), (total) => ({ month, ...total })),
      rows: (most: number) => listUsage({ period, key }, most),
      columns: USAGE,
      none: `No key was charged in ${month}.`,
      which: "most used"
    }
  })
).pipe(
  withHelp(
    "List what each key was charged in a month, the most used first, with the quota that its kind has in this configuration. Refused calls are not charged and not listed here: only the metrics count them.",
    READS
  ),
  Command.withExamples([
    { command: "repay usage --month 2026-10", description: "Who called most in October" },
    { command: "repay usage --key slr_live_Ab12Cd", description: "What is left of one key's month" }
  ])
)

export const mailsCommand = listCommand(
  "mails",
  {},
  Effect.fn("repay.mails")(function* () {
    const { listMails, mailQueueDepth } = yield* services
    const { AppConfig } = yield* Effect.promise(() => import("../../platform/config.ts"))
    const before = Effect.gen(function* () {
      const depth = yield* mailQueueDepth
      const { smtpUrl } = yield* AppConfig
      if (smtpUrl === null && depth.waiting > 0) yield* say("SMTP_URL is not set here: nothing is sent.")
      return depth
    })
    return {
      member: "mails",
      before,
      rows: listMails,
      columns: MAILS,
      none: "No mail waits, and none was given up.",
      which: "first"
    }
  })
).pipe(
  withHelp(
    "List the mails that wait, with the attempts so far and the time of the next one, and then those that were given up because no mail server took them within three days. If the mail with a production key was given up, `repay subscriptions allow` mails a key again.",
    READS
  ),
  Command.withExamples([{ command: "repay mails --json", description: "For a script" }])
)

export const subscriptionListCommand = listCommand(
  "list",
  {
    email: Argument.optional(argument("email", "Only the subscriptions of this address"))
  },
  Effect.fn("repay.subscriptions.list")(function* ({ email }) {
    const { listSubscriptions } = yield* services
    const address = yield* addressOf(email)
    const rows = (most: number) => listSubscriptions(address, most)
    return { member: "subscriptions", rows, columns: SUBSCRIPTIONS, none: "No paid subscription.", which: "newest" }
  })
).pipe(
  withHelp(
    "List the paid subscriptions, newest first: whether each is paid, held or ended, why and since when, and the prefix of its live production key with whether that was used. The JSON has every member.",
    `${READS} The output contains email addresses.`
  ),
  Command.withShortDescription("List subscriptions"),
  Command.withExamples([{ command: "repay subscriptions list ada@example.org", description: "Of one address" }])
)
