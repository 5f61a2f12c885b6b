/** The commit that this was built from: `npm run build` writes it into the package; a checkout does not know it. */
export const buildCommit: string | null = null
