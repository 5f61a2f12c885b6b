/**
 * The look-up of the running embedded server of a data folder, whichever process started it. No
 * server is started and no cluster is created.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { openCluster } from "./cluster.ts"
import { serverState } from "./serverState.ts"

/**
 * The server's socket, or null if no server is ready. The folder must have a cluster already, so no
 * path of initdb is passed.
 */
export const runningSocket = Effect.fnUntraced(function* (dataDir: string) {
  const cluster = yield* openCluster(join(dataDir, "postgres"), "", true)
  return (yield* serverState(cluster)) === "ready" ? cluster.socketPath : null
})
