/**
 * The tool server on standard input and output, for clients that start a program instead of calling an address: a
 * bridge to a service elsewhere when REPAY_URL and REPAY_API_KEY name one, else the engine of this machine, without key
 * and without record. Nothing but messages is written to standard output.
 */
import { randomUUID } from "node:crypto"
import type { Readable, Writable } from "node:stream"
import { Config, Data, Effect, Logger, Option, Stream } from "effect"
import type { Problem } from "../../schema/problems.ts"
import { Engine } from "../engine/Engine.ts"
import { problemDocument } from "../http/problems.ts"
import { LOCAL_INSTRUCTIONS, NO_RECORD_NOTICE } from "./instructions.ts"
import { makeLocalCalculations } from "./localCalculations.ts"
import type { RpcMessage } from "./message.ts"
import { type Connection, invalidParameters, serveConnection, type ToolServer } from "./protocol.ts"
import { type RemoteService, relay } from "./relay.ts"
import { readings, writeLine } from "./stdioLines.ts"
import { toolAnswer } from "./toolAnswers.ts"
import { toolCallsOn } from "./toolCalls.ts"

/** The environment names half a service, or none that can be called. */
class BridgeMisconfigured extends Data.TaggedError("BridgeMisconfigured")<{
  readonly lines: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.lines.join("\n")
  }
}

const URL_LINE = "REPAY_URL: send the address of the service, such as https://api.example.org"
const KEY_LINE = "REPAY_API_KEY: it is not set, and REPAY_URL needs it; send a key of that service"

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** The service that the environment names, or undefined for the engine of this machine. */
export const remoteFromEnvironment: Effect.Effect<RemoteService | undefined, BridgeMisconfigured> = Effect.gen(
  function* () {
    const url = Option.getOrElse(yield* Config.option(Config.String("REPAY_URL")), () => "").trim()
    const key = yield* Config.option(Config.Redacted("REPAY_API_KEY"))
    if (url === "" && Option.isNone(key)) return undefined
    const lines = [...(isWebAddress(url) ? [] : [URL_LINE]), ...(Option.isNone(key) ? [KEY_LINE] : [])]
    if (Option.isNone(key) || lines.length > 0) return yield* new BridgeMisconfigured({ lines })
    return { url: new URL(url), apiKey: key.value }
  }
).pipe(Effect.catchTag("ConfigError", () => Effect.fail(new BridgeMisconfigured({ lines: [URL_LINE, KEY_LINE] }))))

/** Only calculations are recorded anywhere, so only they need the notice. */
const CALCULATIONS: ReadonlySet<string> = new Set(["run_projection", "compare_scenarios"])

/** There is no page of the problems here: their types are given without an address. */
const NO_ADDRESS = ""

const documentOf = (problem: Problem): object => problemDocument(problem, NO_ADDRESS, randomUUID())

const makeLocalServer = Effect.gen(function* () {
  const callTool = toolCallsOn(yield* makeLocalCalculations)
  const context = yield* Effect.context()
  return {
    instructions: LOCAL_INSTRUCTIONS,
    call: (tool, args) =>
      toolAnswer(callTool(tool, args), documentOf, CALCULATIONS.has(tool) ? NO_RECORD_NOTICE : undefined),
    run: (effect, signal) => Effect.runPromiseWith(context)(effect, { signal })
  } satisfies ToolServer
})

const ANSWER_WITHIN = "30 seconds"
const LOOK_EVERY = "10 millis"

/** A connection whose open requests are known, so that the last one is answered before the program ends. */
const makeConnection = (output: Writable) => {
  const open = new Set<unknown>()
  const send = (message: object): Effect.Effect<void> =>
    Effect.andThen(
      writeLine(output, message),
      Effect.sync(() => "id" in message && open.delete(message.id))
    )
  const connection: Connection = {
    start: () => Promise.resolve(),
    send: (message) => Effect.runPromise(send(message)),
    close: () => {
      connection.onclose?.()
      return Promise.resolve()
    }
  }
  const receive = (message: RpcMessage): Effect.Effect<void> => {
    const invalid = invalidParameters(message)
    if (invalid !== undefined) return send(invalid)
    if (message.method === "notifications/cancelled") open.delete(message.params?.["requestId"])
    else if (message.method !== undefined && message.id !== undefined) open.add(message.id)
    return Effect.sync(() => connection.onmessage?.(message))
  }
  return { connection, receive, isIdle: () => open.size === 0 }
}

const serveLocally = Effect.fn("Mcp.serveLocally")(function* (input: Readable, output: Writable) {
  const server = yield* makeLocalServer
  const { connection, isIdle, receive } = makeConnection(output)
  yield* Effect.promise(() => serveConnection(server, connection))
  yield* Stream.runForEach(readings(input), (reading) =>
    reading._tag === "Message" ? receive(reading.message) : writeLine(output, reading.error)
  )
  yield* Effect.sleep(LOOK_EVERY).pipe(Effect.repeat({ until: isIdle }), Effect.timeoutOption(ANSWER_WITHIN))
  yield* Effect.promise(() => connection.close())
}, Effect.provide(Engine.layer))

/** Serves until the input ends. */
export const serveStdio = Effect.fn("Mcp.serveStdio")(
  function* (input: Readable = process.stdin, output: Writable = process.stdout) {
    const remote = yield* remoteFromEnvironment
    return yield* remote === undefined ? serveLocally(input, output) : relay(remote, input, output)
  },
  Effect.provideService(Logger.LogToStderr, true)
)
