/**
 * The service's own trust policy (C2SP tlog-policy), from LOG_WITNESSES or LOG_WITNESSES_TEXT: the
 * witnesses that it asks, and the quorum that its receipts wait for.
 */
import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { type Policy, parsePolicy, witnessedBy } from "../../proof/policy.ts"
import { isWebAddress } from "../../request/webAddress.ts"

export interface OwnPolicy extends Policy {
  readonly text: string
}

/** Refuses the policy, and names the setting that holds it. */
export const refusePolicy = (reason: string) =>
  Effect.flatMap(AppConfig, ({ logWitnesses }) => {
    const setting = logWitnesses === null ? "LOG_WITNESSES_TEXT" : "LOG_WITNESSES"
    return Effect.fail(new ConfigProblems({ lines: [`${setting}: ${reason}`] }))
  })

/** The policy; null if neither setting is set. */
export const ownPolicy: Effect.Effect<OwnPolicy | null, ConfigProblems, AppConfig> = Effect.gen(function* () {
  const { logWitnesses, logWitnessesText } = yield* AppConfig
  if (logWitnesses === null && logWitnessesText === null) return null
  const read = logWitnesses === null ? async () => logWitnessesText! : () => readFile(logWitnesses, "utf8")
  const text = yield* Effect.tryPromise(read).pipe(
    Effect.catch(() => refusePolicy(`${logWitnesses} cannot be read; name a file with a policy`))
  )
  const policy = yield* Effect.tryPromise({ try: () => parsePolicy(text), catch: (cause) => cause as Error }).pipe(
    Effect.catch(({ message }) => refusePolicy(`${message}; docs/log.md shows a policy`))
  )
  const wrong = [...policy.witnesses.values()].find(({ url }) => url !== null && !isWebAddress(url))
  if (wrong !== undefined)
    return yield* refusePolicy(`the address of witness ${wrong.name} is not http or https; write its prefix`)
  return { ...policy, text: `${text.trimEnd()}\n` }
})

/** Whether the quorum has seen a checkpoint; false if the cosignature of any witness is wrong. */
export const hasQuorum = (note: string, policy: Policy): Effect.Effect<boolean> =>
  Effect.promise(() =>
    witnessedBy(note, policy).then(
      ({ missing }) => missing.length === 0,
      () => false
    )
  )
