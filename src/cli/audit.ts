/** `repay audit`: whether the records are what the log says, and what was done to the first that is not. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openCheckpoint } from "../proof/checkpoint.ts"
import { MAX_NOTE_CHARACTERS } from "../proof/note.ts"
import type { LedgerUnavailable } from "../services/ledgerUnavailable.ts"
import type { AuditReport } from "../services/log/audit.ts"
import { quoted } from "../services/log/findings.ts"
import { nameIn } from "../services/log/texts.ts"
import { badInput, refused, unavailable } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, show } from "./output.ts"
import { reading } from "./reader.ts"
import { readText } from "./requestFile.ts"
import { counted } from "./views/text.ts"

/** Whose keys were believed. */
type Believed = "named" | "configured" | "database"

type Report = AuditReport & {
  readonly keys: Believed
  /** Those of log_key that are not among the keys that were named or configured. */
  readonly otherKeys: ReadonlyArray<string>
  /** What the database says of its migrations, if not that they are this release's, though the tables are. */
  readonly schema: string | null
}

const FROM_DATABASE =
  "The keys were taken from the database itself, so whoever can change it may have put others there: name one with --key."

const NOT_AMONG = {
  named: "that --key does not name",
  configured: "that this installation is not configured with"
}

/** While the service runs, records wait for a second. */
const ofWaiting = ({ waiting }: Report): ReadonlyArray<string> => {
  const since = waiting?.since?.toISOString() ?? "no time"
  return waiting === null || waiting.count === 0
    ? []
    : [
        `${counted(waiting.count, "record")} behind them ${waiting.count === 1 ? "is" : "are"} yet to be entered, since ${since}.`
      ]
}

/** What is said of the keys beside the finding. */
const ofKeys = ({ keys, otherKeys }: Report): ReadonlyArray<string> =>
  keys === "database"
    ? [FROM_DATABASE]
    : otherKeys.map(
        (key) => `log_key also lists ${quoted(key)}: a key ${NOT_AMONG[keys]}; expected only if it was one before.`
      )

const ofSchema = ({ schema }: Report): ReadonlyArray<string> =>
  schema === null
    ? []
    : [`schema_migration says otherwise than the tables, which are as this release makes them: ${schema}.`]

/** Deeds that are done to records; others are done to the log. */
const OF_A_RECORD = ["edited", "removed", "added", "moved"]

const view = (report: Report) => (): string => {
  const { finding, size } = report
  const records = counted(size, "record")
  const said =
    finding === null
      ? `${records}: each is what was entered, in its place, and the log is signed.`
      : OF_A_RECORD.includes(finding.deed)
        ? `Of ${records}, one is not what was entered.`
        : "The log itself is not what was signed."
  return [said, ...ofWaiting(report), ...ofKeys(report), ...ofSchema(report)].join("\n")
}

const openKept = (file: string, text: string, keys: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () => openCheckpoint(text, keys),
    catch: (cause) =>
      badInput(
        `${file}: is no checkpoint of this log: ${(cause as Error).message}.`,
        "If it was signed by an older key of this log, name that key and the one of today, each with --key."
      )
  })

/** The keys that are named, else those of the installation, else those that the database says. */
const believedKeys = Effect.fnUntraced(function* (named: ReadonlyArray<string>, kept: string | null) {
  const { configuredKeys } = yield* Effect.promise(() => import("../services/log/configuredKeys.ts"))
  const { TransparencyLog } = yield* Effect.promise(() => import("../services/log/TransparencyLog.ts"))
  if (named.length > 0) return { believed: "named" as const, keys: named }
  const log = yield* TransparencyLog
  const names = [yield* log.unverified, kept].filter((note) => note !== null).map(nameIn)
  const { isConfigured, keys } = yield* configuredKeys([...new Set(names)])
  if (isConfigured) return { believed: "configured" as const, keys }
  return { believed: "database" as const, keys: yield* log.keys }
})

const publicKeyIn = (key: string): string => key.split("+").slice(2).join("+")

/** Keys but these, under whatever name; where none are known, for want of a checkpoint, nothing can be said. */
const othersIn = (listed: ReadonlyArray<string>, keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = keys.map(publicKeyIn)
  return known.length === 0 ? [] : listed.filter((key) => !known.includes(publicKeyIn(key)))
}

