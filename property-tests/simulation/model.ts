/**
 * Model of the service's rules for two addresses: keys, quotas, payments, claims, holds and mails.
 * Plain functions change a state and return the outcome. Knows no database, no failure and no log.
 */

export const LIMITS = { Sandbox: 3, Production: 4 } as const
const DAY = 86_400_000
const SANDBOX_LIFE = 30 * DAY
const MAILED_FOR = 3 * DAY
const NEVER = Number.MAX_SAFE_INTEGER

export type Who = 0 | 1

export interface Key {
  /** null if the key was issued but its answer was lost, so that nobody knows it. */
  readonly prefix: string | null
  readonly who: Who
  readonly tier: "Sandbox" | "Production"
  readonly issuedBy: "mint" | "mail" | "claim"
  readonly issuedAt: number
  isLive: boolean
  isBarred: boolean
  /** Calls by month. */
  readonly used: Record<string, number>
  records: number
}

export interface Payer {
  paidAt: number | null
  endsAt: number
  /** A refund arrived after the payment, and was applied. */
  isRefunded: boolean
  hold: "operator" | "refund" | null
  mail: "none" | "waiting" | "sent" | "dropped" | "given up"
  firstAttempt: number | null
}

export interface State {
  readonly keys: Array<Key>
  readonly payers: readonly [Payer, Payer]
}

/** Changes the state, and returns the outcome of the act. */
export type Rule = (state: State) => string

/** Combines rules into one act. */
export const inTurn =
  (rules: ReadonlyArray<Rule>): Rule =>
  (state) => {
    for (const rule of rules) rule(state)
    return "ok"
  }

const newPayer = (): Payer => ({
  paidAt: null,
  endsAt: NEVER,
  isRefunded: false,
  hold: null,
  mail: "none",
  firstAttempt: null
})

export const begun = (): State => ({ keys: [], payers: [newPayer(), newPayer()] })

export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

const keyOf = ({ keys }: State, prefix: string): Key => keys.find((key) => key.prefix === prefix)!
const liveOf = ({ keys }: State, who: Who): Key | undefined =>
  keys.find((key) => key.who === who && key.tier === "Production" && key.isLive)
const isUsed = (key: Key): boolean => Object.keys(key.used).length > 0
/** Whether a new key may be issued: there is none yet, or it was only mailed and never used. */
const isOpen = (key: Key | undefined): boolean => key === undefined || (key.issuedBy === "mail" && !isUsed(key))

const retire = (state: State, who: Who): void => {
  const live = liveOf(state, who)
  if (live !== undefined) live.isLive = false
}

const issue = (state: State, issued: Pick<Key, "prefix" | "who" | "tier" | "issuedBy">, now: number): void => {
  state.keys.push({ ...issued, issuedAt: now, isLive: true, isBarred: false, used: {}, records: 0 })
}

export const mint =
  (who: Who, prefix: string | null, now: number): Rule =>
  (state) => {
    for (const key of state.keys) if (key.who === who && key.tier === "Sandbox") key.isLive = false
    issue(state, { prefix, who, tier: "Sandbox", issuedBy: "mint" }, now)
    return "ok"
  }

export const call =
  (prefix: string, kind: "recorded" | "charged" | "refused", now: number): Rule =>
  (state) => {
    const key = keyOf(state, prefix)
    const expiresAt = key.tier === "Sandbox" ? key.issuedAt + SANDBOX_LIFE : state.payers[key.who].endsAt
    if (!key.isLive || now >= expiresAt) return "KeyRefused"
    if (kind === "refused") return "PlanRefused"
    const used = key.used[monthOf(now)] ?? 0
    if (used >= LIMITS[key.tier]) return "QuotaSpent"
    key.used[monthOf(now)] = used + 1
    if (kind === "recorded") key.records++
    return "ok"
  }

const whyNoClaim = (state: State, key: Key, now: number): string | undefined => {
  const { endsAt, hold, paidAt } = state.payers[key.who]
  const live = liveOf(state, key.who)
  if (key.tier === "Production") return "NotASandboxKey"
  if (key.isBarred) return "SubscriptionHeld"
  if (paidAt === null || now >= endsAt) return "NoSubscription"
  if (key.issuedAt > paidAt) return "KeyIssuedAfterPayment"
  if (hold !== null) return "SubscriptionHeld"
  return live !== undefined && isUsed(live) ? "KeyAlreadyUsed" : undefined
}

export const claim =
  (prefix: string, issued: string | null, now: number): Rule =>
  (state) => {
    const key = keyOf(state, prefix)
    const why = whyNoClaim(state, key, now)
    if (why !== undefined) return why
    retire(state, key.who)
    issue(state, { prefix: issued, who: key.who, tier: "Production", issuedBy: "claim" }, now)
    if (state.payers[key.who].mail === "waiting") state.payers[key.who].mail = "dropped"
    return "ok"
  }

export const pay =
  (who: Who, now: number): Rule =>
  (state) => {
    const payer = state.payers[who]
    if (payer.paidAt === null) Object.assign(payer, { paidAt: now, mail: "waiting" })
    return "ok"
  }

/** A refund before its payment changes nothing, and may be repeated. */
export const refund =
  (who: Who): Rule =>
  (state) => {
    const payer = state.payers[who]
    if (payer.paidAt === null || payer.isRefunded) return "ok"
    payer.isRefunded = true
    payer.hold ??= "refund"
    retire(state, who)
    return "ok"
  }

