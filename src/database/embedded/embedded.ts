/**
 * The embedded PostgreSQL: a server on a Unix socket below the data folder, with nothing to
 * install. It stops with the process that started it, its owner, even if the owner is killed. A
 * server that dies is restarted. Other processes on this machine share it, and one of them takes
 * over when the owner ends. It opens no network port and makes no backups.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { Deferred, Effect, Schedule, type Scope } from "effect"
import { DatabaseStartError, databaseAccount, databasePrograms } from "./binaries.ts"
import { openCluster } from "./cluster.ts"
import { type Cluster, removeDamagedLocks, serverState, stalePid } from "./serverState.ts"
import { temporaryHome } from "./temporaryCluster.ts"

interface EmbeddedDatabase {
  readonly socketPath: string
}

/** Enough time to replay the write-ahead log after a crash. */
const START_MILLISECONDS = 60_000
const STOP_MILLISECONDS = 10_000
const POLL = "10 millis"
const GUEST_POLL = "500 millis"
const ATTEMPTS = 5
const LOG_CHARACTERS = 4000

/**
 * A shell script that stops the server when this process dies. The shell reads from a pipe that
 * this process holds open. When the pipe closes, the shell requests a fast shutdown of the server.
 * The server runs in its own process session, so Ctrl-C reaches only this process.
 */
const SUPERVISE = `exec 3<&0
"$@" </dev/null 3<&- & server=$!
(cat <&3; kill -INT $server) >/dev/null 2>&1 & watcher=$!
wait $server; status=$?
kill $watcher 2>/dev/null
exit $status`

/** PostgreSQL splits this list at commas, outside double quotes. */
const asSingleFolder = (folder: string): string => `"${folder.replaceAll('"', '""')}"`

/** Settings of a temporary cluster, which is deleted before crash safety or a vacuum matters. */
const TEMPORARY = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off" }

const serverArguments = (postgres: string, cluster: Cluster, durable: boolean): ReadonlyArray<string> => {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: asSingleFolder(cluster.socketFolderForServer),
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
 * Lets the server start although its stale pid file names a live process, which is not a server.
 * PostgreSQL ignores a pid file with the pid in this variable, in which pg_ctl passes its parent's.
 * A second server on the folder still fails, because the first one's shared memory is in use.
 */
const staleServerEnvironment = (pid: number | undefined) =>
  pid === undefined ? {} : { PG_GRANDPARENT_PID: String(pid) }

interface Server {
  readonly child: ChildProcess
  /** Completes with the last lines of the server's log once the server has ended. */
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

/**
 * Requests a fast shutdown. After a timeout, an immediate shutdown follows, and the next start
 * replays the write-ahead log.
 */
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
      message: `The embedded database cannot start: it was not ready within ${START_MILLISECONDS / 1000} s; look into DATA_DIR/postgres`
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
  if (state === "damaged") {
    return yield* new DatabaseStartError({
      message: `The embedded database cannot start: a server runs on ${cluster.folder}, and its lock file postmaster.pid is damaged; end the service or command that runs it, then start again`
    })
  }
  const server = yield* launch(postgres, cluster, durable)
  const failed = Deferred.await(server.ended).pipe(
    Effect.tap(() => removeDamagedLocks(cluster)),
    Effect.flatMap((lastLines) =>
      Effect.fail(
        new DatabaseStartError({ message: `The embedded database cannot start: ${cluster.folder}: ${lastLines}` })
      )
    )
  )
  yield* Effect.raceFirst(untilReady(cluster), failed).pipe(Effect.onInterrupt(() => stop(server)))
  // The ready server may belong to another process, while ours is about to fail. Ours then ends,
  // and `guard` checks again.
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
    yield* Effect.logWarning("The embedded database stopped; restarting it").pipe(
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
 * Runs a database while the scope is open. Without `dataDir` the cluster is temporary and has no
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
