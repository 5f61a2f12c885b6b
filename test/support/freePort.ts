/** A port of this machine that nobody listens on, for a program that has to be told its address before it has one. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, "close")
  return port
}
