/** How the service reads headers: the presented key, the client's address, Accept and If-None-Match. */
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
  it("is none under another scheme", () => expect(key({ authorization: "Digest k" })).toBeUndefined())
  it("is none when the bearer value holds a space", () => expect(key({ authorization: "Bearer a b" })).toBeUndefined())
  it("may be sent twice", () => expect(key({ "x-api-key": "k", authorization: "Bearer k" })).toBe("k"))
  it("is none when two differ", () => expect(key({ "x-api-key": "a", authorization: "Bearer b" })).toBeUndefined())
  it("is not disturbed by another scheme beside it", () =>
    expect(key({ "x-api-key": "k", authorization: "Basic eDp5" })).toBe("k"))
})

describe("the client's address [F36]", () => {
  it("is the peer's without trusted proxies, whatever is forwarded", () =>
    expect(clientAddress("192.0.2.1", "203.0.113.9", 0)).toBe("192.0.2.1"))
  it("is the last forwarded one behind one proxy, whatever the client put before it", () =>
    expect(clientAddress("10.0.0.1", "198.51.100.1, 203.0.113.9", 1)).toBe("203.0.113.9"))
  it("is the second last behind two", () =>
    expect(clientAddress("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", 2)).toBe("203.0.113.9"))
  it("is the peer's when fewer have written one than are trusted", () =>
    expect(clientAddress("192.0.2.1", "203.0.113.9", 2)).toBe("192.0.2.1"))
  it("is the peer's when what was forwarded is no address", () =>
    expect(clientAddress("192.0.2.1", "nonsense", 1)).toBe("192.0.2.1"))
  it.each([
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"]
  ])("is read from %s, as proxies write it", (entry, address) =>
    expect(clientAddress("10.0.0.1", `198.51.100.1, ${entry}`, 1)).toBe(address)
  )
  it.each(["203.0.113.9:", "203.0.113.9:x", "[203.0.113.9", "203.0.113.9:1:2", "[nonsense]:1"])(
    "is the peer's when the proxy wrote %s",
    (entry) => expect(clientAddress("10.0.0.1", entry, 1)).toBe("10.0.0.1")
  )
  it("is IPv4 when IPv6 only carries it", () => expect(limitedAddress("::ffff:192.0.2.1")).toBe("192.0.2.1"))
  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"]
  ])("counts %s by its /64", (address, prefix) => expect(limitedAddress(address)).toBe(prefix))
})

describe("Accept", () => {
  it.each(["text/html", "text/html, application/json;q=0.9", "text/html,application/xhtml+xml,*/*;q=0.8", "TEXT/HTML"])(
    "%s asks for the page",
    (accept) => expect(prefersHtml(accept)).toBe(true)
  )
  it.each([undefined, "", "*/*", "application/json", "text/html;q=0", "text/html;q=0.5, application/json", "text/*"])(
    "%s does not",
    (accept) => expect(prefersHtml(accept)).toBe(false)
  )
})

describe("If-None-Match [F52]", () => {
  it.each(['"rl1-a"', 'W/"rl1-a"', '"x", "rl1-a"', "*", "rl1-a", '"x" , W/"rl1-a"'])("%s matches", (header) =>
    expect(matchesEtag(header, "rl1-a")).toBe(true)
  )
  it.each([undefined, "", '"rl1-b"', '"rl1-"', 'w/"x"'])("%s does not", (header) =>
    expect(matchesEtag(header, "rl1-a")).toBe(false)
  )
})

describe("an inbound request id", () => {
  it.each(["a", "7f3c-1.B_z", "x".repeat(64)])("%s is kept", (id) => expect(inboundRequestId(id)).toBe(id))
  it.each([undefined, "", "x".repeat(65), "a b", "a\r\nb", "é"])("%j is replaced", (id) =>
    expect(inboundRequestId(id)).toBeUndefined()
  )
})
