/** Clients that ask and do not read: what they hold in memory, and for how long they may. */
import { ServerResponse } from "node:http"
import { describe, expect, it, vi } from "vitest"
import { boundedServer, MAX_CONNECTIONS, SOCKET_IDLE_MILLIS } from "../../src/http/server.ts"
import { KEEP_ALIVE_SECONDS } from "../../src/mcp/idleStreams.ts"
import { useService } from "../support/runningService.ts"

const service = useService()

describe("a large body", () => {
  it.each([
    ["/docs", "text/html", /^<!doctype html>[\s\S]+<\/html>$/],
    ["/v1/rules", "application/json", /^\{[\s\S]+\}$/]
  ])("of %s is the same bytes for everybody, not a copy for each", async (path, type, whole) => {
    const end = vi.spyOn(ServerResponse.prototype, "end")
    const responses = await Promise.all([service().call("GET", path), service().call("GET", path)])
    const bodies = end.mock.calls.map(([body]) => body)
    end.mockRestore()
    expect(bodies[0]).toBeInstanceOf(Uint8Array)
    expect(bodies[1]).toBe(bodies[0])
    for (const response of responses) {
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type])
      expect(await response.text()).toMatch(whole)
    }
  })
})

describe("a connection", () => {
  it("may be idle for a time that outlasts the pauses of an event stream, and is one of a bounded number", () => {
    const server = boundedServer("http://localhost")
    expect([server.timeout, server.maxConnections]).toEqual([SOCKET_IDLE_MILLIS, MAX_CONNECTIONS])
    expect(SOCKET_IDLE_MILLIS).toBeGreaterThanOrEqual(4 * KEEP_ALIVE_SECONDS * 1000)
    server.close()
  })
})
