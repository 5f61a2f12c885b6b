/** A PostgreSQL standby that is read-only until promoted, and a proxy that can cut a server off. */
import { spawn } from "node:child_process"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { databaseAccount, databasePrograms } from "../../src/database/embedded/binaries.ts"
import { openCluster } from "../../src/database/embedded/cluster.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { openDatabaseProxy } from "./databaseProxy.ts"

/** A temporary folder for a database, deleted with the scope. */
export const dataFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "repayment-data-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Makes a server reachable by host and port, through a proxy that can cut it off. */
export const overNetwork = (socketPath: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = encodeURIComponent(socketPath.slice(0, socketPath.lastIndexOf("/")))
      const { url, ...proxy } = await openDatabaseProxy(`postgres://postgres@localhost/postgres?host=${folder}`)
      return { ...proxy, host: new URL(url).host, path: socketPath }
    }),
    ({ close }) => Effect.sync(close)
  )

/**
 * Creates a database, then starts its server as a standby without a primary, until the scope
 * closes.
 */
export const standby = Effect.fnUntraced(function* (dataDir: string) {
  yield* Effect.scoped(embeddedDatabase({ dataDir }))
  const { initdb, postgres } = yield* databasePrograms(dataDir)
  const cluster = yield* openCluster(join(dataDir, "postgres"), initdb, true)
  const signal = join(cluster.folder, "standby.signal")
  writeFileSync(signal, "")
  if (databaseAccount !== undefined) chownSync(signal, databaseAccount.uid, databaseAccount.gid)
  const settings = ["listen_addresses=", `unix_socket_directories=${cluster.socketFolderForServer}`]
  const args = ["-D", cluster.folderForServer, ...settings.flatMap((setting) => ["-c", setting])]
  const how = { ...databaseAccount, cwd: cluster.folder, env: { LC_ALL: "C.UTF-8" }, stdio: "ignore" } as const
  const child = spawn(postgres, args, how)
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null) return resolve()
      child.once("exit", () => resolve())
      child.kill("SIGQUIT")
    })
  yield* Effect.addFinalizer(() => Effect.promise(stop))
  return cluster.socketPath
})
