/**
 * The embedded PostgreSQL: a scoped server on a Unix socket below the data folder, with nothing to
 * install. It is restarted when it dies, and shared with other processes of this machine, one of
 * which takes over when its owner ends. It stops with its owner, even if that is killed. It opens
 * no network port and makes no backups.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { Deferred, Effect, Schedule, type Scope } from "effect"
import { DatabaseStartError, databaseAccount, databasePrograms } from "./binaries.ts"
import { openCluster } from "./cluster.ts"
import { type Cluster, serverState, stalePid } from "./serverState.ts"
import { temporaryHome } from "./temporaryCluster.ts"

interface EmbeddedDatabase {
  readonly socketPath: string
}

/** Replaying the write-ahead log after a crash may take a while, but not longer. */
const START_MILLISECONDS = 60_000
const STOP_MILLISECONDS = 10_000
const POLL = "10 millis"
const GUEST_POLL = "500 millis"
const ATTEMPTS = 5
const LOG_CHARACTERS = 4000

/**
 * The shell reads from a pipe that this process holds open. However the process dies, the pipe
 * closes, and the shell signals a fast shutdown to the server. The server has its own session, so
 * Ctrl-C reaches only this process.
 */
const SUPERVISE = `exec 3<&0
"$@" </dev/null 3<&- & server=$!
(cat <&3; kill -INT $server) >/dev/null 2>&1 & watcher=$!
wait $server; status=$?
kill $watcher 2>/dev/null
exit $status`

/** For a temporary cluster, which is gone before a crash or a vacuum matters. */
const TEMPORARY = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off" }

const serverArguments = (postgres: string, cluster: Cluster, durable: boolean): ReadonlyArray<string> => {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: cluster.socketFolderForServer,
    unix_socket_permissions: "0700",
    max_connections: "100",
    max_wal_size: "512MB",
    log_min_messages: "fatal",
    log_min_error_statement: "panic",
    ...(durable ? {} : TEMPORARY)
  }
  return [
    postgres,
    "-D",
    cluster.folderForServer,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  ]
}

/**
 * PostgreSQL ignores a pid file that names one of its own ancestors and relies on its other guard,
 * the earlier server's shared memory. pg_ctl names itself this way; here it is a process that is no
 * server.
 */
const staleServerEnvironment = (pid: number | undefined) =>
  pid === undefined ? {} : { PG_GRANDPARENT_PID: String(pid) }

interface Server {
  readonly child: ChildProcess
  /** Completes with the last lines of the server's log once it has ended. */
  readonly ended: Deferred.Deferred<string>
}

const launch = (postgres: string, cluster: Cluster, durable: boolean): Effect.Effect<Server> =>
  Effect.sync(() => {
    const ended = Deferred.makeUnsafe<string>()
    const child = spawn("/bin/sh", ["-c", SUPERVISE, "sh", ...serverArguments(postgres, cluster, durable)], {
      ...databaseAccount,
      cwd: cluster.folder,
      detached: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", ...staleServerEnvironment(stalePid(cluster)) },
      stdio: ["pipe", "ignore", "pipe"]
    })
    let log = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-LOG_CHARACTERS)
    })
    child.stdin?.on("error", () => undefined)
    const end = (lastLines: string) => {
      child.stdin?.destroy()
      Deferred.doneUnsafe(ended, Effect.succeed(lastLines))
    }
    child.once("error", (error) => end(error.message))
    child.once("exit", () => end(log.trim().split("\n").slice(-2).join(" / ")))
    return { child, ended }
  })

/** Fast shutdown; after a timeout an immediate one, which leaves the write-ahead log to replay. */
const stop = ({ child, ended }: Server): Effect.Effect<void> =>
  Effect.sync(() => child.stdin?.end()).pipe(
    Effect.andThen(Deferred.await(ended)),
    Effect.timeoutOrElse({
      duration: STOP_MILLISECONDS,
      orElse: () =>
        Effect.sync(() => {
          if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGQUIT")
        })
    }),
    Effect.asVoid
  )