/** Whoever may write to schema_migration could say anything there: where the tables are as they should be, it is told. */
const otherSchema = Effect.gen(function* () {
  const { schemaVersion } = yield* Effect.promise(() => import("../database/migrate.ts"))
  const { schemaRemedy } = yield* Effect.promise(() => import("../database/reader.ts"))
  const { startError } = yield* Effect.promise(() => import("../database/client.ts"))
  const { structure } = yield* Effect.promise(() => import("../services/log/audit.ts"))
  const remedy = schemaRemedy(yield* Effect.mapError(schemaVersion, startError))
  const isMade = remedy === null || (yield* structure) === null
  return isMade ? remedy : yield* startError({ message: remedy })
})

/** Why the database did not carry an audit out, where it is a session that can be named. */
const whoHolds = Effect.fnUntraced(function* (failure: LedgerUnavailable) {
  const { heldTables } = yield* Effect.promise(() => import("../services/log/held.ts"))
  const [held] = yield* heldTables
  if (held === undefined) return yield* failure
  const who = held.pids.length === 0 ? "A prepared transaction" : `Another session (process ${held.pids.join(", ")})`
  return yield* unavailable(
    `${who} holds the table ${held.table}, and nothing can be audited until it lets go: see pg_stat_activity and pg_locks.`
  )
})

/** Runs the audit on the database of the installation. */
const audited = Effect.fnUntraced(function* (file: Option.Option<string>, named: ReadonlyArray<string>) {
  const { audit } = yield* Effect.promise(() => import("../services/log/audit.ts"))
  const { TransparencyLog } = yield* Effect.promise(() => import("../services/log/TransparencyLog.ts"))
  const work = Effect.gen(function* () {
    const schema = yield* otherSchema
    const text = Option.isNone(file) ? null : yield* readText(file.value, MAX_NOTE_CHARACTERS)
    const { believed, keys } = yield* believedKeys(named, text)
    const kept = text === null ? null : yield* openKept(Option.getOrThrow(file), text, keys)
    const listed = yield* (yield* TransparencyLog).keys
    const otherKeys = believed === "database" ? [] : othersIn(listed, keys)
    return { ...(yield* audit(kept, keys)), keys: believed, otherKeys, schema } satisfies Report
  })
  const told = Effect.catchTag(work, "LedgerUnavailable", whoHolds)
  return yield* reading(() => Effect.provide(told, TransparencyLog.layer), "uncheckedReaderLayer")
})

export const auditCommand = dataCommand(
  "audit",
  {
    checkpoint: Flag.String("checkpoint").pipe(
      Flag.withMetavar("<file>"),
      Flag.withDescription("A checkpoint that was kept from earlier, elsewhere"),
      Flag.optional
    ),
    key: Flag.String("key").pipe(
      Flag.withMetavar("<key>"),
      Flag.withDescription("Believe this key alone (repeat it for several), for --checkpoint too"),
      Flag.atLeast(0)
    )
  },
  Effect.fn("repay.audit")(function* (input, format) {
    const report = yield* audited(input.checkpoint, input.key)
    yield* show(format, report, view(report))
    if (report.finding === null) return
    const { answerId, deed, detail, index } = report.finding
    const where = index === null ? "" : ` Entry ${index}.`
    const which = answerId === null ? "" : ` Record ${answerId}.`
    return yield* refused(`${deed.toUpperCase()}: ${detail}.${where}${which}`)
  })
).pipe(
  Command.withDescription(
    helpText(
      "Recompute the log of records from the database and compare it with what is stored and signed. Names the first record that was edited, removed, added or moved, with exit code 1.",
      "Whoever has the database and the private key could have changed all of it to match. With a checkpoint that was kept elsewhere (curl .../log/checkpoint) that is found out too, and so is an older backup that was restored.",
      "Without --key the keys of LOG_SIGNING_KEY, or of DATA_DIR, are believed; without those the ones that the database names, which it says."
    )
  ),
  Command.withExamples([
    { command: "repay audit --checkpoint last-month.txt", description: "Since last month, nothing was changed" }
  ])
)
