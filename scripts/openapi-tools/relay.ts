/** A way to a database that can be cut: TCP on this machine to the Unix socket of an embedded server. */
import { once } from "node:events"
import { globSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { join } from "node:path"

export interface Relay {
  readonly databaseUrl: string
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => void
}

const socketBelow = (dataDir: string): string => {
  const [path] = globSync(join(dataDir, "**", ".s.PGSQL.*")).filter((found) => !found.endsWith(".lock"))
  if (path === undefined) throw new Error(`no database socket below ${dataDir}`)
  return path
}

/** While it is cut, connections that exist are gone and new ones are closed at once. */
export const relayToDatabase = async (dataDir: string): Promise<Relay> => {
  const path = socketBelow(dataDir)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(path)
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      sockets.add(from)
      from.on("error", () => to.destroy())
      from.on("close", () => to.destroy())
      from.pipe(to)
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const drop = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    databaseUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    cut: () => {
      isCut = true
      drop()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      drop()
      server.close()
    }
  }
}
