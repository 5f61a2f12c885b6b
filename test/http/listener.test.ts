/** The limits of the listener. `listener.system.test.ts` tests their effects. */
import { expect, it } from "vitest"
import { boundedServer, LISTENER_LIMITS } from "../../src/http/listener.ts"
import { KEEP_ALIVE_SECONDS } from "../../src/mcp/idleStreams.ts"

it("the listener allows 10 s for a head, 15 s for a request, 40 s for a stalled answer, 65 s between requests, and 2,000 connections", () => {
  const server = boundedServer("http://localhost")
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    timeout: 20_000,
    keepAliveTimeout: 65_000,
    maxHeadersCount: 100
  })
  expect(LISTENER_LIMITS).toMatchObject({
    connections: 2_000,
    connectionsPerAddress: 256,
    unanswered: 16,
    heldBytes: 67_108_864,
    checkMillis: 1_000,
    lingerMillis: 1_000
  })
  expect(LISTENER_LIMITS.stallMillis).toBeGreaterThan(KEEP_ALIVE_SECONDS * 1000)
  server.close()
})
