/** The face of the database: connecting, starting a server, waiting for it, and how it is. */

// Connections: of the settings, of an address, only for reading, and to the embedded server.

export { clientLayer, maxConnectionsOf, openSessions, startError } from "./client.ts"
export { DatabaseStartError, databaseAccount } from "./embedded/binaries.ts"
export { embeddedDatabase } from "./embedded/embedded.ts"
export { databaseAt, databaseLayer, databaseObstacle } from "./postgres.ts"
export { readerLayer, schemaRemedy } from "./reader.ts"
export { SESSION_SETTINGS, setSessionSettings } from "./sessionSettings.ts"

// How long a call may take, and which failures mean that the database is away.

export { connectionError, Deadlines, UNHURRIED, withDeadline } from "./deadline.ts"

// The server's condition, and the installation that a database belongs to.

export { newestRecord, roleCondition, serverClock, serverCondition } from "./condition.ts"
export { runningSocket } from "./embedded/running.ts"
export { PepperIsReplaced, pepperOfDatabase } from "./installation.ts"
export { schemaVersion } from "./migrate.ts"
export { OLDEST_SERVER } from "./server.ts"
