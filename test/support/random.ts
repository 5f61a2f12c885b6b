/**
 * How many cases a random test draws, and from which seed: few in the first tier, many in the second, which runs each
 * file that imports this one again. PROPERTY_RUNS gives another number, PROPERTY_SEED another seed.
 */
const { PROPERTY_RUNS, PROPERTY_SEED, THOROUGH } = process.env

/** Set by the project `random` of vitest.config.ts. */
export const isThorough = THOROUGH !== undefined

export const runs = (few: number, many: number): number => Number(PROPERTY_RUNS ?? (isThorough ? many : few))

/** The same cases each time, unless PROPERTY_SEED is given. */
export const seedOr = (fixed: number): number => Number(PROPERTY_SEED ?? fixed)

/** The same cases each time in the first tier, others each time in the second. fast-check prints the seed of a failure. */
export const newSeedOr = (fixed: number): number => seedOr(isThorough ? Math.floor(Math.random() * 2 ** 31) : fixed)
