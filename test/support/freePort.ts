/** A free local port, for a program that must know its address before it starts. */
import { once } from "node:events"
import { createServer } from "node:net"

/** Below the ports that Linux gives to connections, so that none takes the port before its program. */
const FIRST = 10_000
/** Each process has ports of its own, so that none takes the port of another's program. */
const PER_PROCESS = 50
const PROCESSES = 400

let drawn = 0

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer().listen(port, "127.0.0.1")
  try {
    await once(probe, "listening")
  } catch {
    return false
  }
  probe.close()
  await once(probe, "close")
  return true
}

export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < PER_PROCESS; tried++) {
    const port = FIRST + (process.pid % PROCESSES) * PER_PROCESS + (drawn++ % PER_PROCESS)
    if (await isFree(port)) return port
  }
  throw new Error(`None of the ${PER_PROCESS} ports of this process is free.`)
}
