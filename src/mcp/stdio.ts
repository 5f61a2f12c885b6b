/**
 * The tool server on standard input and output, for clients that start a program instead of calling a URL. The engine
 * of this machine computes, without key or record. Standard output gets messages only.
 */
import { randomUUID } from "node:crypto"
import type { Readable, Writable } from "node:stream"
import { Effect, FiberSet, Logger, Stream } from "effect"
import type { Problem } from "../../schema/problems.ts"
import type { KeyedTool } from "../../schema/tools.ts"
import { Engine } from "../engine/Engine.ts"
import { problemDocument } from "../http/problems.ts"
import { makeLocalCalculations } from "./localCalculations.ts"
import { type RpcMessage, withPrintableError } from "./message.ts"
import { LOCAL_OFFER, NO_RECORD_NOTICE } from "./offers.ts"
import { type Connection, refusedRequest, serveConnection, type ToolServer } from "./protocol.ts"
import { readings, writeLine } from "./stdioLines.ts"
import { toolAnswer } from "./toolAnswers.ts"
import { toolCallsOn } from "./toolCalls.ts"

/** The tools whose answers a service would record. Here, their answers carry a notice. */
const CALCULATIONS: ReadonlySet<string> = new Set(["run_projection", "compare_scenarios"])

/** This program serves no problem pages, so the types of problems are relative. */
const NO_ADDRESS = ""

const documentOf = (problem: Problem): object => problemDocument(problem, NO_ADDRESS, randomUUID())

/** Runs effects as the promises that the SDK awaits, until the program ends. */
type Run = Effect.Success<ReturnType<typeof FiberSet.makeRuntimePromise<never, unknown, never>>>

const makeLocalServer = Effect.fnUntraced(function* (run: Run) {
  const callTool = toolCallsOn(yield* makeLocalCalculations)
  return {
    ...LOCAL_OFFER,
    call: (tool, args) =>
      toolAnswer(callTool(tool, args), documentOf, CALCULATIONS.has(tool) ? NO_RECORD_NOTICE : undefined),
    run: (effect, signal) => run(effect, { signal })
  } satisfies ToolServer<KeyedTool>
})

const ANSWER_WITHIN = "30 seconds"
const CHECK_EVERY = "10 millis"

/** A connection that tracks its open requests, so that the last one is answered before the program ends. */
const makeConnection = (output: Writable, run: Run) => {
  const open = new Set<unknown>()
  const send = (message: object): Effect.Effect<void> =>
    Effect.andThen(
      writeLine(output, withPrintableError(message)),
      Effect.sync(() => "id" in message && open.delete(message.id))
    )
  const connection: Connection = {
    start: () => Promise.resolve(),
    send: (message) => run(send(message)),
    close: () => {
      connection.onclose?.()
      return Promise.resolve()
    }
  }
  const receive = (message: RpcMessage): Effect.Effect<void> => {
    const refused = refusedRequest(message)
    if (refused !== undefined) return send(refused)
    if (message.method === "notifications/cancelled") open.delete(message.params?.["requestId"])
    else if (message.method !== undefined && message.id !== undefined) open.add(message.id)
    return Effect.sync(() => connection.onmessage?.(message))
  }
  return { connection, receive, isIdle: () => open.size === 0 }
}

/** Runs until the input ends. */
export const serveStdio = Effect.fn("Mcp.serveStdio")(
  function* (input: Readable, output: Writable) {
    const run = yield* FiberSet.makeRuntimePromise<never, unknown, never>()
    const server = yield* makeLocalServer(run)
    const { connection, isIdle, receive } = makeConnection(output, run)
    const served = serveConnection(server, connection)
    yield* Stream.runForEach(readings(input), (reading) =>
      reading._tag === "Message" ? receive(reading.message) : writeLine(output, reading.error)
    )
    yield* Effect.sleep(CHECK_EVERY).pipe(Effect.repeat({ until: isIdle }), Effect.timeoutOption(ANSWER_WITHIN))
    yield* Effect.promise(() => served.close())
  },
  Effect.scoped,
  Effect.provide(Engine.layer),
  Effect.provideService(Logger.LogToStderr, true)
)
