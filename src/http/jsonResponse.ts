/** Responses of hot routes. Node encodes text in half the time of the framework's TextEncoder. */
import { HttpServerResponse } from "effect/http"

type Options = HttpServerResponse.Options

/** @param body JSON in UTF-8, or a value of JSON */
export const jsonResponse = (body: object, options: Options = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body)), {
    contentType: "application/json",
    ...options
  })
