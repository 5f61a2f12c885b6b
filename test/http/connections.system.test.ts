/** Which connection makes room for which, and how much all of them may hold. */
import { IncomingMessage, type RequestListener } from "node:http"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { type Client, startListener } from "../support/boundedListener.ts"
import { pause, until } from "../support/until.ts"

const BOUNDS = { connections: 5, connectionsPerAddress: 3 }
/** For what was sent to be heard, and for a connection that stays open to be closed after all. */
const QUIET_MILLIS = 100

const request = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const HALF_A_HEAD = "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "
const HALF_A_BODY = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"

/** Answers with the path; one that begins with "/hold" is being answered for ever, "/stream" after its head. */
const echo: RequestListener = (asked, response) => {
  if (asked.url === "/stream") response.writeHead(200).write(": begun\n\n")
  else if (!asked.url!.startsWith("/hold")) asked.resume().on("end", () => response.end(`<${asked.url}>`))
}

const answered = (client: Client) => until(async () => client.received().includes("200 OK"))
const openOf = async (clients: ReadonlyArray<Client>) => {
  await pause(QUIET_MILLIS)
  return clients.map((client) => !client.isClosed())
}

/** As many connections of one address as it may have, each opened with the text and heard before the next. */
const crowd = async (open: (text?: string) => Promise<Client>, text: string) => {
  const clients: Array<Client> = []
  while (clients.length < BOUNDS.connectionsPerAddress) {
    clients.push(await open(text))
    await pause(QUIET_MILLIS)
  }
  return clients
}

describe("a newcomer from an address with as many connections as it may have", () => {
  it.each([
    ["silent", ""],
    ["half a head", HALF_A_HEAD],
    ["kept alive", request("/")],
    ["half a body", HALF_A_BODY],
    ["an event stream", request("/stream")]
  ])("is answered in the place of the one that has rested longest: %s", async (_, text) => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = await crowd(open, text)
    const newcomer = await open(request("/new"))
    await answered(newcomer)
    expect(newcomer.received()).toContain("</new>")
    expect(await openOf([...clients, newcomer])).toEqual([false, true, true, true])
  })

  it("does not take the place of one that has just asked", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = await crowd(open, "")
    clients[0]!.socket.write(request("/"))
    await answered(clients[0]!)
    await open()
    expect(await openOf(clients)).toEqual([true, false, true])
  })

  it("takes the place of a silent one rather than of one that is owed an answer", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = [await open(request("/stream")), await open(request("/hold")), await open()]
    await answered(clients[0]!)
    await open()
    expect(await openOf(clients)).toEqual([true, true, false])
  })

  it("takes the place of half a body rather than of one that has just come, and is about to ask", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const open = await from("192.0.2.1")
    const clients = await crowd(open, HALF_A_BODY)
    const silent = await open()
    await open(HALF_A_BODY)
    expect(await openOf([...clients, silent])).toEqual([false, false, true, true])
    silent.socket.write(request("/late"))
    await answered(silent)
  })

  it("is refused when all of them are being answered, and nobody else is", async () => {
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
  ])("is told from %s to %s by the /64", async (first, second, isOther) => {
    const { from } = await startListener(BOUNDS, echo)
    const clients = await crowd(await from(first), "")
    await (await from(second))()
    expect(await openOf(clients)).toEqual([isOther, true, true])
  })
})

describe("a newcomer where there are as many connections as there may be", () => {
  it("takes the place of one of the address that has most", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const few = await from("192.0.2.1")
    const patient = [await few(), await few()]
    const clients = await crowd(await from("192.0.2.2"), "")
    const newcomer = await (await from("192.0.2.3"))(request("/"))
    await answered(newcomer)
    expect(await openOf([...patient, ...clients])).toEqual([true, true, false, true, true])
  })

  it("takes the place of any other when those are being answered", async () => {
    const { from } = await startListener(BOUNDS, echo)
    const few = await from("192.0.2.1")
    const patient = [await few(), await few()]
    const clients = await crowd(await from("192.0.2.2"), request("/hold"))
    await answered(await (await from("192.0.2.3"))(request("/")))
    expect(await openOf([...patient, ...clients])).toEqual([false, true, true, true, true])
  })
})

