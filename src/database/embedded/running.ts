/**
 * The socket of a data folder's running embedded server, whichever process started it. It starts no
 * server and creates no cluster.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { openCluster } from "./cluster.ts"
import { serverState } from "./serverState.ts"

/** The folder must have a cluster, so no initdb is needed. null if no server is ready. */
export const runningSocket = Effect.fnUntraced(function* (dataDir: string) {
  const cluster = yield* openCluster(join(dataDir, "postgres"), "", true)
  return (yield* serverState(cluster)) === "ready" ? cluster.socketPath : null
})
