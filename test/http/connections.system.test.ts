/** Bounds on connections and unread bodies, and the connection that is closed to make room. */
import { IncomingMessage } from "node:http"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { type Client, echo, QUIET_MILLIS, request, startListener } from "../support/boundedListener.ts"
import { pause, until } from "../support/until.ts"

const BOUNDS = { connections: 5, connectionsPerAddress: 3 }
const HALF_A_HEAD = "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "
const HALF_A_BODY = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"

const answered = (client: Client) => until(async () => client.received().includes("200 OK"))
const openOf = async (clients: ReadonlyArray<Client>) => {
  await pause(QUIET_MILLIS)
  return clients.map((client) => !client.isClosed())
}

/** Opens as many connections as an address may have, one after the other, each with the text. */
const crowd = async (open: (text?: string) => Promise<Client>, text: string) => {
  const clients: Array<Client> = []
  while (clients.length < BOUNDS.connectionsPerAddress) {
    clients.push(await open(text))
    await pause(QUIET_MILLIS)
  }
  return clients
}

describe("a new connection from an address at its limit", () => {
  it.each([
    ["silent", ""],
    ["half a head", HALF_A_HEAD],
    ["kept alive", request("/")],
    ["half a body", HALF_A_BODY],
    ["an event stream", request("/stream")]
  ])("replaces the connection that has been idle longest: %s", async (_, text) => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = await crowd(open, text)
    const newcomer = await open(request("/new"))
    await answered(newcomer)
    expect(newcomer.received()).toContain("</new>")
    expect(await openOf([...clients, newcomer])).toEqual([false, true, true, true])
  })

  it("does not replace a connection that has just sent a request", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = await crowd(open, "")
    clients[0]!.socket.write(request("/"))
    await answered(clients[0]!)
    await open()
    expect(await openOf(clients)).toEqual([true, false, true])
  })

  it("replaces a silent connection rather than one that waits for an answer", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = [await open(request("/stream")), await open(request("/hold")), await open()]
    await answered(clients[0]!)
    await open()
    expect(await openOf(clients)).toEqual([true, true, false])
  })

  it("replaces a connection with half a body rather than one that has just opened", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = await crowd(open, HALF_A_BODY)
    const silent = await open()
    await open(HALF_A_BODY)
    expect(await openOf([...clients, silent])).toEqual([false, false, true, true])
    silent.socket.write(request("/late"))
    await answered(silent)
  })

  it("is refused if all connections of the address are being answered; other addresses are served", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const other = await from("192.0.2.2")
    const clients = await crowd(open, request("/hold"))
    const newcomers = [await open(request("/")), await other(request("/"))]
    await answered(newcomers[1]!)
    expect(await openOf([...clients, ...newcomers])).toEqual([true, true, true, false, true])
  })

  it.each([
    ["2001:db8::1", "2001:db8::ffff:2", false],
    ["2001:db8::1", "2001:db8:0:1::1", true],
    ["192.0.2.1", "::ffff:192.0.2.1", false]
  ])("is matched to its address by the /64: %s and %s", async (first, second, isOther) => {
    const { from } = await startListener(BOUNDS, echo)
    const clients = await crowd(await from(first), "")
    await (await from(second))()
    expect(await openOf(clients)).toEqual([isOther, true, true])
  })
})

describe("a new connection at the total limit", () => {
  it("replaces a connection of the address with the most connections", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const few = await from("192.0.2.1")
    const patient = [await few(), await few()]
    const clients = await crowd(await from("192.0.2.2"), "")
    const newcomer = await (await from("192.0.2.3"))(request("/"))
    await answered(newcomer)
    expect(await openOf([...patient, ...clients])).toEqual([true, true, false, true, true])
  })

  it("replaces a connection of another address if all of those are being answered", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const few = await from("192.0.2.1")
    const patient = [await few(), await few()]
    const clients = await crowd(await from("192.0.2.2"), request("/hold"))
    await answered(await (await from("192.0.2.3"))(request("/")))
    expect(await openOf([...patient, ...clients])).toEqual([false, true, true, true, true])
  })
})

