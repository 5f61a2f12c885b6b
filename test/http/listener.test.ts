/** The limits of the listener. `listener.system.test.ts` shows what they do. */
import { expect, it } from "vitest"
import { boundedServer, LISTENER_LIMITS } from "../../src/http/listener.ts"
import { KEEP_ALIVE_SECONDS } from "../../src/mcp/idleStreams.ts"

it("gives 10 seconds for a head, 15 for a request, 40 for a stalled answer, 65 between two, and 2,000 places", () => {
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
