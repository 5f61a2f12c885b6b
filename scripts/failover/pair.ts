/**
 * A database primary with a synchronous standby, for tasks that kill the one and promote the other
 * under a running service.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/freePort.ts"
import { TEST_PEPPER, TEST_SIGNING_KEY } from "../../test/support/settings.ts"
import { until } from "../../test/support/until.ts"
import { run } from "../harness.ts"
import { clustersFolder, makeCluster, psql, type Server, serversFolder, startServer, untilTrue } from "../postgres.ts"

/** Generous: the log includes all records within seconds once the database is back. */
const LOG_SECONDS = 60

/** A commit waits until some standby has flushed it to disk. */
const SETTINGS = ["synchronous_standby_names=*", "synchronous_commit=on", "shared_buffers=32MB"]

const UNLOGGED_RECORDS = "((SELECT count(*) FROM answer) - (SELECT count(*) FROM log_entry))"

export const startPair = async (name: string) => {
  const home = clustersFolder(name)
  const ports = [await freePort(), await freePort()] as const
  let clusters = 0
  const start = async (port: number, ready: string, primary?: Server) => {
    const folder = serversFolder(join(home, String(++clusters)))
    await makeCluster(folder, primary)
    return startServer(folder, port, { ready, settings: SETTINGS })
  }
  let primary = await start(ports[0], "true")
  /** A streaming copy of the primary; returns once it is synchronous. */
  const newStandby = async (port: number) => {
    const started = await start(port, "pg_is_in_recovery()", primary)
    await untilTrue(primary.administrators, "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')")
    return started
  }
  let standby = await newStandby(ports[1])

  const hosts = ports.map((port) => `127.0.0.1:${port}`).join()
  const environment = {
    DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    SECRET_PEPPER: TEST_PEPPER,
    LOG_SIGNING_KEY: TEST_SIGNING_KEY
  }
  return {
    /** The settings of a service that uses whichever of the two is the primary. */
    environment,
    primaryUrl: () => primary.administrators,
    /** Kills the primary, promotes its standby, and builds the next standby in its place. */
    failOver: async () => {
      const lost = primary
      await lost.destroy()
      await psql(standby.administrators, "--command=SELECT pg_promote()")
      await untilTrue(standby.administrators, "NOT pg_is_in_recovery()")
      primary = standby
      standby = await newStandby(lost.port)
    },
    destroyStandby: () => standby.destroy(),
    replaceStandby: async () => {
      standby = await newStandby(standby.port)
    },
    /** Waits until the log contains every record, and audits it against an earlier checkpoint. */
    auditLog: async (checkpoint: string) => {
      await until(
        async () => (await psql(primary.administrators, `--command=SELECT ${UNLOGGED_RECORDS}`)) === "0",
        LOG_SECONDS
      )
      const kept = join(home, "checkpoint")
      writeFileSync(kept, checkpoint)
      await run([process.execPath, "src/cli/main.ts", "audit", "--checkpoint", kept], { env: environment })
    }
  }
}
