/**
 * Generators of programs for the simulation. A step is a wait, or acts that may be concurrent and
 * may meet a fault.
 */
import fc from "fast-check"
import { FAULTS, type Fault } from "../../test/support/faults.ts"
import type { Smtp, Who } from "./model.ts"

const CALLS = ["projection", "comparison", "eligibility", "refused plan"] as const
const EVENTS = ["checkout", "invoice", "refund", "end"] as const
export const WAITS = ["an hour", "days", "to the end of the month", "a millisecond", "back five seconds"] as const

export type Act =
  | { readonly do: "mint"; readonly who: Who }
  | { readonly do: "allow"; readonly who: Who }
  | { readonly do: "call"; readonly key: number; readonly what: (typeof CALLS)[number] }
  | { readonly do: "claim"; readonly key: number }
  | { readonly do: "revoke"; readonly key: number }
  | { readonly do: "event"; readonly who: Who; readonly event: (typeof EVENTS)[number] }
  | { readonly do: "mail"; readonly smtp: Smtp }
  | { readonly do: "verify" }
  | { readonly do: "log" }

export type Step =
  | { readonly wait: (typeof WAITS)[number] }
  | { readonly acts: ReadonlyArray<Act>; readonly fault: Fault | null }

const MAX_STEPS = 25
/**
 * How many connections and statements each act uses, or somewhat more: a fault hits one of them.
 * Concurrent acts have the range of the longest.
 */
const STATEMENTS: Readonly<Record<Act["do"], number>> = {
  mint: 8,
  call: 5,
  claim: 12,
  event: 12,
  mail: 40,
  log: 40,
  verify: 4,
  revoke: 8,
  allow: 11
}
const MAX_STATEMENTS = 40

const who = fc.constantFrom<Array<Who>>(0, 0, 0, 1)
/** Index of a known key, counted from the newest. */
const key = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 9 }) })
const literal = <D extends Act["do"]>(word: D) => fc.constant(word)

const call = fc.record({ do: literal("call"), key, what: fc.constantFrom(...CALLS) })
const claim = fc.record({ do: literal("claim"), key })
const event = fc.record({ do: literal("event"), who, event: fc.constantFrom(...EVENTS) })
const mint = fc.record({ do: literal("mint"), who })
const smtp = fc.constantFrom<Array<Smtp>>("takes", "takes", "refuses", "takes, and no word of it")

const one: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: call },
  { weight: 4, arbitrary: claim },
  { weight: 4, arbitrary: event },
  { weight: 2, arbitrary: mint },
  { weight: 3, arbitrary: fc.record({ do: literal("mail"), smtp }) },
  { weight: 3, arbitrary: fc.record({ do: literal("log") }) },
  { weight: 1, arbitrary: fc.record({ do: literal("verify") }) },
  { weight: 1, arbitrary: fc.record({ do: literal("revoke"), key }) },
  { weight: 1, arbitrary: fc.record({ do: literal("allow"), who }) }
)
/** Concurrent acts of one transaction each, so that some order of them must explain the results. */
const concurrent = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: call },
    { weight: 3, arbitrary: claim },
    { weight: 1, arbitrary: fc.oneof(event, mint) }
  ),
  { minLength: 2, maxLength: 4 }
)

const faultWithin = (limit: number): fc.Arbitrary<Fault> =>
  fc.record({
    kind: fc.constantFrom(...FAULTS),
    at: fc.integer({ min: 1, max: limit }),
    times: fc.integer({ min: 1, max: 3 })
  })

const withFault = (acts: fc.Arbitrary<ReadonlyArray<Act>>): fc.Arbitrary<Step> =>
  acts.chain((drawn) => {
    const limit = drawn.length > 1 ? MAX_STATEMENTS : STATEMENTS[drawn[0]!.do]
    return fc.record({ acts: fc.constant(drawn), fault: fc.option(faultWithin(limit), { nil: null, freq: 2 }) })
  })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ wait: fc.constantFrom(...WAITS) }) },
  { weight: 9, arbitrary: withFault(fc.tuple(one)) },
  { weight: 3, arbitrary: withFault(concurrent) }
)

/** A beginning with a key and a payment, so that rare sequences are less rare. */
const BEGINNING: ReadonlyArray<Step> = [
  { acts: [{ do: "mint", who: 0 }], fault: null },
  { acts: [{ do: "event", who: 0, event: "checkout" }], fault: null }
]

export const programs: fc.Arbitrary<ReadonlyArray<Step>> = fc
  .tuple(fc.boolean(), fc.array(step, { minLength: 1, maxLength: MAX_STEPS, size: "max" }))
  .map(([isBegun, steps]) => (isBegun ? [...BEGINNING, ...steps] : steps))

/** Programs that meet no fault. */
export const calmPrograms: fc.Arbitrary<ReadonlyArray<Step>> = programs.map((steps) =>
  steps.map((drawn) => ("wait" in drawn ? drawn : { ...drawn, fault: null }))
)

/** Programs that once failed. */
export const FOUND: ReadonlyArray<ReadonlyArray<Step>> = [
  // A refund that arrives before its payment holds nothing, even if its reply was lost.
  [
    {
      acts: [{ do: "event", who: 0, event: "refund" }],
      fault: { kind: "lost after", at: 8, times: 1 }
    },
    { acts: [{ do: "event", who: 0, event: "invoice" }], fault: null }
  ]
]
