/**
 * One PostgreSQL for the whole test run: the server of DATABASE_URL when there is one, else a temporary cluster of the
 * same programs that the service embeds, without crash safety, deleted afterwards. With POOLED set, the services under
 * test reach it through a pooler.
 */
import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { embeddedDatabase } from "../../src/database/embedded/embedded.ts"
import { openPooler } from "./pooler.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the server; its user may create databases. */
    readonly postgres: string
    /** Address of the pooler in front of it; null without one. */
    readonly pooler: string | null
  }
}

/** More than one service holds up at a time, and fewer than two ask for. */
const SESSIONS = 30
const POOLED = process.env["POOLED"] !== undefined

/** The server's address, for as long as the scope is open. */
const server = Effect.gen(function* () {
  const given = process.env["DATABASE_URL"]
  if (given !== undefined) return given
  const { socketPath } = yield* embeddedDatabase({})
  const folder = socketPath.slice(0, socketPath.lastIndexOf("/"))
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
})

const poolerOf = (address: string) =>
  Effect.acquireRelease(
    Effect.promise(() => openPooler(address, SESSIONS)),
    ({ close }) => Effect.promise(close)
  )

export default async function setup({ provide }: TestProject) {
  const scope = Scope.makeUnsafe()
  const address = await Effect.runPromise(Scope.provide(server, scope))
  provide("postgres", address)
  const pooler = POOLED ? await Effect.runPromise(Scope.provide(poolerOf(address), scope)) : null
  provide("pooler", pooler?.urlOf(address) ?? null)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
