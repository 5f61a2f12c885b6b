/**
 * Payments as the service promises them. What is paid and what has ended are functions of the set of events, so no order
 * changes them. Holds go by the order: a reversal holds what it names among that which is known by then. Knows no
 * database and no code of the service.
 */

/** What one event says, in the words of Stripe's account and not of the service. */
export interface Saying {
  /** The subscription or, for a payment of an invoice, the invoice. */
  readonly of: string
  /** Money was taken: for what is sold here, or for something that only a trial of the subscription identifies. */
  readonly money?: "ours" | "of its trial"
  /** A free checkout by the payment link of this service. */
  readonly isTrialOfOurs?: boolean
  /** It names one address to mail to, or a sandbox key, which has one. */
  readonly hasAddress?: boolean
  /** Ids by which a reversal may name the payment. */
  readonly ids?: ReadonlyArray<string>
  readonly customer?: string
  readonly endsAt?: number
  readonly reverses?: { readonly why: "refund" | "dispute"; readonly ids: ReadonlyArray<string>; readonly by?: string }
}

export type Hold = "operator" | "ended" | "refund" | "dispute"

export class Model {
  private readonly said: Array<Saying> = []
  private readonly applied = new Set<Saying>()
  private readonly holds = new Map<string, Hold>()

  private about(subscription: string): ReadonlyArray<Saying> {
    return this.said.filter(({ of }) => of === subscription)
  }

  /** Money was taken for it, whether or not it is known whom the key is for. */
  private isHere(subscription: string): boolean {
    const about = this.about(subscription)
    const isTrial = about.some(({ isTrialOfOurs }) => isTrialOfOurs === true)
    return about.some(({ money }) => money === "ours" || (money === "of its trial" && isTrial))
  }

  isPaid(subscription: string): boolean {
    return this.isHere(subscription) && this.about(subscription).some(({ hasAddress }) => hasAddress === true)
  }

  /** An end never moves to a later day. */
  endsAt(subscription: string): number {
    return Math.min(...this.about(subscription).map(({ endsAt }) => endsAt ?? Number.POSITIVE_INFINITY))
  }

  holdOn(subscription: string): Hold | null {
    return this.holds.get(subscription) ?? null
  }

  /** A subscription has one hold: the first, unless the operator ends it. */
  hold(subscription: string, why: Hold): void {
    if (!this.holds.has(subscription) || why === "ended") this.holds.set(subscription, why)
  }

  allow(subscription: string): void {
    this.holds.delete(subscription)
  }

  hear(saying: Saying): void {
    this.said.push(saying)
    if (saying.reverses === undefined || this.applied.has(saying)) return
    const reversed = this.reversedBy(saying.reverses)
    for (const subscription of reversed) this.hold(subscription, saying.reverses.why)
    if (reversed.length > 0) this.applied.add(saying)
  }

  /** What the ids name; only where none of them is known, the customer, if exactly one subscription here is theirs. */
  private reversedBy({ by, ids }: NonNullable<Saying["reverses"]>): ReadonlyArray<string> {
    const ownersOf = (names: ReadonlyArray<string>) =>
      this.said.filter((said) => said.ids?.some((id) => names.includes(id)) === true).map(({ of }) => of)
    const owners = ownersOf(ids)
    if (owners.length > 0) return this.hereAmong([...owners, ...ownersOf(owners)])
    const bought = this.said.filter(({ customer }) => customer !== undefined && customer === by)
    const theirs = this.hereAmong(bought.map(({ of }) => of))
    return theirs.length === 1 ? theirs : []
  }

  private hereAmong(subscriptions: ReadonlyArray<string>): ReadonlyArray<string> {
    return [...new Set(subscriptions)].filter((subscription) => this.isHere(subscription))
  }
}
