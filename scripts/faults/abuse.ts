/** What callers do: bodies, headers, connections, floods and guesses. */
import { type Fault, shown } from "./fault.ts"

export const ABUSE: ReadonlyArray<Fault> = [
  {
    id: "F30",
    fault:
      "Malformed bodies by the thousand: cut, flipped bits, wrong types, deep, wide, huge numbers, lone surrogates",
    holds:
      "No 5xx, a small problem document each, no memory kept; what is refused takes no longer than what is valid, and others do not wait for it.",
    shown: [
      shown("test/fault/hostile.system.test.ts"),
      shown("test/http/bodies.test.ts", "is answered with 200 or a problem document, small and never ours"),
      shown("test/fault/fair.system.test.ts", "behind many of the largest comparisons"),
      shown("test/fault/fair.test.ts", "refused bodies have a price"),
      shown("test/request/problemsOf.test.ts", "looks for no more problems than it tells", "does not look at the")
    ],
    reason: "The second tier sends 1,100 bodies; `FAULT_SCALE=10` sends ten times as many."
  },
  {
    id: "F31",
    fault: "A body that is nothing but nesting, 200,000 members, a text of a megabyte, one member again and again",
    holds: "400 or 413, and less than 32 KB said about it.",
    shown: [
      shown("test/http/bodies.test.ts", "is refused, in few words", "names a field that is sent twice"),
      shown("test/request/jsonScan.test.ts")
    ]
  },
  {
    id: "F32",
    fault: "Valid requests drawn from the edges of the law",
    holds:
      "200 that its own schema accepts to the last member, or a documented refusal; the figures agree among themselves.",
    shown: [
      shown("test/fault/valid.system.test.ts"),
      shown("property-tests/laws.test.ts"),
      shown("property-tests/engine-agrees.test.ts")
    ],
    reason:
      "The second tier sends 600 and computes some 6,000 more without HTTP; `FAULT_SCALE=20` sends 12,000, `npm run x -- agreement` computes as many as asked."
  },
  {
    id: "F33",
    fault: "Sixteen of the largest comparisons at once",
    holds: "Each within 250 ms of the service's own time, and everybody else within 50.",
    shown: [
      shown("test/fault/largest.system.test.ts"),
      shown("test/fault/fair.system.test.ts", "/health waits for hardly any of them")
    ]
  },
  {
    id: "F34",
    fault: "Slow headers, slow bodies, and more idle connections than there are places",
    holds: "Closed after 10 and 15 s, gone soon after; nobody else is kept out.",
    shown: [
      shown("test/fault/slow.system.test.ts"),
      shown("test/fault/crowd.system.test.ts"),
      shown("test/http/listener.system.test.ts")
    ]
  },
  {
    id: "F35",
    fault: "Two framings, an unknown method, no Host or two, 32 KB of headers, line ends in a header",
    holds: "400 or 431, the connection is closed, and what follows on it is not answered.",
    shown: [
      shown("test/http/bodies.test.ts", "is a problem document and the end of the connection"),
      shown("test/http/requestHead.test.ts", "is refused, whatever it asks for", "is none in"),
      shown("test/http/connections.test.ts", "what is no HTTP, behind a request that came whole,")
    ]
  },
  {
    id: "F36",
    fault: "A scan of record ids from one address, with forged `X-Forwarded-For`",
    holds: "429 after the limit; a forged address changes nothing, behind a proxy or without one.",
    shown: [
      shown("test/fault/strangers.test.ts", "is held to the limit of its real address, whatever it claims"),
      shown("test/http/quota.test.ts", "believe no forwarded address without trusted proxies"),
      shown("test/http/requestHeaders.test.ts", "the client's address")
    ]
  },
  {
    id: "F37",
    fault: "Calls from a million addresses",
    holds: "A bounded map, which forgets those not heard of for longest.",
    shown: [
      shown("test/services/RateLimits.test.ts", "forgets the client not heard of for longest, and no other"),
      shown("test/services/RecentMap.test.ts")
    ]
  },
  {
    id: "F38",
    fault: "Keyless calculations without end",
    holds: "A call with a key waits for few of them.",
    shown: [shown("test/fault/fair.system.test.ts", "behind keyless calculations without end")]
  },
  {
    id: "F43",
    fault: "Guessed keys: a right beginning, revoked, expired, mistyped, 8 KB long, two that differ",
    holds:
      "One 401 with its challenge for all; a key that cannot be one is never looked up, and who guesses on has to wait.",
    shown: [
      shown(
        "test/fault/strangers.test.ts",
        "is refused in one way, whatever is right about it",
        "has to wait, while keys that were valid lately do not"
      ),
      shown("test/http/refusals.test.ts", "answers the same 401 with a challenge to"),
      shown("test/http/requestHead.test.ts", "at the routes and at the tool server"),
      shown("test/http/outage.test.ts", "a key that cannot be one is refused without the database"),
      shown("test/services/keys/apiKey.test.ts")
    ]
  },
  {
    id: "F44",
    fault: "The time of a refusal, of a guess behind a known beginning and of any other",
    holds: "They differ by no more than a shared machine hides: a key is looked up by its keyed hash alone.",
    shown: [shown("test/fault/strangers.system.test.ts", "is refused no sooner and no later than any other")],
    reason:
      "A difference of one percent cannot be told on a shared machine; `FAULT_SCALE=30` reports the medians of 18,000 guesses."
  },
  {
    id: "F45",
    fault: "A member that no schema has, at every level of every request",
    holds: "400 that names its path, over both surfaces.",
    shown: [shown("test/fault/members.test.ts"), shown("test/mcp/tools.test.ts", "a member that no tool has")]
  },
  {
    id: "F46",
    fault: "Every path with every method",
    holds: "Its own methods answer, and no others: 405 with those that it has, 404 elsewhere.",
    shown: [
      shown("test/http/everyRoute.test.ts", "answers its own methods, HEAD beside GET"),
      shown("test/http/refusals.test.ts", "and OPTIONS alone", "does not exist"),
      shown("test/http/requestHead.test.ts", "does not exist")
    ]
  },
  {
    id: "F47",
    fault: "Keys by the dozen from one address, or for one mailbox",
    holds: "429 after the limit of an address; a mailbox gets five mails a day and no more.",
    shown: [
      shown("test/http/quota.test.ts", "per address"),
      shown("test/fault/strangers.test.ts", "a stranger who requests keys for somebody else's address")
    ],
    reason:
      "Mints for one mailbox are not refused: otherwise whoever has asked for an address before would keep its owner from a key."
  },
  {
    id: "F48",
    fault: "The headers of every route",
    holds: "No sniffing, CORS, a policy for content and one for caches; no name of software and no stack.",
    shown: [
      shown(
        "test/http/everyRoute.test.ts",
        "has the headers of every answer, and its own cache policy",
        "has every path with a cache policy of its own"
      ),
      shown("test/http/responseHeaders.test.ts"),
      shown("test/http/edge.test.ts")
    ]
  },
  {
    id: "F49",
    fault: "Text that is code to a database, in every string, cursor, path and header",
    holds: "400 or 404, or kept as text; no word of SQL comes back; statements take values as parameters alone.",
    shown: [shown("test/fault/injection.test.ts"), shown("test/architecture.test.ts", "statements of SQL")]
  },
  {
    id: "F50",
    fault: "Somebody reads the logs",
    holds: "No key, address or figure is in them.",
    shown: [
      shown("test/main.system.test.ts", "hold no key, no address, no figure and no path as it was asked"),
      shown("test/fault/hostile.system.test.ts", "has logged no crash and no secret"),
      shown("test/fault/killed-database.system.test.ts", "leave no key, address or figure in the logs"),
      shown("test/fault/killed-service.system.test.ts", "leave no key, address or figure in the logs"),
      shown("test/fault/nodes.system.test.ts", "hold no key, address or figure"),
      shown("test/fault/races.system.test.ts", "hold no key, address or figure"),
      shown("test/fault/revoked.system.test.ts", "hold no key, address or figure"),
      shown("test/fault/stopping.system.test.ts", "hold no key, address or figure"),
      shown("test/fault/unreliable-database.system.test.ts", "hold no key, address or figure"),
      shown("test/fault/valid.system.test.ts", "leave no crash and no secret in the logs"),
      shown("test/fault/workers.system.test.ts", "hold no secret")
    ],
    reason: "`.ci/run` also searches what a run of all tests has printed."
  },
  {
    id: "F51",
    fault: "Markup in a field of the page of a record",
    holds: "It is shown as text, and a browser runs no script but the page's own.",
    shown: [
      shown("test/http/verifyPage.test.ts"),
      shown("test/http/contract.test.ts", "shows the same record as a page to who asks for one"),
      shown("test/http/rulesPages.test.ts", "is shown as text, whatever it holds")
    ]
  },
  {
    id: "F52",
    fault: "`If-None-Match` in every form: exact, weak, a list, `*`, unquoted, stale, with HEAD",
    holds: "304 with the ETag and without a body where RFC 9110 has it, 200 elsewhere.",
    shown: [
      shown("test/http/responseHeaders.test.ts", "answers 304", "answers 200 to"),
      shown("test/http/requestHeaders.test.ts", "If-None-Match")
    ]
  }
]
