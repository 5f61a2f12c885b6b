/**
 * The wire between a service and its database, which a test can slow down, cut at a chosen moment, or take away. It
 * knows just enough of PostgreSQL's protocol to tell when the server is done with a statement.
 */
import { connect, createServer, type Server, type Socket } from "node:net"

/** What the wire does, once. */
export type Trap =
  /** The statement never reaches the server. */
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
  held: Array<Buffer>
}

const LATE_REPLY_MILLIS = 3000
/** ReadyForQuery, idle: the statement and its commit are behind the server. */
const READY_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** The server behind an address as libpq writes it; `host` in the query is the folder of a socket. */
const targetOf = (address: URL) => {
  const folder = address.searchParams.get("host")
  const port = Number(address.port || 5432)
  return folder === null ? { host: address.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export const openWire = async (database: string) => {
  const address = new URL(database)
  const target = targetOf(address)
  const lines = new Set<Line>()
  let latencyMillis = 0
  let isThere = true
  let armed: { readonly text: string; readonly trap: Trap; readonly sprung: () => void } | undefined

  const end = ({ client, upstream }: Line) => {
    client.destroy()
    upstream.destroy()
  }

  const pass = (line: Line, chunk: Buffer) => {
    if (latencyMillis === 0) return line.client.write(chunk)
    setTimeout(() => line.client.write(chunk), latencyMillis)
  }

  /** The reply is complete: what the trap has in store for it. */
  const spring = (line: Line) => {
    const { held, trap } = line
    line.trap = undefined
    line.held = []
    if (trap === "lose-reply") return end(line)
    setTimeout(() => {
      for (const chunk of held) line.client.write(chunk)
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
    line.upstream.write(chunk)
  }

  const fromServer = (line: Line, chunk: Buffer) => {
    if (armed?.trap === "lose-reply" && chunk.includes(armed.text)) {
      armed.sprung()
      armed = undefined
      return end(line)
    }
    if (line.trap === undefined) return pass(line, chunk)
    line.held.push(chunk)
    const tail = Buffer.concat(line.held).subarray(-READY_IDLE.length)
    if (tail.equals(READY_IDLE)) spring(line)
  }

  const server = createServer((client) => {
    if (!isThere) return client.destroy()
    const line: Line = { client, upstream: connect(target), trap: undefined, held: [] }
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
  })
  const port = await listening(server)
  const endAll = () => {
    for (const line of lines) end(line)
  }
  const throughWire = new URL(address)
  throughWire.searchParams.delete("host")
  throughWire.hostname = "127.0.0.1"
  throughWire.port = String(port)

  return {
    /** The same database, by way of this wire. */
    url: throughWire.href,
    /** Every reply takes this long. */
    slow: (millis: number) => {
      latencyMillis = millis
    },
    /** Springs once, on the next statement that carries `text` (or a reply that does, to be lost); returns when it has. */
    trap: (text: string, trap: Trap): Promise<void> =>
      new Promise((sprung) => {
        armed = { text, trap, sprung }
      }),
    /** Ends every connection and refuses new ones. */
    takeAway: () => {
      isThere = false
      endAll()
    },
    giveBack: () => {
      isThere = true
    },
    close: () => {
      endAll()
      server.close()
    }
  }
}
