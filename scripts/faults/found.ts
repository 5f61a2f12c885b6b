/** Faults that were found by attacking the service, beyond those that were thought of before. */
import { type Fault, shown } from "./fault.ts"

export const FOUND: ReadonlyArray<Fault> = [
  {
    id: "F58",
    fault: "A payer whose key the operator has revoked claims another",
    holds:
      "No claim, mail or payment brings one until the operator allows it; a sandbox key that was revoked claims nothing.",
    shown: [
      shown(
        "test/services/payments/Administration.test.ts",
        "holds its subscription: no claim, no mail and no payment brings another key until it is allowed",
        "bars its claims, and other keys of its address",
        "at the same time as a claim leaves no live key"
      ),
      shown("test/services/payments/reversals.test.ts", "a full refund or a dispute")
    ]
  },
  {
    id: "F59",
    fault: "A key is revoked, expires or is replaced while two processes remember it",
    holds: "What is asked afterwards is refused by both, and nothing more is charged.",
    shown: [shown("test/fault/revoked.system.test.ts"), shown("test/http/remembered.test.ts")]
  },
  {
    id: "F60",
    fault: "One of several workers dies while the database is away, or right after its start",
    holds: "The others go on, and it is replaced as soon as that can be, after pauses that grow.",
    shown: [shown("test/fault/workers.system.test.ts")]
  },
  {
    id: "F61",
    fault: "A payment for another product, in test mode, of a connected account, over nothing",
    holds: "It entitles to nothing.",
    shown: [
      shown(
        "test/services/payments/StripeEvents.test.ts",
        "of a one-time payment of another product pays nothing, however large",
        "is not paid by a checkout over nothing",
        "is not sold by an account that is connected to ours",
        "is paid in live mode, unless test mode is configured"
      ),
      shown("test/http/claims.test.ts", "is acknowledged, and entitles to nothing")
    ]
  },
  {
    id: "F62",
    fault: "A payment that cannot be applied: no address, two, or one that no mail reaches",
    holds: "It is one line in the log with Stripe's id, and is counted; a key that was mailed to nobody stops.",
    shown: [
      shown("test/services/payments/unapplied.test.ts"),
      shown("test/services/mail/Outbox.test.ts", "mails it again when the operator allows it")
    ]
  },
  {
    id: "F63",
    fault: "Payment events that a stranger forges, large and many",
    holds: "They are refused unread where they can be, never parsed, and others wait for few of them.",
    shown: [
      shown("test/http/claims.test.ts", "before its body is read", "is not looked into before it is verified"),
      shown("test/fault/fair.system.test.ts", "behind the payment events that a stranger forges")
    ]
  },
  {
    id: "F64",
    fault: "Answers that nobody reads, and thousands of requests or pieces of a body in one packet",
    holds: "They hold little memory, are heard no further than is allowed, and keep nobody out.",
    shown: [
      shown("test/fault/crowd.system.test.ts", "hold little memory, and keep nobody out"),
      shown("test/http/unread.test.ts"),
      shown("test/http/connections.test.ts", "requests sent ahead of their answers"),
      shown("test/http/connections.system.test.ts", "small pieces of bodies"),
      shown("test/fault/fair.system.test.ts", "a body in countless tiny pieces")
    ]
  },
  {
    id: "F65",
    fault: "A database that acknowledges before it has written",
    holds:
      "Every session asks for its commits to be on the disk; a server that may lose them is refused unless that is allowed.",
    shown: [shown("test/database/postgres.test.ts", "a commit"), shown("test/database/postgres.system.test.ts")]
  },
  {
    id: "F66",
    fault: "A start with another pepper, on a newer release's database, on a standby, beside a pid file of a crash",
    holds:
      "It is refused in one line with the remedy, or is not ready; a pid file that means nothing keeps nobody out.",
    shown: [
      shown(
        "test/database/postgres.test.ts",
        "the pepper of a database",
        "that a newer release has migrated is refused"
      ),
      shown("test/database/standby.system.test.ts"),
      shown(
        "test/database/embedded/embedded.system.test.ts",
        "a pid file that was left behind",
        "says why, in the words of initdb"
      )
    ]
  },
  {
    id: "F67",
    fault: "A role that owns the tables, or one that owns nothing, is used to change what is recorded",
    holds: "Records and log refuse UPDATE and DELETE; a role that owns nothing serves everything and lifts no trigger.",
    shown: [
      shown("test/database/role.test.ts"),
      shown("test/services/answers/AnswerLedger.test.ts", "can be neither changed nor deleted, one or all")
    ]
  },
  {
    id: "F68",
    fault: "A package of another's making in the place of one that is installed",
    holds: "Every package is locked by version and by the hash of its bytes, the programs of Node and PostgreSQL too.",
    shown: [shown("test/packages.test.ts", "the lock file")]
  },
  {
    id: "F69",
    fault:
      "A standby that is read from is behind, away, silent, promoted, ahead of the database, or of another installation",
    holds:
      "What it has not the database is asked, within a second; nothing is confirmed or left out but by the database's word.",
    shown: [shown("test/fault/standby.system.test.ts")]
  },
  {
    id: "F70",
    fault:
      "Whoever has the database role of the service keeps the log's lock, at once or in slices, and writes that nothing waits, or rows by the thousand under numbers that were not given",
    holds:
      "An ERROR line within a minute of it; what waits is entered in the first moment that the lock is free, and counted until then.",
    shown: [
      shown("test/services/log/waiting.system.test.ts"),
      shown("test/services/log/slices.system.test.ts"),
      shown("test/services/backlogs.test.ts", "however many rows stand above the last number")
    ]
  },
  {
    id: "F71",
    fault: "Somebody holds a table of the log while it is audited",
    holds: "The audit ends with 3 and names the table and the process that holds it.",
    shown: [shown("test/cli/auditHeld.system.test.ts")]
  }
]
