/** Files of src/web that browsers load as one, as text and as a route; they are read once. */
import { readFileSync } from "node:fs"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { encodedOnce } from "../etag.ts"

export interface WebFile {
  /** Its path in URLs. */
  readonly path: `/${string}`
  /** Their names in src/web, in order. */
  readonly files: ReadonlyArray<string>
  readonly type: "text/javascript" | "text/css" | "image/svg+xml"
}

/** The text of files of src/web, in order. */
export const webText = (files: ReadonlyArray<string>): string =>
  files.map((file) => readFileSync(new URL(`../../web/${file}`, import.meta.url), "utf8")).join("")

export const webFile = ({ files, path, type }: WebFile, headers: Readonly<Record<string, string>>) =>
  HttpRouter.add(
    "GET",
    path,
    encodedOnce(HttpServerResponse.text(webText(files), { contentType: `${type}; charset=utf-8`, headers }))
  )
