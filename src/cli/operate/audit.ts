/** `repay audit`: checks every record against the log, and reports the first mismatch. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { MAX_NOTE_CHARACTERS } from "../../proof/note.ts"
import type { AuditReport } from "../../services/log/index.ts"
import { readText } from "../calculate/requestFile.ts"
import { badInput, refused } from "../failures.ts"
import { optionalFlag, textFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, show } from "../output.ts"
import { counted } from "../views/text.ts"
import { withReader } from "./reader.ts"

/** The origin of the trusted keys. */
type KeySource = "named" | "configured" | "database"

type Report = AuditReport & { readonly keys: KeySource }

const FROM_DATABASE =
  "The keys came from the audited database, so anyone who can change it could have replaced them. Name a key that you trust with --key."

/** Records wait about a second while the service runs, so this alone is no failure. */
const waitingLines = ({ waiting }: Report): ReadonlyArray<string> => {
  const since = waiting?.since?.toISOString() ?? "no time"
  return waiting === null || waiting.count === 0
    ? []
    : [
        `${counted(waiting.count, "later record")} ${waiting.count === 1 ? "waits" : "wait"} to be entered, since ${since}.`
      ]
}

/** Kinds of mismatch in a record. The others are in the log itself. */
const RECORD_MISMATCHES = ["edited", "removed", "added"]

const view = (report: Report) => (): string => {
  const { finding, size } = report
  const records = counted(size, "record")
  const summary =
    finding === null
      ? `${records} checked: each matches its log entry, and the log matches what was signed.`
      : RECORD_MISMATCHES.includes(finding.kind)
        ? `${records} checked: one does not match the log.`
        : "The log itself differs from what was signed."
  return [summary, ...waitingLines(report), ...(report.keys === "database" ? [FROM_DATABASE] : [])].join("\n")
}

const openKept = (file: string, text: string, keys: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () => openCheckpoint(text, keys),
    catch: (cause) =>
      badInput(
        `${file}: is not a checkpoint of this log: ${(cause as Error).message}.`,
        "If an older key of this log signed it, name that key and the present one, each with --key."
      )
  })

/** The named keys, else those of the installation, else those in the database itself. */
const trustedKeys = Effect.fnUntraced(function* (named: ReadonlyArray<string>, kept: string | null) {
  const { LogKeys, nameIn, TransparencyLog } = yield* Effect.promise(() => import("../../services/log/index.ts"))
  if (named.length > 0) return { source: "named" as const, keys: named }
  const log = yield* TransparencyLog
  const names = [yield* log.unverified, kept].filter((note) => note !== null).map(nameIn)
  const { isConfigured, keys } = yield* (yield* LogKeys).configured([...new Set(names)])
  if (isConfigured) return { source: "configured" as const, keys }
  return { source: "database" as const, keys: yield* log.keys }
})

/** Runs the audit on the database of the installation. */
const audited = Effect.fnUntraced(function* (file: Option.Option<string>, named: ReadonlyArray<string>) {
  const { audit, TransparencyLog } = yield* Effect.promise(() => import("../../services/log/index.ts"))
  const work = Effect.gen(function* () {
    const text = Option.isNone(file) ? null : yield* readText(file.value, MAX_NOTE_CHARACTERS)
    const { source, keys } = yield* trustedKeys(named, text)
    const kept = text === null ? null : yield* openKept(Option.getOrThrow(file), text, keys)
    return { ...(yield* audit(kept, keys)), keys: source } satisfies Report
  })
  return yield* withReader(Effect.provide(work, TransparencyLog.layer))
})

export const auditCommand = dataCommand(
  "audit",
  {
    checkpoint: optionalFlag("checkpoint", "<file>", "An earlier checkpoint that was kept elsewhere"),
    key: textFlag("key", "<key>", "Trust only this key (repeat it for several), for --checkpoint too").pipe(
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
  withHelp(
    "Recompute the log of records from the database and compare it with what is stored and signed. Names the first record that was edited, removed or added, with exit code 1.",
    "Somebody with the database and the private key could change all of it to match. Only a checkpoint kept elsewhere (curl .../log/checkpoint) reveals that, or that an older backup was restored.",
    "Trusts the keys of --key, or those of LOG_SIGNING_KEY or DATA_DIR. If there are none, it uses those in the database, and says so."
  ),
  Command.withExamples([
    {
      command: "repay audit --checkpoint last-month.txt",
      description: "Check that nothing was changed since last month"
    }
  ])
)
