/** Allowed origins of pages, by the listening address and the public addresses of the service. */
import { describe, expect, it } from "vitest"
import { originCheck } from "../../src/mcp/origin.ts"

const settings = {
  host: "127.0.0.1",
  publicUrl: "https://api.example.test/base",
  mcpUrl: "https://mcp.example.test/mcp"
}

const check = (host: string, origin: string | undefined) => originCheck({ ...settings, host })(origin)

describe("an Origin", () => {
  it.each([undefined, "https://api.example.test", "https://mcp.example.test"])(
    "of %s may call any listener",
    (origin) => {
      for (const host of ["127.0.0.1", "0.0.0.0"]) expect(check(host, origin)).toBe(true)
    }
  )

  it.each(["http://localhost:3000", "https://localhost", "http://127.0.0.1:6274", "http://[::1]:1"])(
    "of %s may call only a loopback listener",
    (origin) => {
      for (const host of ["127.0.0.1", "127.0.0.53", "localhost", "::1"]) expect(check(host, origin)).toBe(true)
      for (const host of ["0.0.0.0", "::", "192.0.2.1", "api.example.test"]) expect(check(host, origin)).toBe(false)
    }
  )

  it.each([
    "",
    "null",
    "api.example.test",
    "http://api.example.test",
    "https://api.example.test:8443",
    "https://api.example.test/",
    "https://user@api.example.test",
    "https://evil.example",
    "ftp://localhost",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example"
  ])("of %j may not call", (origin) => {
    expect(check("127.0.0.1", origin)).toBe(false)
  })
})
