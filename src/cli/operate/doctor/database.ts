/** The checks of the database: server, role, schema, pepper, clock and connections. Asked in a session like the service's. */
import { Clock, Effect } from "effect"
import { mostConnections } from "../../../database/client.ts"
import { roleCondition, serverClock, serverCondition } from "../../../database/condition.ts"
import { pepperOfDatabase } from "../../../database/installation.ts"
import { schemaVersion } from "../../../database/migrate.ts"
import { databaseObstacle } from "../../../database/postgres.ts"
import { schemaRemedy } from "../../../database/reader.ts"
import { OLDEST_SERVER } from "../../../database/server.ts"
import type { Settings } from "../../../platform/config.ts"
import { examine, ok, skipped, warning, wrong } from "./finding.ts"

const isOn = (setting: boolean): string => (setting ? "on" : "off")

/** A start is refused for the same, unless it is allowed by name. */
const server = (settings: Settings) =>
  Effect.map(serverCondition, ({ fsync, fullPageWrites, synchronousCommit, timeZone, version, versionNumber }) => {
    const said = `PostgreSQL ${version}, fsync ${isOn(fsync)}, full_page_writes ${isOn(fullPageWrites)}, synchronous_commit ${synchronousCommit}, ${timeZone}`
    if (versionNumber < OLDEST_SERVER) return wrong(said, "use PostgreSQL 15 or newer")
    const isFlushed = ["on", "remote_apply"].includes(synchronousCommit)
    if (!isFlushed) return wrong(said, "ALTER ROLE ... SET synchronous_commit = on: a crash may lose answers")
    const off = [...(fsync ? [] : ["fsync"]), ...(fullPageWrites ? [] : ["full_page_writes"])]
    const refused = off.filter((name) => !settings.databaseAllowOff.some((allowed) => allowed === name))
    if (refused.length > 0) return wrong(said, `switch ${refused.join(" and ")} on: a crash may lose answers`)
    if (timeZone !== "UTC") return wrong(said, "ALTER ROLE ... SET timezone = 'UTC'")
    return off.length > 0 ? warning(said, "a crash may lose answers, which DATABASE_ALLOW_OFF allows") : ok(said)
  })

/** Behind a pooler its own bounds count, which it tells its administrators alone. */
const connections = ({ databasePooling, databaseUrl }: Settings) =>
  Effect.map(serverCondition, ({ connections: places }) => {
    const needed = mostConnections(databaseUrl)
    if (databasePooling === "transaction")
      return skipped(`a pooler stands between: its max_client_conn has to let in the ${needed} of this service`)
    const said = `this service takes up to ${needed} of ${places}`
    return needed <= places ? ok(said) : wrong(said, "raise max_connections")
  })

const use = Effect.map(databaseObstacle, (obstacle) =>
  obstacle === null
    ? ok("it takes records")
    : wrong(obstacle, "keyed calls are answered with 503 until that is put right (docs/operating.md)")
)

const OWNS_TABLES = "so it could change recorded answers: use a role that owns nothing (docs/operating.md)"

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
  "set the one that it had; to rotate, put that one into SECRET_PEPPER_PREVIOUS; if it is lost: repay migrate --replace-pepper"

const pepper = Effect.map(pepperOfDatabase, (whose) => {
  if (whose === "present") return ok("SECRET_PEPPER is the one of this database")
  if (whose === "previous") return ok("the database has SECRET_PEPPER_PREVIOUS until the next start")
  if (whose === "none")
    return warning("the database has no fingerprint yet", "its first start takes SECRET_PEPPER for it")
  return wrong("SECRET_PEPPER is not the one of this database, so every key is refused", OTHER_PEPPER)
})

const MOST_APART_MILLIS = 1000
const MILLIS_PER_SECOND = 1000

/** The server was asked somewhere between the two readings of the clock here. */
const clock = Effect.gen(function* () {
  const before = yield* Clock.currentTimeMillis
  const there = yield* serverClock
  const after = yield* Clock.currentTimeMillis
  const apart = Math.abs(there - (before + after) / 2)
  const said = `${(apart / MILLIS_PER_SECOND).toFixed(1)} s from the database's`
  return apart - (after - before) / 2 <= MOST_APART_MILLIS
    ? ok(said)
    : warning(said, "keep both right (NTP): what was taken while one is ahead counts as made then")
})

/** Opens the first session, as each of the service is opened. */
export const reachable = Effect.as(serverClock, ok("it can be reached"))

/** Each check on its own; those that ask tables have nothing to ask where the schema is another. */
export const examineDatabase = Effect.fnUntraced(function* (settings: Settings) {
  const first = [
    yield* examine("server", server(settings)),
    yield* examine("connections", connections(settings)),
    yield* examine("clock", clock)
  ]
  const found = yield* examine("schema", schema)
  const isThere = found.state === "ok"
  const later = isThere
    ? [yield* examine("records", use), yield* examine("role", role(settings)), yield* examine("pepper", pepper)]
    : ["records", "role", "pepper"].map((check) => ({ check, ...skipped("the schema has to be right first") }))
  return { findings: [...first, found, ...later], isUsable: isThere }
})
