/**
 * A TCP proxy in front of a database, which a test can slow down, stall, cut at a chosen moment, or
 * take away. It parses just enough of PostgreSQL's protocol to detect the end of a statement.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A failure of one statement. */
export type Trap =
  /** The statement never reaches the server. */
  | "lose-statement"
  /** The server executes it; its reply is lost with the connection. */
  | "lose-reply"
  /** The server executes it; its reply arrives after every timeout. */
  | "delay-reply"

interface Line {
  readonly client: Socket
  readonly upstream: Socket
  /** Set once the trapped statement has been forwarded. */
  trap: Exclude<Trap, "lose-statement"> | undefined
  /** The chunks received of the reply to the trapped statement. */
  reply: Array<Buffer>
}

const LATE_REPLY_MILLIS = 3000
const readyFor = (state: "I" | "T"): Buffer => Buffer.from([0x5a, 0, 0, 0, 5, state.charCodeAt(0)])
/** ReadyForQuery, idle: the statement is done and committed. */
const READY_IDLE = readyFor("I")
/** The statement is done but not committed; without the reply, the client never commits. */
const READY_IN_TRANSACTION = readyFor("T")

/** The server of a libpq address; `host` in the query is the folder of a socket. */
const targetOf = (address: URL) => {
  const folder = address.searchParams.get("host")
  const port = Number(address.port || 5432)
  return folder === null ? { host: address.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
}

/** The address of the same database at another local port. */
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
  /** Writes that wait for `release`, in order; undefined while nothing is held. */
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

  /** Applies the trap to a complete reply. */
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
    /** Address of the database through this proxy. */
    url: onPort(address, (server.address() as AddressInfo).port),
    /** Delays every reply. */
    slow: (millis: number) => {
      latencyMillis = millis
    },
    /** Stalls both directions until `release`. */
    hold: () => {
      waiting = []
    },
    release: () => {
      const held = waiting ?? []
      waiting = undefined
      for (const write of held) write()
    },
    /**
     * Sets a trap for the next statement that contains `text` (or, to lose a reply, the next reply
     * that does). It applies once; the promise resolves when it has.
     */
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
