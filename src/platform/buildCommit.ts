/**
 * The commit that this was built from. `npm run build` writes it into the package; null in a
 * checkout, where the service asks git (config.ts).
 */
export const buildCommit: string | null = null
