/** Which version of the ledger this is, and since when: written by scripts/ledger-lock.ts with the lock. */

/** `rl1-<12 hex digits>`; changes when anything that is published changes. version.ts says how it is made. */
export const ruleVersion = "rl1-d4defb0de674"

/**
 * The instant at which this version was written to the lock, ISO 8601 in UTC. The law of the version is every newest
 * entry in force at this instant, whenever it is asked: one version keeps one set of figures.
 */
export const releasedAtUtc = "2026-11-21T15:03:19.114Z"
