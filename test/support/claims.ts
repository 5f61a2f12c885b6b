/**
 * The two ways in which a production key reaches its payer: claimed with a sandbox key, or by mail.
 */
import { Effect, Layer, Option, Redacted } from "effect"
import { type Mail, Mailer } from "../../src/services/accounts/Mailer.ts"
import { Outbox } from "../../src/services/accounts/Outbox.ts"
import { Subscriptions } from "../../src/services/accounts/Subscriptions.ts"

export const claim = (secret: string) =>
  Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.claim(secret)).pipe(
    Effect.map(({ key, revokedKeyPrefix }) => ({ ...key, revokedKeyPrefix, secret: Redacted.value(key.apiKey) }))
  )

export const claimFailure = (secret: string) => Effect.map(Effect.flip(claim(secret)), ({ _tag }) => _tag)

const keysIn = (text: string): ReadonlyArray<string> => text.match(/slr_live_[0-9A-Za-z]{38}/g) ?? []

/** Runs the outbox with a fake mailer; returns the mails that it would have sent. */
export const mailed = Effect.fnUntraced(function* <E = never, R = never>(
  whileSending: (mail: Mail) => Effect.Effect<unknown, E, R> = () => Effect.void
) {
  const context = yield* Effect.context<R>()
  const mails: Array<Mail> = []
  const send = (mail: Mail) => {
    mails.push(mail)
    return whileSending(mail).pipe(Effect.provideContext(context), Effect.orDie, Effect.asVoid)
  }
  yield* Effect.flatMap(Outbox, (outbox) => outbox.sendDue).pipe(
    Effect.provide(Layer.fresh(Outbox.layer)),
    Effect.provideService(Mailer, { send: Option.some(send) })
  )
  return mails
})

/** Production keys mailed to an address. `whileSending` runs while the first one is sent. */
export const keysMailedTo = Effect.fnUntraced(function* <E = never, R = never>(
  email: string,
  whileSending: (key: string) => Effect.Effect<unknown, E, R> = () => Effect.void
) {
  let isFirst = true
  const mails = yield* mailed(({ text, to }) => {
    const [key] = to === email ? keysIn(text) : []
    if (key === undefined || !isFirst) return Effect.void
    isFirst = false
    return whileSending(key)
  })
  return mails.filter(({ to }) => to === email).flatMap(({ text }) => keysIn(text))
})
