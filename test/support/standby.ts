/** Servers that take no writes: one that follows no other and can be promoted, and one that follows a primary. */
import { execFileSync, spawn } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { databaseAccount, databasePrograms } from "../../src/database/embedded/binaries.ts"
import { openCluster } from "../../src/database/embedded/cluster.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { openDatabaseProxy } from "./databaseProxy.ts"

/** A folder for a database, gone with the scope. */
export const dataFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "repayment-data-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A server that is to be reached over the network, as a host is, and may be cut off. */
export const overNetwork = (socketPath: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = encodeURIComponent(socketPath.slice(0, socketPath.lastIndexOf("/")))
      const { url, ...proxy } = await openDatabaseProxy(`postgres://postgres@localhost/postgres?host=${folder}`)
      return { ...proxy, host: new URL(url).host, path: socketPath }
    }),
    ({ close }) => Effect.sync(close)
  )

/** Runs a cluster as a standby until it is stopped, at once as when it is killed; it may be started again. */
const standbyOn = Effect.fnUntraced(function* (dataDir: string, more: ReadonlyArray<string>) {
  const { initdb, postgres } = yield* databasePrograms(dataDir)
  const cluster = yield* openCluster(join(dataDir, "postgres"), initdb, true)
  const signal = join(cluster.folder, "standby.signal")
  writeFileSync(signal, "")
  if (databaseAccount !== undefined) chownSync(signal, databaseAccount.uid, databaseAccount.gid)
  const settings = ["listen_addresses=", `unix_socket_directories=${cluster.socketFolderForServer}`, ...more]
  const args = ["-D", cluster.folderForServer, ...settings.flatMap((setting) => ["-c", setting])]
  const how = { ...databaseAccount, cwd: cluster.folder, env: { LC_ALL: "C.UTF-8" }, stdio: "ignore" } as const
  const start = () => spawn(postgres, args, how)
  let child = start()
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null) return resolve()
      child.once("exit", () => resolve())
      child.kill("SIGQUIT")
    })
  yield* Effect.addFinalizer(() => Effect.promise(stop))
  const startAgain = () => {
    child = start()
  }
  return { path: cluster.socketPath, start: startAgain, stop }
})

/** A database made once, its server then started as a standby that waits for a primary; where it listens. */
export const standby = Effect.fnUntraced(function* (dataDir: string) {
  yield* Effect.scoped(embeddedDatabase({ dataDir }))
  return (yield* standbyOn(dataDir, [])).path
})

/** A database, and a copy of it that follows it; both are reached over the network, and so is the one by the other. */
export const followedDatabase = Effect.gen(function* () {
  const [dataDir, copyDir] = [yield* dataFolder, yield* dataFolder]
  yield* Effect.scoped(embeddedDatabase({ dataDir }))
  mkdirSync(join(copyDir, "postgres"))
  execFileSync("cp", ["-a", join(dataDir, "postgres", "data"), join(copyDir, "postgres")])
  const { socketPath } = yield* embeddedDatabase({ dataDir })
  const primary = yield* overNetwork(socketPath)
  const [host, port] = (yield* overNetwork(socketPath)).host.split(":")
  const server = yield* standbyOn(copyDir, [`primary_conninfo=host=${host} port=${port} user=postgres`])
  return { primary, standby: { ...(yield* overNetwork(server.path)), start: server.start, stop: server.stop } }
})
