/** Faults of processes, of the database, of time and of mail. */
import { type Fault, shown } from "./fault.ts"

export const STOPS: ReadonlyArray<Fault> = [
  {
    id: "F1",
    fault: "The service is killed under load, again and again, alone or with its database",
    holds:
      "Every answer that a caller holds verifies afterwards; records beyond those are at most the calls in flight.",
    shown: [shown("test/fault/killed-service.system.test.ts")]
  },
  {
    id: "F2",
    fault: "PostgreSQL is killed, or stopped at once, under load",
    holds:
      "As F1; callers are told 503, no connection ends without an answer, and the same process answers again within 5 s.",
    shown: [shown("test/fault/killed-database.system.test.ts")]
  },
  {
    id: "F3",
    fault: "The database is away when a request comes",
    holds:
      "503 with Retry-After and no figure, never 401 or 404; whatever needs no database is answered as ever; it comes back by itself.",
    shown: [
      shown(
        "test/http/outage.test.ts",
        "while the database is away",
        "the service recovers by itself",
        "nothing that was refused has been charged"
      ),
      shown(
        "test/fault/unreliable-database.system.test.ts",
        "nothing that needs it is answered otherwise than with 503"
      )
    ]
  },
  {
    id: "F4",
    fault: "The database is away when the service starts",
    holds: "It exits within 10 s, not with 0, and says why in one line without a secret.",
    shown: [shown("test/main.system.test.ts", "fails with one line when the database is away, within ten seconds")]
  },
  {
    id: "F5",
    fault: "A statement, its reply or its commit is lost on the way, or confirmed too late",
    holds:
      "503; what is charged is what is recorded; the next try is charged once more, and no caller gets another's reply.",
    shown: [
      shown(
        "test/fault/unreliable-database.system.test.ts",
        "is withheld and not charged",
        "is withheld, and charged as often as it is recorded",
        "gets no reply that was meant for another",
        "that is made but never confirmed shows no key"
      )
    ]
  },
  {
    id: "F6",
    fault: "Every reply of the database takes five seconds",
    holds: "503 within 2.5 s; `/health` is answered as fast as ever; no connection is lost.",
    shown: [
      shown(
        "test/fault/unreliable-database.system.test.ts",
        "calculations are withheld in time, the rest is as fast as ever"
      ),
      shown("test/services/ledgerUnavailable.system.test.ts", "silent: unavailable within 2.5 s")
    ]
  },
  {
    id: "F7",
    fault: "All connections to the database are taken",
    holds: "503 within 1.2 s, and an answer at once when one is free.",
    shown: [
      shown("test/fault/nodes.system.test.ts", "says so within 1.2 seconds, and answers at once when they are free"),
      shown("test/services/ledgerUnavailable.system.test.ts", "with all connections taken: unavailable within 1.2 s")
    ]
  },
  {
    id: "F8",
    fault: "The database cannot write",
    holds: "503 and nothing returned; `/ready` says why, and `ledger_unavailable_total` counts it.",
    shown: [
      shown("test/http/outage.test.ts", "while the database cannot write"),
      shown("test/services/ledgerUnavailable.test.ts", "read-only: nothing is recorded, nothing is said to be"),
      shown(
        "test/main.system.test.ts",
        "says ready only while the database can be written to, and counts what could not be"
      )
    ]
  },
  {
    id: "F9",
    fault: "The database rolls a statement back: serialization failure, deadlock",
    holds: "It is tried again at most twice under the same answer id, then 503; one record at most.",
    shown: [
      shown("test/services/answers/AnswerLedger.test.ts", "it is tried again at most twice with the same id"),
      shown("test/fault/retried.test.ts")
    ]
  },
  {
    id: "F10",
    fault: "The month ends",
    holds: "The count begins anew once; a call is charged to the month of its arrival, and to no other.",
    shown: [
      shown(
        "test/services/answers/Charging.test.ts",
        "calls of both months that are charged together count each for its own",
        "the count begins anew, and a call belongs to the month of its arrival",
        "December gives way to January"
      )
    ]
  },
  {
    id: "F11",
    fault: "The clock is set back, by seconds or by a year",
    holds: "No limit is given back and nobody is locked out; lists of records leave nothing out; mails go out.",
    shown: [
      shown(
        "test/services/RateLimits.test.ts",
        "gives nothing back when the clock is set back",
        "by a year refuses nobody"
      ),
      shown("test/services/answers/AnswerLedger.test.ts", "goes on within its range, whatever the clock did meanwhile"),
      shown("test/services/clocks.test.ts"),
      shown("test/services/mail/Outbox.test.ts", "by a clock that was a year ahead")
    ]
  },
  {
    id: "F20",
    fault: "The mail server is away for a day, for ever, or takes a mail and the service dies before it has noted that",
    holds: "The mail comes, or is given up with an alarm; no key is stored, and at most one that was mailed lives.",
    shown: [
      shown(
        "test/services/mail/Outbox.test.ts",
        "sends a paid subscription its key once, and keeps it nowhere",
        "outlives a mail server that is away for a day",
        "gives up after three days, says so, and leaves no key behind",
        "after a crash between the server's yes and our note of it"
      )
    ]
  },
  {
    id: "F21",
    fault: "SIGTERM with calls in flight, in the middle of a mail",
    holds:
      "They are answered and recorded, newcomers are refused (and answered before that for `STOP_DELAY_SECONDS`, while `/ready` is 503), the mail is finished or left for another process; exit with 0 within 25 s.",
    shown: [
      shown("test/fault/nodes.system.test.ts", "answers all of them, and the other confirms every record"),
      shown("test/main.system.test.ts", "finishes what is in flight, then exits with 0"),
      shown("test/fault/stopping.system.test.ts", "waits for the mail server", "of which no more is heard"),
      shown(
        "test/fault/announcedStop.system.test.ts",
        "is not ready at once, and answers until the delay is over",
        "are restarted in turn, and no call is refused or lost"
      )
    ]
  },
  {
    id: "F22",
    fault: "A second SIGTERM, or a stop that is kept up for ever",
    holds: "Exit within a second of the signal, or when the time for a stop is over; F1 still holds.",
    shown: [
      shown("test/fault/stopping.system.test.ts", "ends the service within a second", "of which no more is heard"),
      shown("test/main.system.test.ts", "is at once on the second signal"),
      shown("test/fault/announcedStop.system.test.ts", "stops within a second of a second signal")
    ]
  },
  {
    id: "F23",
    fault: "Clients go away in the middle of their calls",
    holds: "What is charged is what is recorded; nothing is logged as a failure, and the connections serve others.",
    shown: [
      shown(
        "test/fault/nodes.system.test.ts",
        "are charged as often as they are recorded, and leave the service as it was"
      ),
      shown("test/mcp/transport.test.ts", "in the middle of a call leaves the server as it was")
    ]
  },
  {
    id: "F24",
    fault: "A start is killed in the middle of a migration, and several start at once",
    holds: "One migrates, the others wait, and the schema is that of all migrations, once each.",
    shown: [
      shown("test/fault/nodes.system.test.ts", "killed in the middle of the migration leaves nothing"),
      shown("test/database/postgres.test.ts", "is migrated once by four nodes that start together")
    ]
  }
]
