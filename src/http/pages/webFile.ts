/** Route for a file of src/web that browsers load; it is read once. */
import { readFileSync } from "node:fs"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { encodedOnce } from "../etag.ts"

export interface WebFile {
  /** Its path in URLs. */
  readonly path: `/${string}`
  /** Its name in src/web. */
  readonly file: string
  readonly type: "text/javascript" | "text/css"
}

export const webFile = ({ file, path, type }: WebFile, headers: Readonly<Record<string, string>>) => {
  const text = readFileSync(new URL(`../../web/${file}`, import.meta.url), "utf8")
  return HttpRouter.add(
    "GET",
    path,
    encodedOnce(HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8`, headers }))
  )
}
