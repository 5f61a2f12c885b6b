/**
 * How much of the log is signed, as this process has verified with the keys of its own installation: whoever may write to
 * log_head could put any size there. What a key of before has signed is believed once the service has signed on top of it.
 */
import { Effect } from "effect"
import { AppConfig } from "../../platform/config.ts"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { configuredKeys } from "./configuredKeys.ts"

/**
 * The keys that this installation is configured with, under the name of a log; none if they cannot be read. Those of the
 * last name are remembered: to make them out of the private ones takes a millisecond.
 */
export const makeOwnKeys = Effect.gen(function* () {
  const config = yield* AppConfig
  const none: ReadonlyArray<string> = []
  let last = { name: "", keys: none }
  return Effect.fnUntraced(function* (name: string) {
    if (last.name === name && last.keys.length > 0) return last.keys
    const { keys } = yield* configuredKeys([name]).pipe(
      Effect.orElseSucceed(() => ({ keys: none })),
      Effect.provideService(AppConfig, config)
    )
    last = { name, keys: keys.filter((key) => key.startsWith(`${name}+`)) }
    return last.keys
  })
})

/** The size that a checkpoint of the log of this name covers, null if it is not believed. The last one is remembered. */
export const makeVerifiedSize = Effect.gen(function* () {
  const ownKeys = yield* makeOwnKeys
  let verified = { name: "", checkpoint: "", size: 0 }
  return Effect.fnUntraced(function* (name: string, checkpoint: string) {
    if (verified.checkpoint === checkpoint && verified.name === name) return verified.size
    const ofName = yield* ownKeys(name)
    const opened = yield* Effect.promise(() => openCheckpoint(checkpoint, ofName).catch(() => null))
    if (opened === null) return null
    verified = { name, checkpoint, size: opened.size }
    return opened.size
  })
})
