/** The pool of threads that compute: how it ends. */
import type { Worker } from "node:worker_threads"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { threadPool } from "../../../src/portfolio/compute/computers.ts"

const THREADS = 2

it("a pool that ends at once stops its threads only when they have loaded their modules", async () => {
  const events: Array<string> = []
  const watch = (thread: Worker): void => {
    thread.once("message", () => events.push("loaded"))
    thread.once("exit", () => events.push("ended"))
  }
  process.on("worker", watch)
  await Effect.runPromise(Effect.scoped(threadPool(THREADS)))
  process.off("worker", watch)
  expect(events).toEqual(["loaded", "loaded", "ended", "ended"])
})
