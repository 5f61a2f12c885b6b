/** The keys of a service's log that a watcher trusts: fetched once, and then kept. */
import { Effect, Option } from "effect"
import { badInput } from "../failures.ts"
import { say } from "../output.ts"
import type { LogFolder } from "./checkpointFolder.ts"
import { fetchKeys } from "./logRemote.ts"

/** The trusted keys: the given one, else those that the service published at the first watch. */
export const trustedKeys = Effect.fnUntraced(function* (url: string, folder: LogFolder, key: Option.Option<string>) {
  if (Option.isSome(key)) return [key.value]
  const kept = yield* folder.keys
  if (kept !== null) {
    const keys = kept.split("\n").filter((line) => line.trim() !== "")
    return keys.length > 0
      ? keys
      : yield* badInput(
          `${folder.keyFile}: is empty, but should contain the trusted keys.`,
          "Restore the file, or name a key with --key. Without the file, the keys that the service names now would be trusted."
        )
  }
  const keys = yield* fetchKeys(url)
  yield* folder.keepKeys(keys)
  yield* say(`No key was given: the present keys of ${url} are trusted from now on, and kept in ${folder.keyFile}.`)
  return keys
})
