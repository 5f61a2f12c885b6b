/**
 * The service's own trust policy (C2SP tlog-policy), from LOG_WITNESSES or LOG_WITNESSES_TEXT: the
 * witnesses that it asks, and the quorum that its receipts wait for.
 */
import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { type Policy, parsePolicy, type Witness, witnessedBy } from "../../proof/policy.ts"

export interface OwnPolicy extends Policy {
  readonly text: string
}

export const problem = (name: string, reason: string) => new ConfigProblems({ lines: [`${name}: ${reason}`] })

/** The setting that holds the policy. */
export const policySetting = Effect.map(AppConfig, ({ logWitnesses }) =>
  logWitnesses === null ? "LOG_WITNESSES_TEXT" : "LOG_WITNESSES"
)

const isWebAddress = ({ url }: Witness): boolean =>
  url === null || (URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol))

/** The policy; null if neither setting is set. */
export const ownPolicy: Effect.Effect<OwnPolicy | null, ConfigProblems, AppConfig> = Effect.gen(function* () {
  const { logWitnesses, logWitnessesText } = yield* AppConfig
  if (logWitnesses === null && logWitnessesText === null) return null
  const setting = yield* policySetting
  const read = logWitnesses === null ? async () => logWitnessesText! : () => readFile(logWitnesses, "utf8")
  const text = yield* Effect.tryPromise({
    try: read,
    catch: () => problem(setting, `${logWitnesses} cannot be read; name a file with a policy`)
  })
  const policy = yield* Effect.tryPromise({
    try: () => parsePolicy(text),
    catch: (cause) => problem(setting, `${(cause as Error).message}; docs/log.md shows a policy`)
  })
  const wrong = [...policy.witnesses.values()].find((witness) => !isWebAddress(witness))
  if (wrong !== undefined)
    return yield* problem(setting, `the address of witness ${wrong.name} is not http or https; write its prefix`)
  return { ...policy, text: `${text.trimEnd()}\n` }
})

/** Whether the quorum has seen a checkpoint; false if a cosignature by one of the witnesses is wrong. */
export const hasQuorum = (note: string, policy: Policy): Effect.Effect<boolean> =>
  Effect.promise(() =>
    witnessedBy(note, policy).then(
      ({ missing }) => missing.length === 0,
      () => false
    )
  )
