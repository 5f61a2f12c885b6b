/**
 * Which version of the ledger this is, and since when: made by `npm run x -- generate lock`, with the lock. The revision of
 * the engine is raised by hand.
 */

/**
 * Revision of the engine's figures, from 1. Raise it by one when a change of code moves a figure: the version covers it,
 * so that one version keeps one set of figures. test/golden.test.ts is red until then.
 */
export const engineRevision = 3

/** `rl1-<12 hex digits>`; changes when anything that is published changes. version.ts says how it is made. */
export const ruleVersion = "rl1-b89a4c379103"

/**
 * The instant at which this version was written to the lock, ISO 8601 in UTC. The law of the version is every newest
 * entry in force at this instant, whenever it is asked: one version keeps one set of figures.
 */
export const releasedAtUtc = "2026-11-24T18:47:58.388Z"
