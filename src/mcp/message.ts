/**
 * One JSON-RPC message. Its shape is checked before the SDK sees it, and any other input gets a
 * JSON-RPC error. protocol.ts handles the methods.
 */
import { Predicate } from "effect"
import { echo } from "../request/fieldPath.ts"

/** Codes of JSON-RPC 2.0 and of MCP. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** A refusal of an origin or a stream, for which the protocol has no code. */
  refused: -32000
} as const

type RpcId = string | number

export interface RpcMessage {
  readonly jsonrpc: "2.0"
  readonly id?: RpcId
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface RpcError {
  readonly jsonrpc: "2.0"
  /** null if the id of the request is unknown. */
  readonly id: RpcId | null
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const rpcError = (code: number, message: string, id: RpcId | null = null, data?: unknown): RpcError => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) }
})

export type Reading =
  | { readonly _tag: "Message"; readonly message: RpcMessage }
  | { readonly _tag: "NoMessage"; readonly error: RpcError }

/** Limits an id, because the answer repeats it. */
const MAX_ID_CHARACTERS = 256

const isId = (value: unknown): value is RpcId =>
  typeof value === "string" ? value.length <= MAX_ID_CHARACTERS : Number.isSafeInteger(value)

/** The first reason why a value is not a request, notification or response. */
const fault = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return "batches are not part of the protocol since 2025-06-18; send one message"
  if (!Predicate.isReadonlyObject(value)) return "a message is a JSON object"
  if (value["jsonrpc"] !== "2.0") return 'jsonrpc must be "2.0"'
  if (Object.hasOwn(value, "id") && !isId(value["id"]))
    return `id must be a string of at most ${MAX_ID_CHARACTERS} characters or a whole number`
  if (Object.hasOwn(value, "result") || Object.hasOwn(value, "error")) return undefined
  if (typeof value["method"] !== "string") return "method must be a string"
  if (value["params"] != null && !Predicate.isReadonlyObject(value["params"])) return "params must be a JSON object"
  return undefined
}

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!Predicate.isReadonlyObject(value)) return value
  const sent = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(sent.map(([name, inner]) => [name, withoutNulls(inner)]))
}

/**
 * The message without the nulls that some clients send for absent members; the SDK would refuse
 * them. Nulls in the arguments of a tool stay, because they have a meaning.
 */
const normalized = (message: RpcMessage): RpcMessage => {
  const { params, ...others } = message
  if (message.method === undefined || params === undefined) return message
  if (params === null) return others
  if (message.method !== "tools/call") return { ...others, params: withoutNulls(params) as RpcMessage["params"] & {} }
  const { arguments: given, ...named } = params
  return { ...others, params: { ...(withoutNulls(named) as object), ...(given == null ? {} : { arguments: given }) } }
}

/** Reads one message from its parsed JSON. */
export const readMessage = (value: unknown): Reading => {
  const found = fault(value)
  if (found === undefined) return { _tag: "Message", message: normalized(value as RpcMessage) }
  const id = Predicate.isReadonlyObject(value) && isId(value["id"]) ? value["id"] : null
  return { _tag: "NoMessage", error: rpcError(RPC_CODES.invalidRequest, `Invalid Request: ${found}`, id) }
}

/** Maximum length of a text in an SDK error, because such an error repeats the request. */
const MAX_ERROR_CHARACTERS = 200

const printable = (value: unknown): unknown => {
  if (typeof value === "string") return echo(value, MAX_ERROR_CHARACTERS)
  if (Array.isArray(value)) return value.map(printable)
  if (!Predicate.isReadonlyObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, printable(inner)]))
}

/** An SDK answer whose error texts are shortened and printable. */
export const withPrintableError = <Answer extends object>(answer: Answer): Answer =>
  "error" in answer ? { ...answer, error: printable(answer.error) } : answer

/** Whether a JSON value has more than `most` members and items, counted at all depths. */
export const holdsMore = (value: unknown, most: number): boolean => {
  let left = most
  const count = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    for (const inner of Object.values(part)) {
      if (--left < 0) return
      count(inner)
    }
  }
  count(value)
  return left < 0
}
