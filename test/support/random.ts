/**
 * The number of cases and the seed of random tests: few cases in the first tier, many in the
 * second, which runs each file that imports this one again. PROPERTY_RUNS and PROPERTY_SEED
 * override them.
 */
const { PROPERTY_RUNS, PROPERTY_SEED, THOROUGH } = process.env

/** Set by the project `random` of vitest.config.ts. */
export const isThorough = THOROUGH !== undefined

export const runs = (few: number, many: number): number => Number(PROPERTY_RUNS ?? (isThorough ? many : few))

/** A fixed seed, unless PROPERTY_SEED is set. */
export const seedOr = (fixed: number): number => Number(PROPERTY_SEED ?? fixed)

/**
 * A fixed seed in the first tier, and a new one for each run of the second. fast-check prints the
 * seed of a failure.
 */
export const newSeedOr = (fixed: number): number => seedOr(isThorough ? Math.floor(Math.random() * 2 ** 31) : fixed)
