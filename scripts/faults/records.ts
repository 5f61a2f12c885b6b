/** Faults of keys, payments and records: races, replays, and what somebody does to the database by hand. */
import { type Fault, shown } from "./fault.ts"

export const RECORDS: ReadonlyArray<Fault> = [
  {
    id: "F12",
    fault: "Quota race: 200 calls at once on a month of 100, over two processes, REST and tools alike",
    holds: "Exactly 100 pass, each with a record; and any sequence of calls and keys comes out as a model says.",
    shown: [
      shown(
        "test/fault/nodes.system.test.ts",
        "over two nodes, REST and tools alike, pass exactly as often as is left"
      ),
      shown("test/services/answers/Charging.test.ts", "exactly the remaining number pass, each with its record"),
      shown("test/mcp/parallel.test.ts", "get exactly the month between them"),
      shown("property-tests/quota.model.test.ts")
    ],
    reason:
      "The second tier plays the model 200 times, each time from another seed; `PROPERTY_RUNS=1000` plays it longer."
  },
  {
    id: "F13",
    fault: "Calls are refused, or withheld because the database is away",
    holds: "They are not charged: `/v1/me` counts itself alone.",
    shown: [
      shown("test/http/quota.test.ts", "does not count what is refused"),
      shown("test/http/refusals.test.ts", "does not charge for them"),
      shown("test/http/outage.test.ts", "nothing that was refused has been charged")
    ]
  },
  {
    id: "F14",
    fault: "Claim race: fifty claims at once with one sandbox key, over two processes",
    holds: "Each hands out a key, one of them lives, and the others are 401.",
    shown: [
      shown("test/fault/races.system.test.ts", "claims at once with one sandbox key"),
      shown("test/services/payments/Subscriptions.test.ts", "of 50 claims all succeed and one key lives")
    ]
  },
  {
    id: "F15",
    fault: "A claim against the first use of the key that was mailed",
    holds: "Either the claim succeeds and the use is 401, or the use succeeds and the claim is 409.",
    shown: [
      shown("test/fault/races.system.test.ts", "never both succeed and never both fail"),
      shown(
        "test/services/payments/Subscriptions.test.ts",
        "of a claim and the first use of the key exactly one succeeds"
      )
    ]
  },
  {
    id: "F16",
    fault: "Mints at once for one address, over two processes",
    holds: "One key lives, and the others are 401.",
    shown: [
      shown("test/fault/races.system.test.ts", "mints at once for one address"),
      shown("test/services/keys/Keys.test.ts", "is the only one of its address after 20 mints at once")
    ]
  },
  {
    id: "F17",
    fault: "One payment event twenty times at once, over two processes",
    holds: "One subscription and one mail.",
    shown: [
      shown("test/fault/races.system.test.ts", "is acknowledged each time and applied once"),
      shown("test/services/payments/Subscriptions.test.ts", "a repeated event is applied once")
    ]
  },
  {
    id: "F18",
    fault: "Payment events out of order: the end before the payment",
    holds: "The state is the one that they come to in order.",
    shown: [
      shown(
        "test/services/payments/Subscriptions.test.ts",
        "end in the same state in every order",
        "in every order and for whatever tells the product"
      ),
      shown("property-tests/payments/payments.model.test.ts")
    ]
  },
  {
    id: "F19",
    fault: "Payment events with a wrong signature, an old one, none, or with one blank more",
    holds: "400 with one text, and no effect.",
    shown: [
      shown("test/http/claims.test.ts", "is refused with one text, and has no effect"),
      shown(
        "test/services/payments/StripeEvents.test.ts",
        "that is missing, wrong, stale, or of another body is refused"
      )
    ]
  },
  {
    id: "F25",
    fault: "What puts records into the log dies at any step",
    holds: "The log is the tree of the records, and no checkpoint contradicts an earlier one.",
    shown: [
      shown("test/services/log/Sequencer.test.ts", "killed in between, leave no gap and no double"),
      shown("test/services/log/intent.system.test.ts"),
      shown("test/fault/everyPosition.test.ts", "is done or unavailable, never half"),
      shown("test/fault/killed-service.system.test.ts", "leave a log in which each record is one entry")
    ]
  },
  {
    id: "F26",
    fault: "A record is edited, removed, moved or added by hand",
    holds: "`repay audit` names the first entry that is wrong, and what was done, and exits with 1.",
    shown: [
      shown("test/cli/log.test.ts", "ends with 1 and names", "finds all records in their places"),
      shown("test/services/log/audit.test.ts"),
      shown("test/services/log/audit.system.test.ts")
    ]
  },
  {
    id: "F27",
    fault: "An older backup is put in the database's place",
    holds:
      "No smaller tree is signed by a service that has seen the larger one; a checkpoint that somebody kept shows it.",
    shown: [
      shown(
        "test/services/log/continuity.system.test.ts",
        "by a shorter history that was signed once is not signed on before a restart",
        "by another history of the same length or longer is not signed on",
        "never falls, never loses its checkpoint"
      ),
      shown("test/services/log/audit.test.ts", "shows that an older backup was restored"),
      shown("test/cli/log.test.ts", "sees by a checkpoint that was kept that the log has gone back"),
      shown("test/cli/logWatch.test.ts", "a log that changes its history")
    ],
    reason:
      "A service that starts on an older backup signs on: nothing in the database can tell it, only a checkpoint that was kept elsewhere (docs/verification.md)."
  },
  {
    id: "F41",
    fault: "Records asked for with another account's key or cursor, a negative cursor, the largest there is",
    holds: "Own records only, and 400 for what is no cursor.",
    shown: [
      shown("test/http/contract.test.ts", "shows nothing of another account, even with its cursor"),
      shown("test/http/refusals.test.ts", "refuses the records query"),
      shown(
        "test/services/answers/AnswerLedger.test.ts",
        "holds the rows of one account only, whatever cursor is sent",
        "goes by nothing of another account, whose row a cursor may name"
      )
    ]
  },
  {
    id: "F42",
    fault: "Somebody reads the record of an answer, its page, or the list of records",
    holds: "No byte of any input, of the key or of the account is there, whatever was asked.",
    shown: [
      shown("test/fault/strangers.test.ts", "holds no byte of its inputs, its key or its account, whatever was asked"),
      shown("test/http/log.test.ts", "names no request in a tile")
    ]
  },
  {
    id: "F54",
    fault: "The same request in another spelling, order or with its defaults written out",
    holds: "The same hash of inputs, and another for every other request; the text that is hashed is that of RFC 8785.",
    shown: [
      shown("property-tests/inputs-hash.test.ts"),
      shown("test/services/answers/InputsHash.test.ts"),
      shown("test/http/contract.test.ts", "gives equal inputs an equal hash, however they are written")
    ]
  },
  {
    id: "F55",
    fault: "The same request through a route and through its tool",
    holds: "The same figures, the same record, one charge each; a refusal names the same fields.",
    shown: [
      shown("test/mcp/agrees.test.ts"),
      shown("test/mcp/tools.test.ts", "refused arguments", "leaves a record that the REST API shows and verifies")
    ]
  }
]