describe("small body chunks [F64]", () => {
  const chunked = (pieces: number) =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(pieces)}0\r\n\r\n`
  /** Counts the body chunks that the parser delivered. */
  const countPieces = () => {
    const pushes = vi.spyOn(IncomingMessage.prototype, "push")
    onTestFinished(() => pushes.mockRestore())
    return () => pushes.mock.calls.length
  }

  it("are parsed only up to the limit of a body, even if all arrive at once", async () => {
    const pieces = countPieces()
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))(chunked(10_800))
    await until(async () => client.received().includes("too many small chunks"))
    expect(pieces()).toBeLessThan(1100)
  })

  it("are not read after their refusal, even if the service starts to read the body", async () => {
    const requests: Array<IncomingMessage> = []
    const { from } = await startListener({ lingerMillis: 5 * QUIET_MILLIS }, (incoming) => requests.push(incoming))
    const client = await (await from("192.0.2.1"))(chunked(20_000))
    await until(async () => client.received().includes("too many small chunks"))
    const { socket } = requests[0]!.resume()
    const before = socket.bytesRead
    client.socket.write(chunked(20_000))
    await until(async () => socket.destroyed)
    expect(socket.bytesRead).toBe(before)
  })

  it("are limited over all pipelined bodies of a connection, and later connections are served", async () => {
    const pieces = countPieces()
    const { connections, from } = await startListener({}, echo)
    const open = await from("192.0.2.1")
    const client = await open(chunked(1000).repeat(10))
    await until(async () => client.isClosed() && (await connections()) === 0)
    expect(pieces()).toBeLessThan(1300)
    for (let round = 0; round < 3; round++) await answered(await open(chunked(900)))
  })

  it("count by the memory that they take, not by their bytes", async () => {
    const { from } = await startListener({ heldBytes: 1_000_000 }, echo)
    const held = (address: string) => from(address).then((open) => open(`${chunked(900).slice(0, -5)}`))
    const clients = [await held("192.0.2.1"), await held("192.0.2.2"), await held("192.0.2.3")]
    await until(async () => clients.some((client) => client.isClosed()))
  })

  it.each([20, 40, 80])("are accepted on a kept-alive connection with %i chunks per body", async (parts) => {
    const body = "x".repeat(482)
    const words = body.match(new RegExp(`.{1,${Math.ceil(body.length / parts)}}`, "g"))!
    const text = words.map((word) => `${word.length.toString(16)}\r\n${word}\r\n`).join("")
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))()
    for (let sent = 1; sent <= 120; sent++) {
      client.socket.write(`${chunked(0).slice(0, -5)}${text}0\r\n\r\n`)
      await until(async () => client.received().split("</>").length === sent + 1, 1)
      await pause(5)
    }
    expect(client.isClosed()).toBe(false)
  })

  it("are accepted at a few per body over hundreds of bodies", async () => {
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))()
    for (let sent = 1; sent <= 300; sent++) {
      client.socket.write(chunked(12))
      await until(async () => client.received().split("</>").length === sent + 1, 1)
    }
    expect(client.isClosed()).toBe(false)
  })
})

describe("unfinished bodies", () => {
  const part = (bytes: number, length = 9_000) =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(bytes)}`

  it("are refused with 503, oldest first, if too much is held in total; the others are read", async () => {
    const { from } = await startListener({ heldBytes: 10_000 }, echo)
    const open = await from("192.0.2.1")
    const oldest = await open(part(4_000))
    await pause(QUIET_MILLIS)
    const other = await (await from("192.0.2.2"))(part(5_900))
    expect(await openOf([oldest, other])).toEqual([true, true])
    other.socket.write("x".repeat(200))
    expect(await openOf([oldest, other])).toEqual([false, true])
    expect(oldest.received()).toMatch(/^HTTP\/1\.1 503 [\s\S]+\r\nRetry-After: 1\r\n[\s\S]+\/problems\/overloaded"/)
    other.socket.write("x".repeat(2_900))
    await answered(other)
  })

  it("are not answered twice: the connection is closed after an early answer", async () => {
    const { from } = await startListener({}, (incoming, response) => {
      incoming.resume()
      response.end("<early>")
    })
    const early = await (await from("192.0.2.1"))("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    await answered(early)
    early.socket.write("1\r\nx\r\n".repeat(2_000))
    await until(async () => early.isClosed())
    expect(early.received().match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it("count together with complete bodies that are not yet read", async () => {
    const { from } = await startListener({ heldBytes: 10_000 }, echo)
    const whole = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n${"x".repeat(4_000)}`
    const open = await from("192.0.2.1")
    const ahead = await open(`${request("/hold")}${whole.repeat(3)}`)
    const answeredOnes = await open()
    for (let round = 1; round <= 4; round++) {
      answeredOnes.socket.write(whole.repeat(2))
      await until(async () => answeredOnes.received().split("200 OK").length > 2 * round)
    }
    expect(await openOf([ahead, answeredOnes])).toEqual([false, true])
  })

  it("from many addresses are dropped oldest first, even if they still make progress", async () => {
    const { from } = await startListener({ connections: 50, heldBytes: 200_000 }, echo)
    const resting: Array<Client> = []
    for (let index = 0; index < 20; index++) resting.push(await (await from(`192.0.2.${index}`))(part(9_500, 90_000)))
    await pause(QUIET_MILLIS)
    const busy = await (await from("198.51.100.1"))(part(14_000, 90_000))
    await pause(QUIET_MILLIS)
    for (const client of resting) client.socket.write("x")
    await pause(QUIET_MILLIS)
    busy.socket.write("x".repeat(600))
    const open = await openOf([...resting, busy])
    expect(open.slice(0, 3)).toEqual([false, false, true])
    expect(open.at(-1)).toBe(true)
  })

  it("no longer count once they are answered, even if more data arrives", async () => {
    const { from } = await startListener({ heldBytes: 10_000 }, (incoming, response) => {
      incoming.resume()
      if (incoming.url === "/") response.end("<early>")
    })
    const early = await (await from("192.0.2.1"))(part(1_000))
    await answered(early)
    early.socket.write("x".repeat(7_900))
    await pause(QUIET_MILLIS)
    early.socket.destroy()
    const unfinished = await (await from("192.0.2.2"))(part(8_900).replace("/", "/hold"))
    expect(await openOf([unfinished])).toEqual([true])
  })

  it("no longer count once they are complete or their connection is closed", async () => {
    const { from } = await startListener({ heldBytes: 10_000 }, echo)
    const open = await from("192.0.2.1")
    for (let round = 0; round < 3; round++) {
      const whole = await open(part(9_000))
      await answered(whole)
      const gone = await open(part(8_900))
      await pause(QUIET_MILLIS)
      expect(gone.isClosed()).toBe(false)
      gone.socket.destroy()
      await pause(QUIET_MILLIS)
    }
  })
})
