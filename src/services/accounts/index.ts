/** The face of accounts: who calls, what they pay, and the mails that they get. */

// API keys and months of use.

export { hashOf, newSecret, prefixOf, tierOf } from "./apiKey.ts"
export { type Caller, KeyRefused, Keys, type MintedKey, newTenant, normalizedEmail, type Usage } from "./Keys.ts"
export { monthOf } from "./month.ts"

// Subscriptions, and the events of Stripe.

export { StripeEvents } from "./StripeEvents.ts"
export { type Claimed, type NoSubscription, Subscriptions, type TooManyClaims } from "./Subscriptions.ts"

// Mails wait in the outbox until the mail server takes them.

export { greetMailServer, Mailer } from "./Mailer.ts"
export { IS_WAITING } from "./mailQueue.ts"
export { Outbox, outboxWorkerLayer } from "./Outbox.ts"

// What the operator's commands do and list.

export { Administration } from "./Administration.ts"
export type { AllowOutcome } from "./holds.ts"
export type { KeySummary } from "./keysNamed.ts"
export type { KeyUsage, ListedKey, ListedMail, ListedSubscription } from "./lists.ts"
export {
  listKeys,
  listMails,
  listSubscriptions,
  listUsage,
  MAX_LISTED,
  MAX_LISTED_OF_ALL,
  mailQueueDepth,
  totalUsage
} from "./lists.ts"
export type { ClaimKey, PaymentOutcome } from "./manualBilling.ts"
