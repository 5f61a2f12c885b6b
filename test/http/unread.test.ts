/** Memory held for clients that do not read. listener.system.test.ts tests their timeouts. */
import { ServerResponse } from "node:http"
import { describe, expect, it, vi } from "vitest"
import { useService } from "../support/runningService.ts"

const service = useService()

describe("a large body [F64]", () => {
  it.each([
    ["/docs", "text/html", /^<!doctype html>[\s\S]+<\/html>$/],
    ["/v1/rules", "application/json", /^\{[\s\S]+\}$/],
    ["/openapi.json", "application/json", /^\{[\s\S]+\}$/],
    ["/", "text/html; charset=utf-8", /^<!doctype html>[\s\S]+<\/html>\s*$/],
    ["/page.js", "text/javascript; charset=utf-8", /./],
    ["/worker.js", "text/javascript; charset=utf-8", /./],
    ["/problems/validation", "text/html; charset=utf-8", /^<!doctype html>[\s\S]+<\/html>\s*$/],
    ["/rules", "text/html; charset=utf-8", /^<!doctype html>[\s\S]+<\/html>\s*$/],
    ["/rules/rap-base-payment-bands", "text/html; charset=utf-8", /^<!doctype html>[\s\S]+<\/html>\s*$/]
  ])("of %s is one buffer shared by all responses, not a copy for each", async (path, type, whole) => {
    const end = vi.spyOn(ServerResponse.prototype, "end")
    const responses = await Promise.all([service().call("GET", path), service().call("GET", path)])
    // Another file's service may end a response in this process meanwhile.
    const ofPath = end.mock.contexts.map((response) => (response as ServerResponse).req.url === path)
    const bodies = end.mock.calls.filter((_, index) => ofPath[index]).map(([body]) => body)
    end.mockRestore()
    expect(bodies[0]).toBeInstanceOf(Uint8Array)
    expect(bodies[1]).toBe(bodies[0])
    for (const response of responses) {
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type])
      expect(await response.text()).toMatch(whole)
    }
  })
})
