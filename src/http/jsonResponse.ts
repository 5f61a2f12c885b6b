/** Responses of hot routes. Head and body of a response are one write. */
import { HttpServerResponse } from "effect/http"

type Options = HttpServerResponse.Options

/** @param body JSON as text or in UTF-8, or a value of JSON */
export const jsonResponse = (body: string | object, options: Options = {}): HttpServerResponse.HttpServerResponse => {
  const all = { contentType: "application/json", ...options }
  if (body instanceof Uint8Array) return HttpServerResponse.uint8Array(body, all)
  return HttpServerResponse.text(typeof body === "string" ? body : JSON.stringify(body), all)
}
