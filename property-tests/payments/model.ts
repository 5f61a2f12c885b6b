/**
 * Payments as decision 0013 tells them, as functions of everything that has happened: what is held, which key has served
 * what, and which payments were in vain. Knows no database and asks no code of the service.
 */
import type { PaymentEvent } from "../../src/services/payments/facts.ts"

/** A production key that somebody was given. */
export interface ModelKey {
  readonly prefix: string
  readonly holder: "payer" | "stranger"
  /** It reached its holder: it was claimed, or a mail server took it while it lived. */
  isOut: boolean
  /** Of the reversals that its subscription has come under since it was issued, the earliest by Stripe's clock. */
  servedUntil: number
  /** By whom it was stopped, and after how many steps; undefined while it lives. */
  stop: { readonly by: "operator" | "reversal" | "another-key"; readonly step: number } | undefined
}

/** What has happened to one subscription beside events. */
export interface Subject {
  readonly externalId: string
  readonly sandboxKeyId: string
  readonly keys: Array<ModelKey>
  readonly placed: Set<"operator" | "ended">
  /** Reversals that the operator has lifted. */
  readonly lifted: Set<string>
  readonly dismissed: Set<string>
  isBarred: boolean
}

export interface Heard {
  readonly event: PaymentEvent
  readonly step: number
}

type Story = ReadonlyArray<Heard>

/** Each payment once, as made by its earliest event and heard of with its first. */
export const paymentsOf = (story: Story, { externalId }: Subject) => {
  const payments = new Map<string, { made: number; readonly step: number }>()
  for (const { event, step } of story) {
    if (event.payment?.externalId !== externalId) continue
    const made = event.createdAt.getTime()
    const known = payments.get(event.payment.id)
    if (known === undefined) payments.set(event.payment.id, { made, step })
    else known.made = Math.min(known.made, made)
  }
  return payments
}

export const isNamed = (story: Story, { externalId, sandboxKeyId }: Subject): boolean =>
  story.some(
    ({ event: { fact } }) =>
      (fact?._tag === "Paid" || fact?._tag === "Named") &&
      fact.externalId === externalId &&
      fact.sandboxKeyId === sandboxKeyId
  )

/** The earliest end that any event has told. */
export const endOf = (story: Story, { externalId }: Subject): number =>
  Math.min(
    ...story.map(({ event: { fact } }) =>
      fact?._tag === "Ended" && fact.externalId === externalId ? fact.endsAt.getTime() : Number.POSITIVE_INFINITY
    ),
    Number.POSITIVE_INFINITY
  )

const ownersOf = (story: Story, references: ReadonlyArray<string>): ReadonlyArray<string> =>
  story.flatMap(({ event }) =>
    event.references?.payments.some((reference) => references.includes(reference)) === true
      ? [event.references.owner]
      : []
  )

/** By the payment itself or, only if nothing of that is known, by its customer, who had paid before. */
const concerns = (story: Story, { createdAt, fact }: PaymentEvent, { externalId }: Subject): boolean => {
  if (fact?._tag !== "Reversed") return false
  const direct = ownersOf(story, fact.payments)
  if (direct.length > 0) return [...direct, ...ownersOf(story, direct)].includes(externalId)
  return story.some(
    ({ event }) =>
      event.references?.owner === externalId &&
      event.references.customer === fact.customer &&
      event.createdAt <= createdAt
  )
}

/** The reversals that hold a subscription, but for those that the operator has lifted. */
export const reversalsOn = (story: Story, subject: Subject): ReadonlyArray<PaymentEvent> =>
  story.flatMap(({ event }) => (concerns(story, event, subject) && !subject.lifted.has(event.id) ? [event] : []))

export const holdsOn = (story: Story, subject: Subject): ReadonlyArray<string> => {
  const reversed = reversalsOn(story, subject).flatMap(({ fact }) => (fact?._tag === "Reversed" ? [fact.why] : []))
  const barred = subject.isBarred && isNamed(story, subject) ? ["key-barred"] : []
  return [...new Set([...reversed, ...subject.placed, ...barred])].sort()
}

/** Whether a refund names the payment, by any id that was told of it. */
export const isReturned = (story: Story, id: string): boolean => {
  const names = story.flatMap(({ event: { payment, references } }) =>
    references !== null && (payment?.id ?? references.owner) === id ? references.payments : []
  )
  return story.some(
    ({ event: { fact } }) =>
      fact?._tag === "Reversed" && fact.why === "refund" && fact.payments.some((name) => [id, ...names].includes(name))
  )
}

/** What was paid before the key stopped: by Stripe's clock or, where the operator stopped it, in the order heard. */
const hasServed = ({ servedUntil, stop }: ModelKey, made: number, step: number): boolean => {
  if (stop === undefined) return true
  if (stop.by === "reversal") return made < servedUntil
  return stop.by === "operator" && made < servedUntil && step < stop.step
}

/** The keys that are their payer's: once the payment has named a sandbox key, none that was claimed with another. */
export const keysOut = (story: Story, subject: Subject): ReadonlyArray<ModelKey> => {
  const named = isNamed(story, subject)
  return subject.keys.filter(({ holder, isOut }) => isOut && !(named && holder === "stranger"))
}

/** The payments of a paid subscription that are held or over, were not returned, and no key has served. */
export const inVain = (story: Story, subject: Subject, now: number): ReadonlyArray<string> => {
  const endsAt = endOf(story, subject)
  const isStopped = endsAt <= now || holdsOn(story, subject).length > 0
  const keys = keysOut(story, subject)
  return [...paymentsOf(story, subject)]
    .filter(([id, { made, step }]) => {
      const isServed = made <= endsAt && keys.some((key) => hasServed(key, made, step))
      return (isStopped || endsAt < made) && !isServed && !isReturned(story, id) && !subject.dismissed.has(id)
    })
    .map(([id]) => id)
    .sort()
}
