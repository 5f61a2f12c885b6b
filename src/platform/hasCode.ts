/** Whether something failed for a reason of the system or of the database, by its code: ENOENT, 23502. */
export const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
