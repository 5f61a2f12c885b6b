/**
 * The database checks of `repay doctor`: server, role, schema, pepper, clock and connections. They
 * run in a session like the service's.
 */
import { Clock, Effect } from "effect"
import {
  databaseObstacle,
  maxConnectionsOf,
  newestRecord,
  OLDEST_SERVER,
  pepperOfDatabase,
  roleCondition,
  schemaRemedy,
  schemaVersion,
  serverClock,
  serverCondition
} from "../../../database/index.ts"
import type { Settings } from "../../../platform/config.ts"
import { examine, ok, skipped, warning, wrong } from "./finding.ts"

const isOn = (setting: boolean): string => (setting ? "on" : "off")

/** The server's version and settings. DATABASE_ALLOW_OFF permits some that may lose answers. */
const server = (settings: Settings) =>
  Effect.map(serverCondition, ({ fsync, fullPageWrites, synchronousCommit, timeZone, version, versionNumber }) => {
    const detail = `PostgreSQL ${version}, fsync ${isOn(fsync)}, full_page_writes ${isOn(fullPageWrites)}, synchronous_commit ${synchronousCommit}, ${timeZone}`
    if (versionNumber < OLDEST_SERVER) return wrong(detail, "use PostgreSQL 15 or newer")
    const isFlushed = ["on", "remote_apply"].includes(synchronousCommit)
    if (!isFlushed) return wrong(detail, "ALTER ROLE ... SET synchronous_commit = on: a crash may lose answers")
    const off = [...(fsync ? [] : ["fsync"]), ...(fullPageWrites ? [] : ["full_page_writes"])]
    const refused = off.filter((name) => !settings.databaseAllowOff.some((allowed) => allowed === name))
    if (refused.length > 0) return wrong(detail, `switch ${refused.join(" and ")} on: a crash may lose answers`)
    if (timeZone !== "UTC") return wrong(detail, "ALTER ROLE ... SET timezone = 'UTC'")
    return off.length > 0 ? warning(detail, "a crash may lose answers, which DATABASE_ALLOW_OFF allows") : ok(detail)
  })

/** Behind a pooler, the pooler's own limits count. Only its administrators can query them. */
const connections = ({ databasePooling, databaseUrl }: Settings) =>
  Effect.map(serverCondition, ({ connections: places }) => {
    const needed = maxConnectionsOf(databaseUrl)
    if (databasePooling === "transaction")
      return skipped(`sessions go through a pooler: its max_client_conn must allow the ${needed} of this service`)
    const detail = `this service uses up to ${needed} of ${places}`
    return needed <= places ? ok(detail) : wrong(detail, "raise max_connections")
  })

const MAX_SKEW_MILLIS = 1000
const MILLIS_PER_SECOND = 1000

const records = Effect.gen(function* () {
  const obstacle = yield* databaseObstacle
  if (obstacle !== null) return wrong(obstacle, "fix this first: keyed calls get 503 until then (docs/incidents.md)")
  const ahead = (yield* newestRecord) - (yield* Clock.currentTimeMillis)
  return ahead <= MAX_SKEW_MILLIS
    ? ok("its role may record; /ready says whether it does now")
    : warning(
        `the newest record is ${Math.round(ahead / MILLIS_PER_SECOND)} s in the future`,
        "a clock is wrong or was: synchronize it with NTP (docs/incidents.md)"
      )
})

const OWNS_TABLES = "so it could change recorded answers: use a role that owns nothing (docs/database.md)"

const role = ({ databaseUrl }: Settings) =>
  Effect.map(roleCondition, ({ isOwner, isSuperuser, mayUpdate, mayWrite, name }) => {
    if (databaseUrl === null) return ok("the embedded database is the service's own")
    if (isSuperuser) return warning(`${name} is a superuser`, OWNS_TABLES)
    if (isOwner) return warning(`${name} owns the tables`, OWNS_TABLES)
    const rights = [
      { may: "update", right: "UPDATE", tables: mayUpdate.join(", ") },
      { may: "write to", right: "INSERT, UPDATE", tables: mayWrite.join(", ") }
    ].filter(({ tables }) => tables !== "")
    if (rights.length === 0) return ok(`${name} owns nothing`)
    return warning(
      `${name} may ${rights.map(({ may, tables }) => `${may} ${tables}`).join(", and ")}`,
      rights.map(({ right, tables }) => `REVOKE ${right} ON ${tables} FROM ${name}`).join("; ")
    )
  })

const schema = Effect.map(schemaVersion, (version) => {
  const remedy = schemaRemedy(version)
  return remedy === null
    ? ok(`migration ${version.applied}, as this release needs`)
    : wrong(`migration ${version.applied}`, remedy)
})

const OTHER_PEPPER =
  "set this database's pepper; to rotate, put the old pepper into SECRET_PEPPER_PREVIOUS; if it is lost, run repay migrate --replace-pepper"

const pepper = Effect.map(pepperOfDatabase, (match) => {
  if (match === "present") return ok("SECRET_PEPPER is the one of this database")
  if (match === "previous") return ok("the database uses SECRET_PEPPER_PREVIOUS until the next start")
  if (match === "none")
    return warning("the database has no fingerprint yet", "start the service: it then adopts SECRET_PEPPER")
  return wrong("SECRET_PEPPER is not the one of this database, so every key is refused", OTHER_PEPPER)
})

/** The server read its clock at some time between the two local readings. */
const clock = Effect.gen(function* () {
  const before = yield* Clock.currentTimeMillis
  const there = yield* serverClock
  const after = yield* Clock.currentTimeMillis
  const skew = Math.abs(there - (before + after) / 2)
  const detail = `${(skew / MILLIS_PER_SECOND).toFixed(1)} s from the database's`
  return skew - (after - before) / 2 <= MAX_SKEW_MILLIS
    ? ok(detail)
    : warning(detail, "synchronize both clocks with NTP: until then, records get a wrong time")
})

/** Opens the first session, as the service does. */
export const reachable = Effect.as(serverClock, ok("it can be reached"))

/**
 * Checks are independent. Those that query tables are skipped unless the schema is this release's.
 */
export const examineDatabase = Effect.fnUntraced(function* (settings: Settings) {
  const first = [
    yield* examine("server", server(settings)),
    yield* examine("connections", connections(settings)),
    yield* examine("clock", clock)
  ]
  const schemaFinding = yield* examine("schema", schema)
  const isCurrent = schemaFinding.state === "ok"
  const later = isCurrent
    ? [yield* examine("records", records), yield* examine("role", role(settings)), yield* examine("pepper", pepper)]
    : ["records", "role", "pepper"].map((check) => ({ check, ...skipped("the schema has to be right first") }))
  return { findings: [...first, schemaFinding, ...later], isUsable: isCurrent }
})
