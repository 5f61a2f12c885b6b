/** Timeouts of the listener, with shorter limits than the real ones in `listener.test.ts`. */
import type { RequestListener } from "node:http"
import { describe, expect, it } from "vitest"
import { clientOf, startListener } from "../support/boundedListener.ts"
import { pause, until } from "../support/until.ts"

const QUICK = {
  headersMillis: 300,
  requestMillis: 600,
  checkMillis: 50,
  keepAliveMillis: 100,
  stallMillis: 900,
  lingerMillis: 200
}
/** More than the buffers of both ends hold, so that most of it waits for its reader. */
const LARGE = Buffer.alloc(64 * 1024 * 1024)
const NO_BODY: RequestListener = (_, response) => response.end("whole")

const opening = (headers = "") => `GET / HTTP/1.1\r\nHost: a\r\n${headers}`

describe("a client that never closes its own end [F34]", () => {
  it.each([
    ["nothing", "", QUICK.headersMillis],
    ["half a head", opening("X-Slow: "), QUICK.headersMillis],
    ["half a second head", `${opening()}\r\n${opening("X-Slow: ")}`, QUICK.headersMillis],
    ["half a body", opening("Content-Length: 9\r\n\r\n{"), QUICK.requestMillis]
  ])("is disconnected soon after its 408, having sent %s", async (_, text, millis) => {
    const { connections, port } = await startListener(QUICK, (incoming, response) => {
      incoming.resume().on("end", () => response.end("whole"))
    })
    const client = await clientOf(port, text)
    expect(await until(async () => (await connections()) === 0)).toBeGreaterThan(millis - QUICK.checkMillis)
    expect(client.received()).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/)
  })
})

describe("a connection [F34]", () => {
  it("is served if its request arrived in time, even if the process was too busy to read it", async () => {
    const { port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port)
    await pause(QUICK.headersMillis - 2 * QUICK.checkMillis)
    client.socket.write(`${opening()}\r\n`)
    const late = performance.now() + 4 * QUICK.checkMillis
    while (performance.now() < late);
    await pause(QUICK.lingerMillis)
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it("is not served any more after its 408", async () => {
    const served: Array<string> = []
    const { connections, port } = await startListener(QUICK, (incoming) => served.push(incoming.url!))
    const client = await clientOf(port, opening())
    await until(() => client.received().includes(" 408 "))
    client.socket.write("\r\n")
    await until(async () => (await connections()) === 0)
    expect(served).toEqual([])
  })

  it.each([
    ["does not arrive", opening("Content-Length: 9\r\n\r\n{"), ""],
    ["is not HTTP", opening("Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"), "no chunk\r\n"]
  ])("is closed without a second answer if the rest of an answered request %s", async (_, text, rest) => {
    const { connections, port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port, text)
    await until(() => client.received().includes("whole"))
    client.socket.write(rest)
    await until(async () => (await connections()) === 0)
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 [\s\S]+whole$/)
  })

  it("is closed when it has been idle", async () => {
    const { connections, port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port, `${opening()}\r\n`)
    await until(async () => (await connections()) === 0)
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 [\s\S]+whole$/)
  })

  it("is answered in HTTP/1.1 if it requests an upgrade, and times out like any other", async () => {
    const { connections, port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port, opening("Connection: upgrade\r\nUpgrade: other\r\n\r\n"))
    await until(() => client.received().includes("whole"))
    client.socket.write(`${opening()}\r\n`)
    await until(() => client.received().match(/whole/g)?.length === 2)
    await until(async () => (await connections()) === 0)
  })

  it("is closed with its pipelined requests if it does not read its answer", async () => {
    const { connections, port } = await startListener(QUICK, (_, response) => response.end(LARGE))
    const client = await clientOf(port)
    client.socket.pause()
    client.socket.write(`${opening()}\r\n`.repeat(3))
    expect(await until(async () => (await connections()) === 0)).toBeGreaterThan(QUICK.stallMillis)
  })

  it("stays open while it reads slowly, and so does a stream with occasional events", async () => {
    const { port } = await startListener(QUICK, (incoming, response) => {
      if (incoming.headers["x-large"] !== undefined) return void response.end(LARGE)
      response.writeHead(200)
      const ticking = setInterval(() => response.write("tick"), QUICK.stallMillis / 3)
      response.on("close", () => clearInterval(ticking))
    })
    const [stream, reader] = [await clientOf(port, `${opening()}\r\n`), await clientOf(port)]
    reader.socket.write(opening("X-Large: yes\r\n\r\n"))
    for (let pauses = 0; pauses < 10; pauses++) {
      reader.socket.pause()
      await pause(QUICK.stallMillis / 3)
      reader.socket.resume()
      await new Promise((resolve) => reader.socket.once("data", resolve))
    }
    expect([stream.isClosed(), reader.isClosed()]).toEqual([false, false])
    expect(stream.received().match(/tick/g)!.length).toBeGreaterThan(4)
  })
})
