/**
 * Calls that carry an Idempotency-Key. The id and the salt of such a call's answer are derived from
 * its account, the key and the pepper, so only the record of the answer is stored. A second call
 * finds it by its id, and its answer is computed again. The key is stored nowhere.
 */
import { createHmac } from "node:crypto"
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { AppConfig } from "../../platform/config.ts"
import { spanned } from "../../platform/telemetry.ts"
import type { Caller } from "../accounts/index.ts"
import type { LedgerUnavailable } from "../ledgerUnavailable.ts"
import { AnswerLedger, type AnswerRow } from "./AnswerLedger.ts"

export interface IdempotentCall {
  readonly answerId: string
  readonly answerSalt: string
  /** The pepper of id and salt; the previous one if the record is older than a rotation. */
  readonly pepper: Redacted.Redacted<string>
  /** The record of an earlier call with the key; undefined if there is none yet. */
  readonly recorded: AnswerRow | undefined
}

export interface RepeatedCall extends IdempotentCall {
  readonly recorded: AnswerRow
}

export const isRepeated = (call: IdempotentCall | undefined): call is RepeatedCall => call?.recorded !== undefined

/** The key was sent before, with other inputs. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused")<{
  readonly recorded: AnswerRow
}> {}

/** The recorded answer cannot be computed again. */
export class RulesChanged extends Data.TaggedError("RulesChanged")<{ readonly recorded: AnswerRow }> {}

/** The reasons why a repeated call does not get its recorded answer. */
export type RepeatRefused = IdempotencyKeyReused | RulesChanged

const VERSION = 8
/** The variant of RFC 9562, in the two highest bits of the ninth byte. */
const VARIANT = 0b10
const ID_BYTES = 16

/** A UUIDv8 of 16 bytes. */
const uuidOf = (bytes: Buffer): string => {
  bytes[6] = (VERSION << 4) | (bytes[6]! & 0x0f)
  bytes[8] = (VARIANT << 6) | (bytes[8]! & 0x3f)
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Whether the id was derived from an Idempotency-Key, so that its second record is a repeat. */
export const isDerivedId = (answerId: string): boolean => answerId[14] === String(VERSION)

/** The halves of one HMAC are the id, which is public, and the salt, which it does not reveal. */
const derived = (pepper: Redacted.Redacted<string>, tenant: string, key: string): IdempotentCall => {
  const digest = createHmac("sha256", Redacted.value(pepper)).update(`idempotency key ${tenant} ${key}`).digest()
  return {
    answerId: uuidOf(digest.subarray(0, ID_BYTES)),
    answerSalt: digest.toString("base64url", ID_BYTES),
    pepper,
    recorded: undefined
  }
}

export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** The call that an account identifies by a key, with its record if it was made before. */
    readonly find: (caller: Pick<Caller, "tenant">, key: string) => Effect.Effect<IdempotentCall, LedgerUnavailable>
    /** The same call, with its record if it has one by now. */
    readonly findAgain: (call: IdempotentCall) => Effect.Effect<IdempotentCall, LedgerUnavailable>
  }
>()("repayment-of-record/IdempotencyKeys") {
  static readonly layer: Layer.Layer<IdempotencyKeys, never, AnswerLedger | AppConfig> = Layer.effect(
    IdempotencyKeys,
    Effect.gen(function* () {
      const ledger = yield* AnswerLedger
      const { pepper, previousPepper } = yield* AppConfig
      const peppers = previousPepper === null ? [pepper] : [pepper, previousPepper]
      const findAgain = (call: IdempotentCall): Effect.Effect<IdempotentCall, LedgerUnavailable> =>
        Effect.map(ledger.findOwn(call.answerId), (recorded) => ({
          ...call,
          recorded: Option.getOrUndefined(recorded)
        }))
      return IdempotencyKeys.of({
        find: spanned("IdempotencyKeys.find", ({ tenant }, key) =>
          Effect.map(
            Effect.forEach(peppers, (one) => findAgain(derived(one, tenant, key)), { concurrency: "unbounded" }),
            (calls) => calls.find(isRepeated) ?? calls[0]!
          )
        ),
        findAgain
      })
    })
  )
}
