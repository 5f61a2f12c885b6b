/** How long a connection may take its time: with shorter limits than the real ones, which `listener.test.ts` holds. */
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

describe("a client that never closes its own end is gone soon after its 408 [F34]", () => {
  it.each([
    ["nothing", "", QUICK.headersMillis],
    ["half a head", opening("X-Slow: "), QUICK.headersMillis],
    ["half a second head", `${opening()}\r\n${opening("X-Slow: ")}`, QUICK.headersMillis],
    ["half a body", opening("Content-Length: 9\r\n\r\n{"), QUICK.requestMillis]
  ])("having sent %s", async (_, text, millis) => {
    const { connections, port } = await startListener(QUICK, (asked, response) => {
      asked.resume().on("end", () => response.end("whole"))
    })
    const client = await clientOf(port, text)
    expect(await until(async () => (await connections()) === 0)).toBeGreaterThan(millis - QUICK.checkMillis)
    expect(client.received()).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/)
  })
})

describe("a connection [F34]", () => {
  it("that was opened ahead of need is heard, though the process was too busy to listen before its time was over", async () => {
    const { port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port)
    await pause(QUICK.headersMillis - 2 * QUICK.checkMillis)
    client.socket.write(`${opening()}\r\n`)
    const late = performance.now() + 4 * QUICK.checkMillis
    while (performance.now() < late);
    await pause(QUICK.lingerMillis)
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it("that was told it came too late is not heard any more", async () => {
    const heard: Array<string> = []
    const { connections, port } = await startListener(QUICK, (asked) => heard.push(asked.url!))
    const client = await clientOf(port, opening())
    await until(() => client.received().includes(" 408 "))
    client.socket.write("\r\n")
    await until(async () => (await connections()) === 0)
    expect(heard).toEqual([])
  })

  it("that is kept alive ends after a pause", async () => {
    const { connections, port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port, `${opening()}\r\n`)
    await until(async () => (await connections()) === 0)
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 [\s\S]+whole$/)
  })

  it("that asks for another protocol is answered in this one, and kept no longer than any other", async () => {
    const { connections, port } = await startListener(QUICK, NO_BODY)
    const client = await clientOf(port, opening("Connection: upgrade\r\nUpgrade: other\r\n\r\n"))
    await until(() => client.received().includes("whole"))
    client.socket.write(`${opening()}\r\n`)
    await until(() => client.received().match(/whole/g)?.length === 2)
    await until(async () => (await connections()) === 0)
  })

  it("that does not read its answer ends, and with it what it kept waiting", async () => {
    const { connections, port } = await startListener(QUICK, (_, response) => response.end(LARGE))
    const client = await clientOf(port)
    client.socket.pause()
    client.socket.write(`${opening()}\r\n`.repeat(3))
    expect(await until(async () => (await connections()) === 0)).toBeGreaterThan(QUICK.stallMillis)
  })

  it("that reads slowly goes on, and so does a stream that says something now and then", async () => {
    const { port } = await startListener(QUICK, (asked, response) => {
      if (asked.headers["x-large"] !== undefined) return void response.end(LARGE)
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