/** An end never moves to a later date. */
export const end =
  (who: Who, endsAt: number): Rule =>
  (state) => {
    state.payers[who].endsAt = Math.min(state.payers[who].endsAt, endsAt)
    return "ok"
  }

export const revoke =
  (prefix: string): Rule =>
  (state) => {
    const key = keyOf(state, prefix)
    if (key.tier === "Sandbox" ? key.isBarred : !key.isLive) return "NotFound"
    key.isLive = false
    if (key.tier === "Sandbox") key.isBarred = true
    else state.payers[key.who].hold = "operator"
    return "Revoked"
  }

export const allow =
  (who: Who, now: number): Rule =>
  (state) => {
    const payer = state.payers[who]
    if (payer.paidAt === null) return "nobody"
    const mayMail = now < payer.endsAt && liveOf(state, who) === undefined
    const isHeld = payer.hold !== null
    payer.hold = null
    if (!isHeld && payer.mail === "waiting") return "NotHeld"
    if (mayMail) Object.assign(payer, { mail: "waiting", firstAttempt: null })
    return isHeld || mayMail ? "Allowed" : "NotHeld"
  }

export type Smtp = "takes" | "refuses" | "takes, and no word of it"

/**
 * The transactions of one payer's mail, as rules. `delivered` is the prefix of the mailed key, if
 * one arrived.
 */
export const mailing = (who: Who, smtp: Smtp, delivered: string | null, now: number): ReadonlyArray<Rule> => {
  const on =
    (change: (payer: Payer, state: State) => void): Rule =>
    (state) => {
      if (state.payers[who].mail === "waiting") change(state.payers[who], state)
      return "ok"
    }
  const isLate = ({ firstAttempt }: Payer) => now - firstAttempt! >= MAILED_FOR
  const mayHave = ({ endsAt, hold }: Payer, state: State) => hold === null && now < endsAt && isOpen(liveOf(state, who))
  const lease = on((payer) => {
    payer.firstAttempt ??= now
  })
  let isIssued = false
  const issueOrAbandon = on((payer, state) => {
    isIssued = mayHave(payer, state) && !isLate(payer)
    if (!isOpen(liveOf(state, who))) return
    retire(state, who)
    if (isIssued) issue(state, { prefix: delivered, who, tier: "Production", issuedBy: "mail" }, now)
  })
  const settle = on((payer) => {
    if (isIssued && smtp !== "takes") return
    payer.mail = isIssued ? "sent" : isLate(payer) ? "given up" : "dropped"
  })
  return [lease, issueOrAbandon, settle]
}

/**
 * Paid subscriptions without a key, a mail or a hold. A mail that was given up counts as handled,
 * because the operator sees its ERROR.
 */
export const forgotten = (state: State, now: number): ReadonlyArray<Who> =>
  ([0, 1] as const).filter((who) => {
    const { endsAt, hold, mail, paidAt } = state.payers[who]
    const isUnderWay = mail === "waiting" || mail === "given up"
    return paidAt !== null && now < endsAt && hold === null && !isUnderWay && liveOf(state, who) === undefined
  })

/** Observable part of a state. A key that nobody knows appears without its prefix. */
export const shown = ({ keys, payers }: State): string => {
  const known = keys.map((key) => {
    const { isBarred, isLive, prefix, records, tier, used, who } = key
    const months = Object.entries(used).sort()
    return `${who} ${prefix ?? "?"} ${JSON.stringify({ tier, isLive, isBarred, months, records })}`
  })
  const paid = payers.map(({ endsAt, firstAttempt, hold, mail, paidAt }, who) => {
    const ends = endsAt === NEVER ? null : endsAt
    return `${who} payer ${JSON.stringify({ paidAt, ends, hold, mail, firstAttempt })}`
  })
  return [...known.sort(), ...paid].join("\n")
}

/** A finished act: its rule, its outcome, and partial results that a failure may leave. */
export interface Done {
  readonly rule: Rule
  readonly outcome: string
  readonly between?: ReadonlyArray<Rule>
}

export const UNAVAILABLE = "LedgerUnavailable"

const others = <A>(list: ReadonlyArray<A>, at: number): ReadonlyArray<A> => list.filter((_, index) => index !== at)

/**
 * The states after each order of the acts in which every act has its observed outcome. An act that
 * failed as unavailable may have happened, not happened, or happened in part.
 */
function* after(state: State, acts: ReadonlyArray<Done>): Generator<State, void> {
  if (acts.length === 0) yield state
  for (const [at, { between = [], outcome, rule }] of acts.entries()) {
    const isOpen = outcome === UNAVAILABLE
    for (const way of isOpen ? [undefined, rule, ...between] : [rule]) {
      const next = structuredClone(state)
      const result = way?.(next)
      if (isOpen || result === outcome) yield* after(next, others(acts, at))
    }
  }
}

/**
 * The states that explain an observation; none if no order of the acts does. There may be several:
 * a refund of a subscription on hold, for example, cannot be observed.
 */
export const explained = (
  states: ReadonlyArray<State>,
  acts: ReadonlyArray<Done>,
  seen: string
): ReadonlyArray<State> => {
  const found = new Map<string, State>()
  for (const state of states) {
    for (const next of after(state, acts)) if (shown(next) === seen) found.set(JSON.stringify(next), next)
  }
  return [...found.values()]
}
