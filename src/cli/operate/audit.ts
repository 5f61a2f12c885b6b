/** `repay audit`: whether the records are what the log says, and what was done to the first that is not. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { MAX_NOTE_CHARACTERS } from "../../proof/note.ts"
import type { AuditReport } from "../../services/log/audit.ts"
import { nameIn } from "../../services/log/keys.ts"
import { readText } from "../calculate/requestFile.ts"
import { badInput, refused } from "../failures.ts"
import { helpText } from "../helpText.ts"
import { dataCommand, show } from "../output.ts"
import { counted } from "../views/text.ts"
import { reading } from "./reader.ts"

/** Whose keys were believed. */
type Believed = "named" | "configured" | "database"

type Report = AuditReport & { readonly keys: Believed }

const FROM_DATABASE =
  "The keys were taken from the database itself, so whoever can change it may have put others there: name one with --key."

/** While the service runs, records wait for a second. */
const ofWaiting = ({ waiting }: Report): ReadonlyArray<string> => {
  const since = waiting?.since?.toISOString() ?? "no time"
  return waiting === null || waiting.count === 0
    ? []
    : [
        `${counted(waiting.count, "record")} behind them ${waiting.count === 1 ? "is" : "are"} yet to be entered, since ${since}.`
      ]
}

/** Deeds that are done to records; others are done to the log. */
const OF_A_RECORD = ["edited", "removed", "added", "moved"]

const view = (report: Report) => (): string => {
  const { finding, size } = report
  const records = counted(size, "record")
  const said =
    finding === null
      ? `${records}: each is what was entered, in its place, and the log is signed.`
      : OF_A_RECORD.includes(finding.kind)
        ? `Of ${records}, one is not what was entered.`
        : "The log itself is not what was signed."
  return [said, ...ofWaiting(report), ...(report.keys === "database" ? [FROM_DATABASE] : [])].join("\n")
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
  const { configuredKeys } = yield* Effect.promise(() => import("../../services/log/keys.ts"))
  const { TransparencyLog } = yield* Effect.promise(() => import("../../services/log/TransparencyLog.ts"))
  if (named.length > 0) return { believed: "named" as const, keys: named }
  const log = yield* TransparencyLog
  const names = [yield* log.unverified, kept].filter((note) => note !== null).map(nameIn)
  const { isConfigured, keys } = yield* configuredKeys([...new Set(names)])
  if (isConfigured) return { believed: "configured" as const, keys }
  return { believed: "database" as const, keys: yield* log.keys }
})

/** Runs the audit on the database of the installation. */
const audited = Effect.fnUntraced(function* (file: Option.Option<string>, named: ReadonlyArray<string>) {
  const { audit } = yield* Effect.promise(() => import("../../services/log/audit.ts"))
  const { TransparencyLog } = yield* Effect.promise(() => import("../../services/log/TransparencyLog.ts"))
  const work = Effect.gen(function* () {
    const text = Option.isNone(file) ? null : yield* readText(file.value, MAX_NOTE_CHARACTERS)
    const { believed, keys } = yield* believedKeys(named, text)
    const kept = text === null ? null : yield* openKept(Option.getOrThrow(file), text, keys)
    return { ...(yield* audit(kept, keys)), keys: believed } satisfies Report
  })
  return yield* reading(() => Effect.provide(work, TransparencyLog.layer))
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
    const { answerId, kind, detail, index } = report.finding
    const where = index === null ? "" : ` Entry ${index}.`
    const which = answerId === null ? "" : ` Record ${answerId}.`
    return yield* refused(`${kind.toUpperCase()}: ${detail}.${where}${which}`)
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
