/** Whether something failed for a reason of the system, by its code, such as ENOENT. */
export const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
