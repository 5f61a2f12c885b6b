/**
 * One PostgreSQL for the whole test run: the server of DATABASE_URL when there is one, else a temporary cluster of the
 * same programs that the service embeds, without crash safety, deleted afterwards.
 */
import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the server; its user may create databases. */
    readonly postgres: string
  }
}

export default async function setup({ provide }: TestProject) {
  const given = process.env["DATABASE_URL"]
  if (given !== undefined) return provide("postgres", given)
  const scope = Scope.makeUnsafe()
  const { socketPath } = await Effect.runPromise(Scope.provide(embeddedDatabase({}), scope))
  const folder = socketPath.slice(0, socketPath.lastIndexOf("/"))
  provide("postgres", `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
