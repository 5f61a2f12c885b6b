/**
 * Calls to a service through `prism proxy --errors`, which reports an answer that departs from the
 * OpenAPI document. The operation and status of every answer are collected.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/freePort.ts"
import { type Listening, startProgram, untilListening } from "../../test/support/programs.ts"
import { stoppedAtEnd } from "../harness.ts"
import { toolPath } from "./tools.ts"

const ANSWER_MILLIS = 20_000
const PRISM_ERRORS = "https://stoplight.io/prism/errors#"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Prism {
  readonly base: string
  /** Throws if Prism reports a violation. */
  readonly ask: (operationId: string, method: string, target: string, ask?: Ask) => Promise<Answer>
}

export const withKey = (key: string | undefined) => (key === undefined ? {} : { "x-api-key": key })

export const sent = (body: string, key?: string, type = "application/json"): Ask => ({
  body,
  headers: { "content-type": type, ...withKey(key) }
})

/** Statuses seen per operation, as `operationId status`. */
export type Seen = Set<string>

const read = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text
}

/** The violation that Prism reports for an answer, or undefined. */
const violationOf = ({ body, headers }: Answer): string | undefined => {
  const { type, ...report } = (body ?? {}) as { readonly type?: string }
  if (String(type).startsWith(PRISM_ERRORS)) return JSON.stringify({ type, ...report })
  return headers.get("sl-violations") ?? undefined
}

const fetchThrough = async (url: string, method: string, { body, headers }: Ask): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(ANSWER_MILLIS),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body })
  })
  return { status: response.status, headers: response.headers, body: await read(response) }
}

/** A route that the document describes wrongly: Prism must report it, or it checks nothing. */
const CANARY = "/.well-known/oauth-protected-resource"
const WRONG_ROUTE = {
  get: {
    responses: { "200": { description: "A lie.", content: { "application/json": { schema: { type: "array" } } } } }
  }
}

interface Document {
  readonly paths: object
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** The document with the wrong route added, and with schemas that allow no undocumented field. */
const strictDocument = (document: Document): Document => {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    "properties" in schema ? { additionalProperties: false, ...schema } : schema
  ])
  return {
    ...document,
    paths: { ...document.paths, [CANARY]: WRONG_ROUTE },
    components: { ...document.components, schemas: Object.fromEntries(schemas) }
  }
}

interface PrismOptions {
  /** Whether Prism itself answers requests that violate the document. */
  readonly checksRequests: boolean
}

/**
 * Starts Prism in front of a service with the document that it serves, until the end of the task.
 */
export const startPrism = async (
  folder: string,
  service: Pick<Listening, "base">,
  seen: Seen,
  options: PrismOptions
): Promise<Prism> => {
  const port = await freePort()
  const document = join(folder, `strict-${port}.json`)
  const served = (await (await fetch(`${service.base}/openapi.json`)).json()) as Document
  writeFileSync(document, JSON.stringify(strictDocument(served)))
  const flags = ["--errors", `--validate-request=${options.checksRequests}`]
  const proxy = ["proxy", document, service.base, "--port", String(port), ...flags]
  const program = startProgram([process.execPath, toolPath("prism"), ...proxy], { variables: { HOME: folder } })
  const { base } = await stoppedAtEnd(untilListening(program))
  const canary = await fetchThrough(`${base}${CANARY}`, "GET", {})
  if (violationOf(canary) === undefined) throw new Error("Prism does not object to a lie")
  const ask: Prism["ask"] = async (operationId, method, target, how = {}) => {
    const answer = await fetchThrough(`${base}${target}`, method, how)
    const violation = violationOf(answer)
    if (violation !== undefined) throw new Error(`${method} ${target} ${how.body ?? ""}: ${violation}`)
    seen.add(`${operationId} ${answer.status}`)
    return answer
  }
  return { base, ask }
}
