/** How many requests a connection may send ahead, and what follows a whole request without being one. */
import type { RequestListener, ServerResponse } from "node:http"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Connections } from "../../src/http/connections.ts"
import { startListener } from "../support/boundedListener.ts"
import { pause, until } from "../support/until.ts"

/** For what was sent to be heard, and for a connection that stays open to be closed after all. */
const QUIET_MILLIS = 100

const request = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const BROKEN_BODY = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"

/** Answers with the path; one that begins with "/hold" is being answered for ever, "/stream" after its head. */
const echo: RequestListener = (asked, response) => {
  if (asked.url === "/stream") response.writeHead(200).write(": begun\n\n")
  else if (!asked.url!.startsWith("/hold")) asked.resume().on("end", () => response.end(`<${asked.url}>`))
}

describe("requests sent ahead of their answers [F64]", () => {
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

  it("may be 16", async () => {
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))(request("/").repeat(16))
    await until(async () => client.received().match(/<\/>/g)?.length === 16)
    expect(client.isClosed()).toBe(false)
  })

  it("end the connection when they are more, and no more than the first is even looked at", async () => {
    const heard: Array<string> = []
    const { connections, from } = await startListener({}, (asked, response) => {
      heard.push(asked.url!)
      response.end()
    })
    const client = await (await from("192.0.2.1"))(Array.from({ length: 1800 }, (_, n) => request(`/${n}`)).join(""))
    await until(async () => client.isClosed() && (await connections()) === 0)
    expect(heard.filter((path) => path !== "/0")).toEqual([])
  })

  it("are parsed as far as that and no further, though they come in one piece", async () => {
    const parsed = vi.spyOn(Connections.prototype, "begin")
    onTestFinished(() => parsed.mockRestore())
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))("GET / HTTP/1.1\r\n\r\n".repeat(3600))
    await until(async () => client.isClosed())
    expect(parsed.mock.calls.length).toBe(17)
  })
})

describe("what is no HTTP, behind a request that came whole, [F35]", () => {
  const slowly: RequestListener = (asked, response) => {
    setTimeout(() => response.end(`<${asked.url}>`), QUIET_MILLIS)
  }

  it.each([
    ["garbage", `${request("/first")}GARBAGE\r\n\r\n`, ["/first"]],
    ["garbage behind two", `${request("/first")}${request("/second")}GARBAGE\r\n\r\n`, ["/first", "/second"]],
    ["more than the request said", `${request("/first", "Connection: close\r\n")}${request("/second")}`, ["/first"]],
    ["a body that is none", `${request("/first")}${BROKEN_BODY}`, ["/first"]]
  ])("does not take its answer: %s", async (_, text, paths) => {
    const { from } = await startListener({ headersMillis: 300, requestMillis: 300, checkMillis: 50 }, slowly)
    const client = await (await from("192.0.2.1"))(text)
    await until(async () => client.isClosed())
    expect([...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(
      paths.map(() => "200")
    )
    for (const path of paths) expect(client.received()).toContain(`<${path}>`)
  })

  it("is answered itself when it is the body of the request", async () => {
    const { from } = await startListener({}, slowly)
    const client = await (await from("192.0.2.1"))(BROKEN_BODY)
    await until(async () => client.isClosed())
    expect(client.received()).toMatch(/^HTTP\/1\.1 400 /)
  })
})
