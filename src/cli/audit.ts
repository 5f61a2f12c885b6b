/** `repay audit`: whether the records are what the log says, and what was done to the first that is not. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openCheckpoint } from "../proof/checkpoint.ts"
import type { AuditReport } from "../services/log/audit.ts"
import { badInput, refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { dataCommand, show } from "./output.ts"
import { readText } from "./requestFile.ts"
import { counted } from "./views/text.ts"

/** Many times what a checkpoint with all its signatures takes. */
const CHECKPOINT_BYTES = 200_000

const optional = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const view =
  ({ finding, size }: AuditReport) =>
  (): string =>
    finding === null
      ? `${counted(size, "record")}: each is what was entered, in its place, and the log is signed.`
      : `Of ${counted(size, "record")}, one is not what was entered.`

const readCheckpoint = Effect.fnUntraced(function* (file: string, keys: ReadonlyArray<string>) {
  const text = yield* readText(file, CHECKPOINT_BYTES)
  return yield* Effect.tryPromise({
    try: () => openCheckpoint(text, keys),
    catch: (cause) => badInput(`${file}: is no checkpoint of this log: ${(cause as Error).message}`)
  })
})

/** Runs the audit on the database of the installation. */
const audited = Effect.fnUntraced(function* (file: Option.Option<string>, key: Option.Option<string>) {
  const { audit } = yield* Effect.promise(() => import("../services/log/audit.ts"))
  const { TransparencyLog } = yield* Effect.promise(() => import("../services/log/TransparencyLog.ts"))
  const { commandFailure, Installation } = yield* Effect.promise(() => import("./installation.ts"))
  return yield* Effect.gen(function* () {
    const published = yield* (yield* TransparencyLog).keys
    const keys = Option.match(key, { onNone: () => published, onSome: (one) => [one] })
    const kept = Option.isNone(file) ? null : yield* readCheckpoint(file.value, [...keys, ...published])
    return yield* audit(kept, keys)
  }).pipe(Effect.provide(TransparencyLog.layer), Effect.provide(Installation), Effect.mapError(commandFailure))
})

export const auditCommand = dataCommand(
  "audit",
  {
    checkpoint: optional("checkpoint", "<file>", "A checkpoint that was kept from earlier, elsewhere"),
    key: optional("key", "<key>", "Believe this verifier key alone, not those in the database")
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
      "Whoever has the database and the private key could have changed all of it to match. With a checkpoint that was kept elsewhere (curl .../log/checkpoint) that is found out too, and so is an older backup that was restored."
    )
  ),
  Command.withShortDescription("Check every record against the log"),
  Command.withExamples([
    { command: "repay audit --checkpoint last-month.txt", description: "Since last month, nothing was changed" }
  ])
)