const untilReady = (cluster: Cluster) =>
  serverState(cluster).pipe(Effect.repeat({ until: (state) => state === "ready", schedule: Schedule.spaced(POLL) }))

const untilNotBusy = (cluster: Cluster) =>
  serverState(cluster).pipe(Effect.repeat({ until: (state) => state !== "busy", schedule: Schedule.spaced(POLL) }))

const tooSlow = () =>
  Effect.fail(
    new DatabaseStartError({
      message: `The embedded database did not become ready within ${START_MILLISECONDS / 1000} s; look into DATA_DIR/postgres`
    })
  )

/** The running server if it is a child of this process; undefined if another process runs it. */
type Serving = Server | undefined

/**
 * One attempt to start. If two processes race, PostgreSQL's lock lets one win; the other retries.
 */
const serveOnce = Effect.fnUntraced(function* (postgres: string, cluster: Cluster, durable: boolean) {
  const state = yield* untilNotBusy(cluster)
  if (state === "ready") return undefined
  const server = yield* launch(postgres, cluster, durable)
  const failed = Deferred.await(server.ended).pipe(
    Effect.flatMap((lastLines) =>
      Effect.fail(
        new DatabaseStartError({ message: `The embedded database did not start on ${cluster.folder}: ${lastLines}` })
      )
    )
  )
  yield* Effect.raceFirst(untilReady(cluster), failed).pipe(Effect.onInterrupt(() => stop(server)))
  // The ready server may be another process's and ours about to fail. Then it ends, and the guard
  // checks again.
  return server
})

const serve = (postgres: string, cluster: Cluster, durable: boolean): Effect.Effect<Serving, DatabaseStartError> =>
  serveOnce(postgres, cluster, durable).pipe(
    Effect.retry({ times: ATTEMPTS - 1, schedule: Schedule.exponential("100 millis") }),
    Effect.timeoutOrElse({ duration: START_MILLISECONDS, orElse: tooSlow })
  )

/** Returns when the running server has ended, whichever process started it. */
const untilGone = (cluster: Cluster, serving: Serving): Effect.Effect<unknown> =>
  serving === undefined
    ? serverState(cluster).pipe(
        Effect.repeat({ until: (state) => state !== "ready", schedule: Schedule.spaced(GUEST_POLL) })
      )
    : Deferred.await(serving.ended)

/** Restarts the server whenever it ends, forever. */
const guard = Effect.fnUntraced(function* (
  first: Serving,
  again: Effect.Effect<Serving, DatabaseStartError>,
  cluster: Cluster
) {
  let serving = first
  while (true) {
    const lastLines = yield* untilGone(cluster, serving)
    yield* Effect.logWarning("The embedded database ended and is restarted").pipe(
      Effect.annotateLogs("server", String(lastLines))
    )
    serving = yield* again.pipe(
      Effect.tapError((error) => Effect.logError(error.message)),
      Effect.retry({ schedule: Schedule.spaced("2 seconds") })
    )
  }
})

const homeOf = (dataDir: string): string => join(dataDir, "postgres")

/**
 * Runs a database while the scope is open. Without `dataDir` it is a temporary cluster without
 * crash safety, which is faster: for tests only.
 */
export const embeddedDatabase = Effect.fnUntraced(function* (options: {
  readonly dataDir?: string
}): Effect.fn.Return<EmbeddedDatabase, DatabaseStartError, Scope.Scope> {
  const durable = options.dataDir !== undefined
  const dataDir = options.dataDir ?? (yield* temporaryHome)
  const { initdb, postgres } = yield* databasePrograms(dataDir)
  const cluster = yield* openCluster(homeOf(dataDir), initdb, durable)
  let serving: Serving
  const again = Effect.tap(serve(postgres, cluster, durable), (next) =>
    Effect.sync(() => {
      serving = next
    })
  )
  yield* Effect.addFinalizer(() => (serving === undefined ? Effect.void : stop(serving)))
  const first = yield* again
  yield* Effect.forkScoped(guard(first, again, cluster))
  return { socketPath: cluster.socketPath }
})
