/**
 * What a running Node tells of itself through its inspector: the service is asked as it is, and has no code for it. It
 * counts its heap after a collection, which takes it some milliseconds.
 */
import { setTimeout } from "node:timers/promises"

const WAIT_MILLIS = 10_000
const POLL_MILLIS = 50
const MEBIBYTE = 1024 * 1024

/** Run in the process that is looked at; /proc is of Linux. */
const LOOK = `(() => {
  const { monitorEventLoopDelay } = process.getBuiltinModule("node:perf_hooks")
  const { readdirSync, readFileSync } = process.getBuiltinModule("node:fs")
  const orNull = (read) => { try { return read() } catch { return null } }
  const resources = process.getActiveResourcesInfo()
  // As many as callers keep open, with a timer each.
  const sockets = resources.filter((name) => name === "TCPSocketWrap").length
  const timers = resources.filter((name) => name === "Timeout").length
  const delay = globalThis.soakDelay ??= monitorEventLoopDelay({ resolution: 10 })
  const seen = {
    resident: process.memoryUsage.rss(),
    resources: resources.length,
    handles: resources.length - sockets - timers,
    descriptors: orNull(() => readdirSync("/proc/self/fd").length - sockets),
    keptWaitingMillis: orNull(() => Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6),
    loopDelayP99: delay.percentile(99) / 1e6
  }
  delay.enable()
  delay.reset()
  return seen
})()`

interface Seen {
  readonly resident: number
  /** All that it has open or waits for. */
  readonly resources: number
  /** Without connections of callers, and timers. */
  readonly handles: number
  /** The same. */
  readonly descriptors: number | null
  /** By others who used the processors, since its start. */
  readonly keptWaitingMillis: number | null
  readonly loopDelayP99: number
}

const socketUrl = async (port: number): Promise<string> => {
  const until = performance.now() + WAIT_MILLIS
  while (performance.now() < until) {
    const listed = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
    if (listed !== undefined) {
      const [target] = (await listed.json()) as ReadonlyArray<{ readonly webSocketDebuggerUrl: string }>
      if (target !== undefined) return target.webSocketDebuggerUrl
    }
    await setTimeout(POLL_MILLIS)
  }
  throw new Error(`no inspector listens on port ${port}`)
}

interface Reply {
  readonly id: number
  readonly result: unknown
  readonly error?: { readonly message: string }
}

/** Looks at the process whose inspector listens on a port of this machine. */
export const inspect = async (port: number) => {
  const socket = new WebSocket(await socketUrl(port))
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve())
    socket.addEventListener("error", () => reject(new Error("the inspector cannot be reached")))
  })
  let last = 0
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++last
    const told = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const reply = await Promise.race([told, setTimeout(WAIT_MILLIS, undefined, { ref: false })])
    if (reply === undefined || reply.error !== undefined)
      throw new Error(`${method}: ${reply?.error?.message ?? "late"}`)
    return reply.result
  }
  const look = async () => {
    const { result } = (await ask("Runtime.evaluate", { expression: LOOK, returnByValue: true })) as {
      readonly result: { readonly value: Seen }
    }
    await ask("HeapProfiler.collectGarbage")
    const { usedSize } = (await ask("Runtime.getHeapUsage")) as { readonly usedSize: number }
    const { resident, ...seen } = result.value
    return { ...seen, residentMiB: resident / MEBIBYTE, heapMiB: usedSize / MEBIBYTE }
  }
  return { look, close: () => socket.close() }
}
