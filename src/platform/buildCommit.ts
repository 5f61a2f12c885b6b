/**
 * The commit that this was built from. `npm run build` writes it into the package; in a checkout it
 * is unknown.
 */
export const buildCommit: string | null = null
