/** Where the embedded server of a data folder listens if one runs now, whoever started it. Starts none, and makes no cluster. */
import { join } from "node:path"
import { Effect } from "effect"
import { openCluster } from "./cluster.ts"
import { serverState } from "./serverState.ts"

/** To be asked of a folder that has a cluster, for which no initdb is needed; null if no server is ready. */
export const runningSocket = Effect.fnUntraced(function* (dataDir: string) {
  const cluster = yield* openCluster(join(dataDir, "postgres"), "", true)
  return (yield* serverState(cluster)) === "ready" ? cluster.socketPath : null
})
