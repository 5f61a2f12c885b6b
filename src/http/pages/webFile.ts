/** Files of src/web, as text and as routes of their own; they are read once. */
import { readFileSync } from "node:fs"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { encodedOnce } from "../etag.ts"

export interface WebFile {
  /** Its path in URLs. */
  readonly path: `/${string}`
  /** Its name in src/web. */
  readonly file: string
  readonly type: "text/javascript" | "image/svg+xml"
}

/** The texts of files of src/web as one. */
export const webText = (files: ReadonlyArray<string>): string =>
  files.map((file) => readFileSync(new URL(`../../web/${file}`, import.meta.url), "utf8")).join("")

export const webFile = ({ file, path, type }: WebFile, headers: Readonly<Record<string, string>>) =>
  HttpRouter.add(
    "GET",
    path,
    encodedOnce(HttpServerResponse.text(webText([file]), { contentType: `${type}; charset=utf-8`, headers }))
  )
