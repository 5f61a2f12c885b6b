/**
 * Generators of hostile request lines and headers, as a broken proxy or a scanner might send them.
 * fast-check repeats them from a seed. The right answers are not known here.
 */
import fc from "fast-check"

const SEGMENTS = [
  ..."v1 verify records projection rules version me keys sandbox health mcp problems openapi.json docs".split(" "),
  ..."%00 %ff %2e%2e %2F %5c .. . %u0041 %zz % * ~ ; @ : é \u{1f600} __proto__ constructor null undefined NaN".split(
    " "
  ),
  ..."' \" ` <script> {{7*7}} -1 0 9223372036854775808 00000000-0000-4000-8000-000000000000".split(" "),
  "a".repeat(300),
  "9".repeat(3000)
]
const QUERIES = [
  "",
  "?",
  "?limit=0",
  "?limit=1e3&limit=1",
  "?cursor=-1",
  "?cursor=9223372036854775807",
  "?cursor=9223372036854775808",
  "?from=2026-02-30T00:00:00Z",
  "?from=%00",
  "?to=%ff",
  "?from=275761-01-01T00:00:00Z",
  "?__proto__=1",
  `?limit=${"1".repeat(4000)}`,
  `?${"a=1&".repeat(500)}`,
  "?a[b]=c&limit[]=1",
  "?%",
  "#x"
]
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "FOO"]

const HEADERS = [
  "Accept: ",
  `Accept: ${"text/html,".repeat(500)}`,
  "Accept: text/html;q=NaN, */*;q=-1",
  'If-None-Match: "',
  `If-None-Match: ${'"x",'.repeat(2000)}`,
  "X-Request-Id: ../../etc/passwd",
  `X-Request-Id: ${"r".repeat(5000)}`,
  "X-Forwarded-For: 1.1.1.1, , ::::, 999.1.1.1, %00",
  `X-Forwarded-For: ${"1.1.1.1,".repeat(1000)}`,
  "Authorization: Bearer",
  "Authorization: Bearer é",
  `Authorization: Bearer ${"k".repeat(8000)}`,
  "X-Api-Key: \u00ff",
  "Content-Type: application/json; charset=utf-7",
  "Content-Type: multipart/form-data; boundary=",
  "Content-Encoding: gzip, br",
  "Expect: 200-ok",
  "Origin: null",
  "Origin: http://evil.example",
  "Host: evil.example:99999",
  "traceparent: 00-zz-zz-zz",
  "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  "Mcp-Protocol-Version: 1",
  "Upgrade: websocket",
  "Connection: upgrade, keep-alive, x",
  "Range: bytes=0-",
  "Cookie: a=b",
  ...Array.from({ length: 3 }, (_, index) => Array.from({ length: 60 }, (__, n) => `X-${index}-${n}: 1`).join("\r\n"))
]

/** Headers that the HTTP parser itself must refuse. */
const ILLEGAL_HEADERS = [
  "Transfer-Encoding: identity",
  "Transfer-Encoding: chunked, chunked",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 1e3",
  " Folded: header",
  "No colon",
  "Null\u0000: byte",
  ": nameless"
]

const paths: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      "/",
      "//",
      "/./",
      "/v1/",
      "/v1/verify/",
      "/v1/records",
      "/v1/rules",
      "/problems/",
      "http://x/v1/",
      ""
    ),
    fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 4 }),
    fc.constantFrom(...QUERIES)
  )
  .map(([root, segments, query]) => `${root}${segments.join("/")}${query}`)

/** A usual value, or in one case of `rarity` a rare one. */
const rarely = <A>(usual: ReadonlyArray<A>, rare: ReadonlyArray<A>, rarity: number): fc.Arbitrary<A> =>
  fc.oneof(
    { weight: rarity - 1, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) }
  )

/** Raw requests without a body; about two thirds contain `key`. */
export const hostileRequests = (key: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      rarely(["GET", "GET", "HEAD", "POST"], METHODS, 3),
      fc.oneof(
        paths,
        fc.constantFrom(...QUERIES).map((query) => `/v1/records${query}`)
      ),
      fc.array(rarely(HEADERS, ILLEGAL_HEADERS, 12), { maxLength: 4 }),
      rarely([["Host: x"], ["Host: x", `X-Api-Key: ${key}`], ["Host: x", `Authorization: Bearer ${key}`]], [[]], 20),
      rarely(["HTTP/1.1"], ["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", ""], 20)
    )
    .map(([method, path, headers, known, version]) =>
      [`${method} ${path} ${version}`, ...known, ...headers, "Connection: close", "", ""].join("\r\n")
    )
