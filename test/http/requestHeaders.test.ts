/** Parsing of request headers: key, client address, Accept, If-None-Match and request id. */
import { Headers } from "effect/http"
import { describe, expect, it } from "vitest"
import { clientAddress, limitedAddress } from "../../src/http/address.ts"
import { presentedKey } from "../../src/http/auth.ts"
import { matchesEtag } from "../../src/http/etag.ts"
import { prefersHtml } from "../../src/http/negotiation.ts"
import { inboundRequestId } from "../../src/http/requestState.ts"

const key = (headers: Record<string, string>) => presentedKey(Headers.fromInput(headers))

describe("the presented key", () => {
  it("is taken from X-Api-Key", () => expect(key({ "x-api-key": "k" })).toBe("k"))
  it("is taken from a bearer value", () => expect(key({ authorization: "Bearer k" })).toBe("k"))
  it("ignores the case of the scheme and extra spaces", () => expect(key({ authorization: "bEARER   k" })).toBe("k"))
  it("is absent under another scheme", () => expect(key({ authorization: "Digest k" })).toBeUndefined())
  it("is absent if the bearer value contains a space", () =>
    expect(key({ authorization: "Bearer a b" })).toBeUndefined())
  it("may be sent in both headers", () => expect(key({ "x-api-key": "k", authorization: "Bearer k" })).toBe("k"))
  it("is absent if the two headers differ", () =>
    expect(key({ "x-api-key": "a", authorization: "Bearer b" })).toBeUndefined())
  it("is read from X-Api-Key next to another scheme", () =>
    expect(key({ "x-api-key": "k", authorization: "Basic eDp5" })).toBe("k"))
})

describe("the client's address [F36]", () => {
  it("is the peer's without trusted proxies, and forwarded ones are ignored", () =>
    expect(clientAddress("192.0.2.1", "203.0.113.9", 0)).toBe("192.0.2.1"))
  it("is the last forwarded one behind one proxy, and earlier ones are ignored", () =>
    expect(clientAddress("10.0.0.1", "198.51.100.1, 203.0.113.9", 1)).toBe("203.0.113.9"))
  it("is the second last forwarded one behind two proxies", () =>
    expect(clientAddress("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", 2)).toBe("203.0.113.9"))
  it("is the peer's if there are fewer entries than trusted proxies", () =>
    expect(clientAddress("192.0.2.1", "203.0.113.9", 2)).toBe("192.0.2.1"))
  it("is the peer's if the forwarded entry is not an address", () =>
    expect(clientAddress("192.0.2.1", "nonsense", 1)).toBe("192.0.2.1"))
  it.each([
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"]
  ])("is read from the proxy format %s", (entry, address) =>
    expect(clientAddress("10.0.0.1", `198.51.100.1, ${entry}`, 1)).toBe(address)
  )
  it.each(["203.0.113.9:", "203.0.113.9:x", "[203.0.113.9", "203.0.113.9:1:2", "[nonsense]:1"])(
    "is the peer's if the proxy wrote %s",
    (entry) => expect(clientAddress("10.0.0.1", entry, 1)).toBe("10.0.0.1")
  )
  it("is IPv4 if it is mapped into IPv6", () => expect(limitedAddress("::ffff:192.0.2.1")).toBe("192.0.2.1"))
  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"]
  ])("is counted by its /64: %s", (address, prefix) => expect(limitedAddress(address)).toBe(prefix))
})

describe("Accept", () => {
  it.each(["text/html", "text/html, application/json;q=0.9", "text/html,application/xhtml+xml,*/*;q=0.8", "TEXT/HTML"])(
    "selects the page: %s",
    (accept) => expect(prefersHtml(accept)).toBe(true)
  )
  it.each([undefined, "", "*/*", "application/json", "text/html;q=0", "text/html;q=0.5, application/json", "text/*"])(
    "selects JSON: %s",
    (accept) => expect(prefersHtml(accept)).toBe(false)
  )
})

describe("If-None-Match [F52]", () => {
  it.each(['"rl1-a"', 'W/"rl1-a"', '"x", "rl1-a"', "*", "rl1-a", '"x" , W/"rl1-a"'])("matches: %s", (header) =>
    expect(matchesEtag(header, "rl1-a")).toBe(true)
  )
  it.each([undefined, "", '"rl1-b"', '"rl1-"', 'w/"x"'])("does not match: %s", (header) =>
    expect(matchesEtag(header, "rl1-a")).toBe(false)
  )
})

describe("a request id from the client", () => {
  it.each(["a", "7f3c-1.B_z", "x".repeat(64)])("is kept: %s", (id) => expect(inboundRequestId(id)).toBe(id))
  it.each([undefined, "", "x".repeat(65), "a b", "a\r\nb", "é"])("is replaced: %j", (id) =>
    expect(inboundRequestId(id)).toBeUndefined()
  )
})
