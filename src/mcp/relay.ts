/**
 * The bridge to a remote service: forwards each message with the key and returns the answer unchanged. What the service
 * refuses outside the protocol is translated for the client. Stores no answers and computes nothing.
 */
import type { Readable, Writable } from "node:stream"
import { Effect, Fiber, Option, Redacted, Schema, Semaphore, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { RemoteService } from "./environment.ts"
import { RPC_CODES, type RpcId, type RpcMessage, rpcError } from "./message.ts"
import { readings, writeLine } from "./stdioLines.ts"

const ANSWER_WITHIN = "60 seconds"
const MESSAGES_IN_FLIGHT = 16

const endpoint = ({ url }: RemoteService): string => {
  const path = url.pathname.replace(/\/+$/, "")
  return `${url.origin}${path.endsWith("/mcp") ? path : `${path}/mcp`}`
}

const Problem = Schema.Struct({ title: Schema.String, detail: Schema.String })
const readProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))
const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))
const Initialized = Schema.Struct({ result: Schema.Struct({ protocolVersion: Schema.String }) })
const readInitialized = Schema.decodeUnknownOption(Schema.fromJsonString(Initialized))

/** What a client gets when the service refuses or does not answer; for a tool call a result that a model can read. */
const refusal = (message: RpcMessage, id: RpcId, text: string, document: object) => {
  if (message.method !== "tools/call") return rpcError(RPC_CODES.refused, text, document, id)
  const content = [{ type: "text", text: JSON.stringify(document) }]
  return { jsonrpc: "2.0", id, result: { isError: true, content } }
}

const unreachable = (address: string) => ({
  title: "The service cannot be reached.",
  detail: `No usable answer came from ${address}. Check REPAY_URL and the network, then try again.`
})

/** The line to send back for a response; none for a notification. */
const lineFor = (message: RpcMessage, address: string, status: number, body: string): object | undefined => {
  if (message.id === undefined || message.method === undefined) return undefined
  const problem = readProblem(body)
  if (Option.isSome(problem)) {
    const document: object = JSON.parse(body)
    return refusal(message, message.id, `${problem.value.title} ${problem.value.detail}`, document)
  }
  const answered = Option.filter(
    readJson(body),
    (value) => typeof value === "object" && value !== null && "jsonrpc" in value
  )
  if (Option.isSome(answered)) return { ...(answered.value as object), id: message.id }
  const document = { ...unreachable(address), status }
  return refusal(message, message.id, `${document.title} ${document.detail}`, document)
}

const post = (remote: RemoteService, address: string, message: RpcMessage, protocolVersion: string | undefined) =>
  HttpClientRequest.post(address).pipe(
    HttpClientRequest.setHeaders({
      accept: "application/json, text/event-stream",
      "x-api-key": Redacted.value(remote.apiKey),
      ...(protocolVersion === undefined ? {} : { "mcp-protocol-version": protocolVersion })
    }),
    HttpClientRequest.bodyText(JSON.stringify(message), "application/json"),
    HttpClient.execute,
    Effect.flatMap((response: HttpClientResponse.HttpClientResponse) =>
      Effect.map(response.text, (body) => ({ status: response.status, body }))
    ),
    Effect.timeout(ANSWER_WITHIN)
  )

const canceledId = ({ method, params }: RpcMessage): unknown =>
  method === "notifications/cancelled" ? params?.["requestId"] : undefined

/** Relays until the input has ended and every message in flight is answered. */
export const relay = Effect.fn("Mcp.relay")(
  function* (remote: RemoteService, input: Readable, output: Writable) {
    const address = endpoint(remote)
    const inFlight = new Map<unknown, Fiber.Fiber<void>>()
    const places = Semaphore.makeUnsafe(MESSAGES_IN_FLIGHT)
    let protocolVersion: string | undefined

    const forward = Effect.fnUntraced(function* (message: RpcMessage) {
      const { body, status } = yield* post(remote, address, message, protocolVersion).pipe(
        Effect.orElseSucceed(() => ({ status: 0, body: "" }))
      )
      if (message.method === "initialize") {
        protocolVersion = Option.getOrUndefined(readInitialized(body))?.result.protocolVersion
      }
      const line = lineFor(message, address, status, body)
      if (line !== undefined) yield* writeLine(output, line)
    })

    const take = Effect.fnUntraced(function* (message: RpcMessage) {
      const canceled = inFlight.get(canceledId(message))
      if (canceled !== undefined) return yield* Fiber.interrupt(canceled)
      // Waited for, because later messages carry the protocol version that this one negotiates.
      if (message.method === "initialize") return yield* forward(message)
      const key = message.id ?? Symbol("notification")
      const done = Effect.sync(() => inFlight.delete(key))
      const fiber = yield* Effect.forkScoped(places.withPermit(forward(message)).pipe(Effect.ensuring(done)))
      if (fiber.pollUnsafe() === undefined) inFlight.set(key, fiber)
    })

    yield* Stream.runForEach(readings(input), (reading) =>
      reading._tag === "Message" ? take(reading.message) : writeLine(output, reading.error)
    )
    yield* Effect.forEach([...inFlight.values()], Fiber.await, { discard: true })
  },
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer),
  // Following a redirect would send the key to another address.
  Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" })
)
