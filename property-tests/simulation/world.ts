/**
 * The runner of simulated programs on the real services. It compares database and model after each
 * step.
 */
import { assert } from "@effect/vitest"
import { Cause, Clock, type Context, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Tree } from "../../src/proof/tree.ts"
import { type Mail, MailNotSent, type SendMail } from "../../src/services/accounts/Mailer.ts"
import type { Mortal } from "../../test/support/mortal.ts"
import { type Execution, executionOf, Outside, prefixOf, START } from "./acts.ts"
import * as model from "./model.ts"
import { checkWholeLog, observed, signedTree } from "./observed.ts"
import type { Act, Step, WAITS } from "./programs.ts"

const HOUR = 3_600_000

const later = (now: number, wait: (typeof WAITS)[number]): number => {
  const at = new Date(now)
  if (wait === "an hour") return now + HOUR
  if (wait === "days") return now + 73 * HOUR
  if (wait === "a millisecond") return now + 1
  if (wait === "back five seconds") return now - 5000
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1) - 1
}

/** Every deadline is longer than this, so a shorter step cannot have run into one. */
const MAX_SECONDS = 0.9

type Disturbed = Extract<Step, { readonly acts: unknown }>

const waiting = "sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL"

/** Environment of the programs: a process that may die, and a client that never fails. */
export interface Place {
  readonly mortal: Mortal
  readonly observer: Context.Context<SqlClient.SqlClient>
  /** Payers, Stripe and the mail server of the current program. */
  outside: Outside
  /** Counts by act and outcome. */
  readonly outcomes: Map<string, number>
}

/** Mail server that accepts a mail, refuses it, or accepts it without a reply. */
export const sendIn =
  (place: () => Place): SendMail =>
  (mail: Mail) =>
    Effect.suspend(() => {
      const { mails, smtp } = place().outside
      if (smtp !== "refuses") mails.push(mail)
      return smtp === "takes" ? Effect.void : Effect.fail(new MailNotSent({ reason: smtp }))
    })

/** The tag of a domain failure. Any other cause is printed in full, and matches no rule. */
const outcomeOf = (exit: Exit.Exit<string, unknown>): string => {
  if (Exit.isSuccess(exit)) return exit.value
  const [reason, ...more] = exit.cause.reasons
  const isWord = more.length === 0 && reason !== undefined && Cause.isFailReason(reason)
  return isWord ? String((reason.error as { readonly _tag?: string })._tag) : Cause.pretty(exit.cause)
}

class Play {
  /** Candidate states of the service, because a state is not fully observable. */
  private states: ReadonlyArray<model.State> = [model.begun()]
  /** Signed trees that others have seen. */
  private readonly trees: Array<Tree> = []
  private readonly outside = new Outside()
  private readonly place: Place

  constructor(place: Place) {
    this.place = place
    place.outside = this.outside
  }

  private look<A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) {
    return Effect.orDie(Effect.provideContext(work, this.place.observer))
  }

  private update(change: string) {
    return this.look(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`UPDATE outbox SET ${change} WHERE ${waiting}`))
    )
  }

  private count(outcome: string): void {
    const { outcomes } = this.place
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  private readonly live = Effect.gen({ self: this }, function* () {
    const { mortal } = this.place
    if (mortal.faults.isCrashed) yield* Effect.promise(() => mortal.restart())
    mortal.faults.set(null)
  })

  /**
   * Whether a step may fail as unavailable. A single act is retried after up to two faults that the
   * database rolls back. Deadlines run in real time, so a busy machine may exceed them.
   */
  private isExcused({ acts, fault }: Disturbed, seconds: number): boolean {
    const { hits } = this.place.mortal.faults
    const isUndone = fault?.kind === "serialization" || fault?.kind === "deadlock"
    return seconds > MAX_SECONDS || (hits > 0 && !(isUndone && (fault.times ?? 1) <= 2 && acts.length === 1))
  }

  private check(step: Disturbed, done: ReadonlyArray<model.Done>, now: number) {
    return Effect.gen({ self: this }, function* () {
      const results = done.map(({ outcome }) => outcome)
      const prefixes = new Set(this.outside.secrets.map(prefixOf))
      const seen = model.shown(yield* this.look(observed(this.outside.people, prefixes)))
      const next = model.explained(this.states, done, seen)
      if (next.length === 0) {
        assert.fail(
          `${JSON.stringify(step)}\n${results.join(", ")}: no order of the acts explains\n${seen}\n\nafter\n${model.shown(this.states[0]!)}`
        )
      }
      this.states = next
      for (const state of next) assert.isEmpty(model.forgotten(state, now), "who paid and is forgotten")
    })
  }

  private readonly acts = Effect.fnUntraced({ self: this }, function* (this: Play, step: Disturbed) {
    const now = yield* Clock.currentTimeMillis
    const { mortal } = this.place
    const all = step.acts.flatMap((act: Act) => {
      const one = executionOf(this.outside, act, now)
      return one === undefined ? [] : [{ ...one, name: act.do }]
    })
    if (step.acts.some((act) => act.do === "mail")) yield* this.update("next_attempt_at = '2000-01-01'")
    mortal.faults.set(step.fault)
    const begun = performance.now()
    const exits = yield* Effect.forEach(all, ({ work }: Execution) => Effect.exit(mortal.run(work)), {
      concurrency: "unbounded"
    })
    const done = all.map((one, at) => ({ ...one.done(), outcome: outcomeOf(exits[at]!) }))
    for (const [at, { outcome }] of done.entries()) this.count(`${all[at]!.name}: ${outcome}`)
    const isUnavailable = done.some(({ outcome }) => outcome === model.UNAVAILABLE)
    if (isUnavailable && !this.isExcused(step, (performance.now() - begun) / 1000))
      assert.fail(`${JSON.stringify(step)}: unavailable, and nothing has failed`)
    yield* this.check(step, done, now)
    yield* this.live
    if (step.acts.some((act) => act.do === "log")) yield* this.see
  })

  /** Reads the signed tree, as others may at any time. */
  private readonly see = Effect.gen({ self: this }, function* () {
    const tree = yield* Effect.catchTag(this.place.mortal.run(signedTree), "NotYetLogged", () => Effect.succeed(null))
    if (tree !== null) this.trees.push(tree)
  })

  readonly run = Effect.fnUntraced({ self: this }, function* (this: Play, program: ReadonlyArray<Step>) {
    yield* this.update("dropped_at = created_at")
    yield* this.live
    for (const step of program) {
      if ("wait" in step) yield* TestClock.setTime(later(yield* Clock.currentTimeMillis, step.wait))
      else yield* this.acts(step)
    }
    yield* this.acts({ acts: [{ do: "verify" }], fault: null })
    yield* this.place.mortal.run(checkWholeLog(this.trees))
  })
}

/** Runs a program. Rejects on a mismatch, and then restarts the process for the next program. */
export const run = (place: Place, program: ReadonlyArray<Step>): Promise<void> =>
  Effect.runPromise(
    Effect.andThen(
      TestClock.setTime(START),
      Effect.suspend(() => new Play(place).run(program))
    ).pipe(
      Effect.onError(() => Effect.promise(() => place.mortal.restart())),
      Effect.provide(TestClock.layer())
    )
  )
