/** Whether an error has this code of the system or the database, such as ENOENT or 23502. */
export const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
