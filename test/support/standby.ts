/** A server that follows no other: it answers questions, takes no writes, and can be promoted. */
import { spawn } from "node:child_process"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { databaseAccount, databasePrograms } from "../../src/database/embedded/binaries.ts"
import { openCluster } from "../../src/database/embedded/cluster.ts"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"

/** A folder for a database, gone with the scope. */
export const dataFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "repayment-data-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A database made once, its server then started as a standby that waits for a primary; where it listens. */
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
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(postgres, args, how)),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGQUIT")
      })
  )
  return cluster.socketPath
})
