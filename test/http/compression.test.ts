/** Response compression: its clients, the decompressed text, and what is never compressed. */
import { type IncomingHttpHeaders, request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"
import { NO_LIMITS } from "../support/settings.ts"
import { until } from "../support/until.ts"

const service = useService(NO_LIMITS)

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Unlike fetch, does not decompress answers, and sends only the given Accept-Encoding. */
const ask = (method: string, path: string, headers: Record<string, string>, json?: unknown) =>
  new Promise<Answer>((resolve, reject) => {
    const sent = json === undefined ? {} : { "content-type": "application/json" }
    const outgoing = request(`${service().base}${path}`, { method, headers: { ...sent, ...headers } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
      )
    })
    outgoing.on("error", reject)
    outgoing.end(json === undefined ? undefined : JSON.stringify(json))
  })

const plain = ({ body, headers }: Answer): string => {
  if (headers["content-encoding"] === "br") return brotliDecompressSync(body).toString()
  return (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString()
}

describe("an answer", () => {
  it.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=0, br;q=0.1", "br"],
    ["*", "br"],
    ["zstd", undefined],
    ["identity", undefined],
    ["br;q=0", undefined]
  ])("to a client that accepts %s is sent as %s", async (accepted, encoding) => {
    const key = await service().mint()
    const answer = await ask("POST", "/v1/projection", { "accept-encoding": accepted, "x-api-key": key }, projection)
    expect(answer.status).toBe(200)
    expect(answer.headers["content-encoding"]).toBe(encoding)
    expect(answer.headers.vary).toBe("Accept-Encoding")
    expect(Number(answer.headers["content-length"])).toBe(answer.body.length)
    const text = plain(answer)
    expect(JSON.parse(text).provenance.answerId).toMatch(/^[0-9a-f-]{36}$/)
    if (encoding !== undefined) expect(answer.body.length).toBeLessThan(text.length / 2)
  })

  it("of a tool is compressed as well", async () => {
    const key = await service().mint()
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "run_projection", arguments: projection }
    }
    const accepted = { accept: "application/json, text/event-stream", "accept-encoding": "gzip", "x-api-key": key }
    const answer = await ask("POST", "/mcp", accepted, call)
    expect(answer.headers["content-encoding"]).toBe("gzip")
    expect(JSON.parse(plain(answer)).id).toBe(1)
  })
})

describe.each(["/v1/rules", "/openapi.json", "/docs", "/docs/guides/mcp", "/rules"])(
  "%s, which never changes",
  (path) => {
    it("has the same text in every encoding, also when repeated, with the headers of its own request", async () => {
      const { body, headers } = await ask("GET", path, {})
      for (const encoding of ["br", "gzip", "br", "gzip"]) {
        const id = `${encoding}-1`
        const answer = await ask("GET", path, { "accept-encoding": encoding, "x-request-id": id })
        expect(answer.headers["content-encoding"]).toBe(encoding)
        expect(answer.headers["x-request-id"]).toBe(id)
        expect(answer.headers["content-type"]).toBe(headers["content-type"])
        expect(plain(answer)).toBe(body.toString())
      }
    })
  }
)

describe("compression", () => {
  it("skips a response with a key", async () => {
    const email = `${"日".repeat(64)}@example.org`
    const minted = await ask("POST", "/v1/keys/sandbox", { "accept-encoding": "br, gzip" }, { email })
    expect(minted.status).toBe(200)
    expect(minted.headers["content-encoding"]).toBeUndefined()
    expect(minted.body.length).toBeGreaterThan(1400)
  })

  it("skips an event stream", async () => {
    const key = await service().mint()
    const accepted = { accept: "text/event-stream", "accept-encoding": "br, gzip", "x-api-key": key }
    const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const outgoing = request(`${service().base}/mcp`, { headers: accepted }, (response) => {
        resolve(response.headers)
        outgoing.destroy()
      })
      outgoing.on("error", reject).end()
    })
    expect(headers["content-type"]).toMatch(/^text\/event-stream/)
    expect(headers["content-encoding"]).toBeUndefined()
  })

  it("skips a tile of the log, because hashes do not shrink", async () => {
    const ENTRIES = 45
    const key = await service().mint()
    const answers = Array.from({ length: ENTRIES }, () =>
      service().call("POST", "/v1/projection", { key, json: projection })
    )
    await Promise.all(answers)
    const bundle = () => ask("GET", `/log/tile/entries/000.p/${ENTRIES}`, { "accept-encoding": "br, gzip" })
    await until(async () => (await bundle()).status === 200)
    const { body, headers } = await bundle()
    expect(headers["content-type"]).toBe("application/octet-stream")
    expect(headers["content-encoding"]).toBeUndefined()
    expect(body.length).toBe(ENTRIES * 34)
    expect(body.length).toBeGreaterThan(1400)
  })
})
