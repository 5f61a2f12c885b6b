/**
 * A way to a database that a test can slow down, hold up, cut at a chosen moment, or take away. It knows just enough of
 * PostgreSQL's protocol to tell when the server is done with a statement.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** What becomes of one statement. */
export type Trap =
  /** It never reaches the server. */
  | "lose-statement"
  /** The server carries it out; its reply is lost with the connection. */
  | "lose-reply"
  /** The server carries it out; its reply arrives later than anybody waits for. */
  | "delay-reply"

interface Line {
  readonly client: Socket
  readonly upstream: Socket
  /** Set from the moment at which the trapped statement was passed on. */
  trap: Exclude<Trap, "lose-statement"> | undefined
  /** The reply to the trapped statement, as far as it has come. */
  reply: Array<Buffer>
}

const LATE_REPLY_MILLIS = 3000
const readyFor = (state: "I" | "T"): Buffer => Buffer.from([0x5a, 0, 0, 0, 5, state.charCodeAt(0)])
/** ReadyForQuery, idle: the statement and its commit are behind the server. */
const READY_IDLE = readyFor("I")
/** The statement is done, and its commit is still to be asked for: a client that is not told never does. */
const READY_IN_TRANSACTION = readyFor("T")

/** The server behind an address as libpq writes it; `host` in the query is the folder of a socket. */
const targetOf = (address: URL) => {
  const folder = address.searchParams.get("host")
  const port = Number(address.port || 5432)
  return folder === null ? { host: address.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
}

/** The same database on another port of this machine. */
const onPort = (address: URL, port: number): string => {
  const moved = new URL(address)
  moved.searchParams.delete("host")
  moved.hostname = "127.0.0.1"
  moved.port = String(port)
  return moved.href
}

export const openDatabaseProxy = async (database: string) => {
  const address = new URL(database)
  const target = targetOf(address)
  const lines = new Set<Line>()
  let latencyMillis = 0
  let isCut = false
  /** What waits for `release`, in the order in which it came; undefined while nothing is held. */
  let waiting: Array<() => void> | undefined
  let armed: { readonly text: string; readonly trap: Trap; readonly sprung: () => void } | undefined

  const end = ({ client, upstream }: Line) => {
    client.destroy()
    upstream.destroy()
  }

  const send = (to: Socket, chunk: Buffer) => {
    if (waiting === undefined) to.write(chunk)
    else waiting.push(() => to.write(chunk))
  }

  const pass = (line: Line, chunk: Buffer) => {
    if (latencyMillis === 0) return send(line.client, chunk)
    setTimeout(() => send(line.client, chunk), latencyMillis)
  }

  /** The reply is complete: what the trap has in store for it. */
  const spring = (line: Line) => {
    const { reply, trap } = line
    line.trap = undefined
    line.reply = []
    if (trap === "lose-reply") return end(line)
    setTimeout(() => {
      for (const chunk of reply) send(line.client, chunk)
    }, LATE_REPLY_MILLIS)
  }

  const fromClient = (line: Line, chunk: Buffer) => {
    if (armed !== undefined && chunk.includes(armed.text)) {
      const { sprung, trap } = armed
      armed = undefined
      sprung()
      if (trap === "lose-statement") return end(line)
      line.trap = trap
    }
    send(line.upstream, chunk)
  }

  const fromServer = (line: Line, chunk: Buffer) => {
    if (armed?.trap === "lose-reply" && chunk.includes(armed.text)) {
      armed.sprung()
      armed = undefined
      return end(line)
    }
    if (line.trap === undefined) return pass(line, chunk)
    line.reply.push(chunk)
    const tail = Buffer.concat(line.reply).subarray(-READY_IDLE.length)
    if (tail.equals(READY_IDLE)) spring(line)
    if (!tail.equals(READY_IN_TRANSACTION)) return
    for (const held of line.reply.splice(0)) pass(line, held)
  }

  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const line: Line = { client, upstream: connect(target), trap: undefined, reply: [] }
    lines.add(line)
    client.on("data", (chunk: Buffer) => fromClient(line, chunk))
    line.upstream.on("data", (chunk: Buffer) => fromServer(line, chunk))
    for (const socket of [client, line.upstream]) {
      socket.on("error", () => undefined)
      socket.on("close", () => {
        end(line)
        lines.delete(line)
      })
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const endAll = () => {
    for (const line of lines) end(line)
  }

  return {
    /** The same database, by way of this proxy. */
    url: onPort(address, (server.address() as AddressInfo).port),
    /** Every reply takes this long. */
    slow: (millis: number) => {
      latencyMillis = millis
    },
    /** Nothing gets through, either way, until `release`. */
    hold: () => {
      waiting = []
    },
    release: () => {
      const held = waiting ?? []
      waiting = undefined
      for (const write of held) write()
    },
    /** Springs once, on the next statement that carries `text` (or a reply that does, to be lost); returns when it has. */
    trap: (text: string, trap: Trap): Promise<void> =>
      new Promise((sprung) => {
        armed = { text, trap, sprung }
      }),
    /** Ends every connection and refuses new ones until `mend`. */
    cut: () => {
      isCut = true
      endAll()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      endAll()
      server.close()
    }
  }
}

export type DatabaseProxy = Awaited<ReturnType<typeof openDatabaseProxy>>
