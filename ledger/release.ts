/**
 * The version of the ledger and the instant of its release. `npm run x -- generate lock` writes
 * both, together with ledger.lock.json. The engine's revision is raised by hand.
 */

/**
 * Revision of the engine's figures, from 1. Raise it by one when a change of code changes a figure;
 * test/golden.test.ts fails until then. The version includes it, so one version has one set of
 * figures.
 */
export const engineRevision = 4

/** `rl1-<12 hex digits>`, a hash of everything published. version.ts computes it. */
export const ruleVersion = "rl1-817eaec25dd2"

/**
 * The instant at which this version was written to ledger.lock.json, ISO 8601 in UTC. Answers use
 * the entries in force at this instant, not at the time of the request.
 */
export const releasedAtUtc = "2026-11-29T11:31:59.285Z"
