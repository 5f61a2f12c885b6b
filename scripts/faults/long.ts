/** Faults that are tried in long runs: every position in turn, an hour of traffic, a change of rules under way. */
import { type Fault, shown } from "./fault.ts"

export const LONG: ReadonlyArray<Fault> = [
  {
    id: "F53",
    fault: "The rules change during traffic",
    holds: "The figures, the version and the citations of an answer are of one ledger.",
    shown: [],
    reason:
      "The ledger is part of the program and is read once: it cannot change under a process, and another process has its own."
  },
  {
    id: "F56",
    fault: "An hour of 50 calls a second",
    holds: "Memory, handles, waiting work and times stay as they were.",
    shown: [shown("test/soakTrend.test.ts")],
    reason:
      "The hour itself is `npm run x -- soak`, minutes of which are run with every change; the tests show that it tells growth."
  },
  {
    id: "F57",
    fault: "Every statement, mail and payment event fails once, at every position",
    holds: "No 5xx but 503, and whatever holds elsewhere holds here.",
    shown: [shown("test/fault/everyPosition.test.ts"), shown("property-tests/simulation/simulation.test.ts")]
  }
]
