/** Malformed and hostile bodies: every answer is a small problem document, never a server error. */

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { newSeedOr, runs } from "../support/random.ts"
import { calculator, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService()
const JSON_TYPE = { "content-type": "application/json" }

const calculate = async (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
  service().call("POST", "/v1/calculators/loan", { body, headers })

const refused = async (body: string | Uint8Array): Promise<ReadonlyArray<string>> => {
  const { errors } = await expectProblem(await calculate(body), 400, "validation")
  return errors!["body"] ?? []
}

const valid = JSON.stringify(calculator)
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")}}`

describe("a body that is not JSON", () => {
  it.each([
    ["cut off", valid.slice(0, -1), /ends too early/],
    ["empty", "", /is required/],
    ["NaN", '{"balance":NaN}', /unexpected character at line 1, column 12/],
    ["with a byte order mark", `\ufeff${valid}`, /byte order mark/],
    ["with a lone surrogate", '{"state":"\\ud800"}', /surrogate/],
    ["nested 3,000 deep", "[".repeat(3000), /nested more than 16 deep/],
    ["an object of 200 members", members(200), /128 members/],
    ["two values", `${valid}${valid}`, /unexpected character/]
  ])("is refused when it is %s", async (_, body, message) => expect((await refused(body))[0]).toMatch(message))

  it("is refused when it is not UTF-8", async () =>
    expect(await refused(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toEqual(["is not valid UTF-8"]))

  it("is answered with the name of a field that is sent twice [F31]", async () => {
    const { errors } = await expectProblem(await calculate(`${valid.slice(0, -1)},"balance":1}`), 400, "validation")
    expect(errors).toEqual({ balance: ["is sent more than once; send it once"] })
  })

  it("is never echoed in the answer", async () => {
    const response = await calculate('{"balance": slr_live_0123456789}')
    expect(await response.text()).not.toContain("slr_live_0123456789")
  })
})

describe("a body that is not an object", () => {
  it.each([
    ["/v1/calculators/loan", /must be a JSON object with balance, ratePct and borrowerAgi/],
    ["/v1/explain", /must be a JSON object with scenario and loans/],
    ["/v1/keys/sandbox", /must be a JSON object with email/],
    ["/v1/keys/claim", /must be a JSON object with sandboxKey/]
  ])("is refused by %s with the fields to send", async (path, message) => {
    for (const body of ["null", "[]", "5", '"x"', "true"]) {
      const response = await service().call("POST", path, { body, headers: JSON_TYPE })
      const { errors } = await expectProblem(response, 400, "validation")
      expect(errors!["body"]![0]).toMatch(message)
    }
  })
})

describe("a number field", () => {
  it.each(["1e999", '"Infinity"', '"5"', "null", "[]", "{}", "true", "-0.01", "100000000.01"])(
    "refuses %s",
    async (number) => {
      const { errors } = await expectProblem(await calculate(valid.replace("60000", number)), 400, "validation")
      expect(Object.keys(errors!)).toEqual(["balance"])
    }
  )
})

describe("the media type check", () => {
  it.each([
    "application/json; charset=utf-8",
    'application/json; charset="UTF-8"',
    "Application/JSON",
    "application/json;"
  ])("accepts %s", async (type) => expect((await calculate(valid, { "content-type": type })).status).toBe(200))

  it.each([
    "text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/problem+json",
    ""
  ])("refuses '%s'", async (type) => {
    await expectProblem(await calculate(valid, { "content-type": type }), 415, "unsupported-media-type")
  })

  it.each(["gzip", "br", "deflate"])("refuses the content encoding %s", async (encoding) => {
    const response = await calculate(valid, { ...JSON_TYPE, "content-encoding": encoding })
    await expectProblem(response, 415, "unsupported-media-type")
  })
})

describe("the size limit", () => {
  const padded = (bytes: number) => valid.padEnd(bytes)

  it("accepts 16 KiB and refuses one byte more", async () => {
    expect((await calculate(padded(16 * 1024))).status).toBe(200)
    await expectProblem(await calculate(padded(16 * 1024 + 1)), 413, "payload-too-large")
  })

  it("accepts a loan book of 1 MiB and refuses one byte more", async () => {
    const key = await service().mint()
    const text = JSON.stringify(projection)
    const send = async (bytes: number) =>
      service().call("POST", "/v1/projection", { body: text.padEnd(bytes), headers: JSON_TYPE, key })
    expect((await send(1024 * 1024)).status).toBe(200)
    await expectProblem(await send(1024 * 1024 + 1), 413, "payload-too-large")
  })

  it("stops the reading of a chunked body, answers 413 and closes the connection", async () => {
    const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`
    const answer = await service().raw(
      `POST /v1/calculators/loan HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/connection: close/i)
    expect(answer).toContain("/problems/payload-too-large")
  })
})

describe("a body that repeats or inflates one element", () => {
  it.each([
    ["6 KB of brackets", "[".repeat(6000), 400],
    ["6 KB of objects", '{"a":'.repeat(1200), 400],
    ["200,000 members", members(200_000), 413],
    ["90,000 members, which the limit of bytes lets in", members(90_000), 400],
    ["200,000 times one member", `{${'"":0,'.repeat(200_000)}"":0}`, 400],
    ["text of a megabyte", JSON.stringify("x".repeat(1_000_000)), 400],
    ["text of a megabyte in a field", JSON.stringify({ ...projection, scenario: "x".repeat(1_000_000) }), 400],
    ["a name of a megabyte", JSON.stringify({ ...projection, ["x".repeat(1_000_000)]: 1 }), 400]
  ])("is refused with a short answer: %s [F31]", async (_, body, status) => {
    const key = await service().mint()
    const response = await service().call("POST", "/v1/projection", { body, headers: JSON_TYPE, key })
    await expectProblem(response, status, status === 413 ? "payload-too-large" : "validation")
  })
})

describe("a body in small chunks", () => {
  const inPieces = async (bytes: number) => {
    const key = await service().mint()
    const text = JSON.stringify(projection).padEnd(200_000, " ")
    const pieces = Array.from({ length: Math.ceil(text.length / bytes) }, (_, n) => {
      const piece = text.slice(n * bytes, (n + 1) * bytes)
      return `${piece.length.toString(16)}\r\n${piece}\r\n`
    })
    return service().raw(
      `POST /v1/projection HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${pieces.join("")}0\r\n\r\n`
    )
  }

  it("is refused for that reason, and the connection is closed", async () => {
    const answer = await inPieces(100)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain("/problems/validation")
    expect(answer).toContain('"body":["arrives in too many small chunks: send fewer, larger ones"]')
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it("is accepted with any number of chunks of 512 bytes", async () => {
    expect(await inPieces(512)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe("input that is not a valid request", () => {
  const GET = "GET /health HTTP/1.1\r\nHost: x\r\n"
  const POST = "POST /v1/keys/sandbox HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
  const padded = (bytes: number) => `${GET}X-Padding: ${"x".repeat(bytes)}\r\n\r\n`

  it.each([
    ["no Host", "GET /health HTTP/1.1\r\n\r\n", 400],
    ["a broken request line", "GARBAGE\r\n\r\n", 400],
    ["an unknown method", GET.replace("GET", "FOO").concat("\r\n"), 400],
    ["two framings", `${POST}Content-Length: 5\r\n\r\n0\r\n\r\n`, 400],
    ["a broken chunk", `${POST}Content-Type: application/json\r\n\r\nzz\r\n`, 400],
    ["headers of 20 KB", padded(20_000), 431],
    ["headers of 32 KB", padded(32_768), 431],
    ["a return in a header", `${GET}X-A: a\rX-B: b\r\n\r\n`, 400],
    ["a new line in a header", `${GET}X-A: a\nX-B: b\r\n\r\n`, 400],
    ["a line that goes on", `${GET}X-A: a\r\n b\r\n\r\n`, 400]
  ])("gets a problem document and a closed connection: %s [F35]", async (_, text, status) => {
    const answer = await service().raw(`${text}${GET}\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
    expect(answer).toContain(`/problems/${status === 400 ? "malformed-request" : "headers-too-large"}"`)
    // So that a page of another origin can read it.
    expect(answer).toMatch(/^access-control-allow-origin: \*\r$/im)
  })
})

it("a body that is announced and sent at once is confirmed, and the connection stays open", async () => {
  const body = JSON.stringify(calculator)
  const answers = await service().raw(
    `POST /v1/calculators/loan HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  )
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 200", "HTTP/1.1 200"])
})

describe("an arbitrary body", () => {
  const MAX_ANSWER_BYTES = 32 * 1024
  const seed = JSON.stringify({ ...calculator, filingStatus: "MFJ", spouseAgi: 1, state: "NC", pursuingPslf: true })
  const damage = fc.tuple(fc.nat(seed.length), fc.nat(4), fc.string({ maxLength: 4, unit: "binary" }))
  const damaged = fc
    .array(damage, { minLength: 1, maxLength: 4 })
    .map((damages) => damages.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), seed))
  const anything = fc.oneof(damaged, fc.json(), fc.uint8Array({ maxLength: 200 }))

  it("is answered with 200 or a small 400 problem, never with a server error [F30]", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        const response = await calculate(body)
        const text = await response.text()
        expect([200, 400]).toContain(response.status)
        expect(text.length).toBeLessThan(MAX_ANSWER_BYTES)
        const type = response.status === 200 ? "application/json" : "application/problem+json"
        expect(response.headers.get("content-type")).toBe(type)
      }),
      { numRuns: runs(300, 1500), seed: newSeedOr(20261124) }
    )
  })

  it("is answered with the names of unknown properties at every level", async () => {
    const key = await service().mint()
    const json = { scenario: { ...scenario, a: 1 }, loans: [{ ...projection.loans[0], b: 1 }], c: 1 }
    const response = await service().call("POST", "/v1/projection", { json, key })
    const { errors } = await expectProblem(response, 400, "validation")
    expect(Object.keys(errors!).sort()).toEqual(["c", "loans[0].b", "scenario.a"])
  })
})