describe("small pieces of bodies [F64]", () => {
  const chunked = (pieces: number) =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(pieces)}0\r\n\r\n`
  /** How many pieces of bodies the parser has told of. */
  const countPieces = () => {
    const told = vi.spyOn(IncomingMessage.prototype, "push")
    onTestFinished(() => told.mockRestore())
    return () => told.mock.calls.length
  }

  it("are heard no further than a body may have, though they come in one piece", async () => {
    const pieces = countPieces()
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))(chunked(10_800))
    await until(async () => client.received().includes("too many small pieces"))
    expect(pieces()).toBeLessThan(1100)
  })

  it("are read no further once they are refused, though the service begins to read the body", async () => {
    const requests: Array<IncomingMessage> = []
    const { from } = await startListener({ lingerMillis: 5 * QUIET_MILLIS }, (asked) => requests.push(asked))
    const client = await (await from("192.0.2.1"))(chunked(20_000))
    await until(async () => client.received().includes("too many small pieces"))
    const { socket } = requests[0]!.resume()
    const before = socket.bytesRead
    client.socket.write(chunked(20_000))
    await until(async () => socket.destroyed)
    expect(socket.bytesRead).toBe(before)
  })

  it("count for all bodies of a connection together, and the next connection is heard again", async () => {
    const pieces = countPieces()
    const { connections, from } = await startListener({}, echo)
    const open = await from("192.0.2.1")
    const client = await open(chunked(1000).repeat(10))
    await until(async () => client.isClosed() && (await connections()) === 0)
    expect(pieces()).toBeLessThan(1300)
    for (let round = 0; round < 3; round++) await answered(await open(chunked(900)))
  })

  it("are held as what they cost, not as what they say", async () => {
    const { from } = await startListener({ heldBytes: 1_000_000 }, echo)
    const held = (address: string) => from(address).then((open) => open(`${chunked(900).slice(0, -5)}`))
    const clients = [await held("192.0.2.1"), await held("192.0.2.2"), await held("192.0.2.3")]
    await until(async () => clients.some((client) => client.isClosed()))
  })

  it.each([20, 40, 80])("are no matter on a kept connection whose bodies come in %i pieces each", async (parts) => {
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

  it("are no matter to a client that sends a few in each of thousands of bodies", async () => {
    const { from } = await startListener({}, echo)
    const client = await (await from("192.0.2.1"))()
    for (let sent = 1; sent <= 300; sent++) {
      client.socket.write(chunked(12))
      await until(async () => client.received().split("</>").length === sent + 1, 1)
    }
    expect(client.isClosed()).toBe(false)
  })
})

describe("bodies that do not come to their end", () => {
  const part = (bytes: number, length = 9_000) =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(bytes)}`

  it("are refused with 503 where too much is held in all, the oldest first, and the others are read", async () => {
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

  it("are not answered twice: one that was answered early is closed", async () => {
    const { from } = await startListener({}, (asked, response) => {
      asked.resume()
      response.end("<early>")
    })
    const early = await (await from("192.0.2.1"))("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    await answered(early)
    early.socket.write("1\r\nx\r\n".repeat(2_000))
    await until(async () => early.isClosed())
    expect(early.received().match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it("count also when they have come whole, until they are read", async () => {
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

  it("of many addresses with little each are broken off before one that began later, though they go on too", async () => {
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

  it("hold nothing any more once they are answered, whatever still comes of them", async () => {
    const { from } = await startListener({ heldBytes: 10_000 }, (asked, response) => {
      asked.resume()
      if (asked.url === "/") response.end("<early>")
    })
    const early = await (await from("192.0.2.1"))(part(1_000))
    await answered(early)
    early.socket.write("x".repeat(7_900))
    await pause(QUIET_MILLIS)
    early.socket.destroy()
    const unfinished = await (await from("192.0.2.2"))(part(8_900).replace("/", "/hold"))
    expect(await openOf([unfinished])).toEqual([true])
  })

  it("hold nothing any more when they have come whole, or their connection has gone", async () => {
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
