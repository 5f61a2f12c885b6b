/** Pipelining: how many requests a connection may send ahead, and invalid input among them. */
import type { RequestListener, ServerResponse } from "node:http"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Connections } from "../../src/http/connections.ts"
import { echo, QUIET_MILLIS, request, startListener } from "../support/boundedListener.ts"
import { pause, until } from "../support/until.ts"

const BROKEN_BODY = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"

describe("pipelined requests [F64]", () => {
  it("are answered in order, one after the other", async () => {
    const held: Array<ServerResponse> = []
    const { from } = await startListener({}, (_, response) => held.push(response))
    const client = await (await from("192.0.2.1"))([1, 2, 3].map((n) => request(`/${n}`)).join(""))
    for (const n of [1, 2, 3]) {
      await until(async () => held.length === n)
      await pause(QUIET_MILLIS)
      expect(held.map(({ req }) => req.url)).toEqual(["/1", "/2", "/3"].slice(0, n))
      held[n - 1]!.end(`<${n}>`)
    }
    await until(async () => client.received().includes("<3>"))
    expect(client.received().match(/<\d>/g)).toEqual(["<1>", "<2>", "<3>"])
    expect(client.isClosed()).toBe(false)
  })

  it("are accepted up to 16", async () => {
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))(request("/").repeat(16))
    await until(async () => client.received().match(/<\/>/g)?.length === 16)
    expect(client.isClosed()).toBe(false)
  })

  it("close the connection beyond 16, and only the first reaches the service", async () => {
    const started: Array<string> = []
    const { connections, from } = await startListener({}, (incoming, response) => {
      started.push(incoming.url!)
      response.end()
    })
    const client = await (await from("192.0.2.1"))(Array.from({ length: 1800 }, (_, n) => request(`/${n}`)).join(""))
    await until(async () => client.isClosed() && (await connections()) === 0)
    expect(started.filter((path) => path !== "/0")).toEqual([])
  })

  it("are not parsed beyond the 17th, even if all arrive in one packet", async () => {
    const parsed = vi.spyOn(Connections.prototype, "begin")
    onTestFinished(() => parsed.mockRestore())
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))("GET / HTTP/1.1\r\n\r\n".repeat(3600))
    await until(async () => client.isClosed())
    expect(parsed.mock.calls.length).toBe(17)
  })
})

describe("invalid input on a connection [F35]", () => {
  const slowly: RequestListener = (incoming, response) => {
    setTimeout(() => response.end(`<${incoming.url}>`), QUIET_MILLIS)
  }

  it.each([
    ["garbage", `${request("/first")}GARBAGE\r\n\r\n`, ["/first"]],
    ["garbage behind two", `${request("/first")}${request("/second")}GARBAGE\r\n\r\n`, ["/first", "/second"]],
    ["more than the request said", `${request("/first", "Connection: close\r\n")}${request("/second")}`, ["/first"]],
    ["a body that is none", `${request("/first")}${BROKEN_BODY}`, ["/first"]]
  ])("does not suppress the answers to complete requests before it: %s", async (_, text, paths) => {
    const { from } = await startListener({ headersMillis: 300, requestMillis: 300, checkMillis: 50 }, slowly)
    const client = await (await from("192.0.2.1"))(text)
    await until(async () => client.isClosed())
    expect([...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(
      paths.map(() => "200")
    )
    for (const path of paths) expect(client.received()).toContain(`<${path}>`)
  })

  it("is answered with 400 if it is the body of the first request", async () => {
    const { from } = await startListener({}, slowly)
    const client = await (await from("192.0.2.1"))(BROKEN_BODY)
    await until(async () => client.isClosed())
    expect(client.received()).toMatch(/^HTTP\/1\.1 400 /)
  })
})
