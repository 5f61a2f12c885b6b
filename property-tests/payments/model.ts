/**
 * The model of subscriptions paid through Stripe, as the service promises to treat them. Whether a
 * subscription is paid and when it ends follow from the set of events, in any order. Holds depend
 * on the order: a refund or dispute holds only subscriptions that are known by then. The model uses
 * no database and no code of the service.
 */

/** What one event says, in Stripe's terms and not in those of the service. */
export interface Statement {
  /** The subscription or, for a payment of an invoice, the invoice. */
  readonly of: string
  /**
   * "ours": money was taken for this service. "of its trial": it was taken for a product that only
   * the trial checkout of the same subscription identifies.
   */
  readonly money?: "ours" | "of its trial"
  /** A free checkout by the payment link of this service. */
  readonly isTrialOfOurs?: boolean
  /** The event names exactly one address for mails, or a sandbox key, which has one. */
  readonly hasAddress?: boolean
  /** Ids by which a refund or dispute may name the payment. */
  readonly ids?: ReadonlyArray<string>
  readonly customer?: string
  readonly endsAt?: number
  readonly reverses?: { readonly why: "refund" | "dispute"; readonly ids: ReadonlyArray<string>; readonly by?: string }
}

export type Hold = "operator" | "ended" | "refund" | "dispute"

export class Model {
  private readonly said: Array<Statement> = []
  private readonly applied = new Set<Statement>()
  private readonly holds = new Map<string, Hold>()

  private about(subscription: string): ReadonlyArray<Statement> {
    return this.said.filter(({ of }) => of === subscription)
  }

  /** Money was taken for the subscription, even if the recipient of its key is unknown. */
  private isHere(subscription: string): boolean {
    const about = this.about(subscription)
    const isTrial = about.some(({ isTrialOfOurs }) => isTrialOfOurs === true)
    return about.some(({ money }) => money === "ours" || (money === "of its trial" && isTrial))
  }

  isPaid(subscription: string): boolean {
    return this.isHere(subscription) && this.about(subscription).some(({ hasAddress }) => hasAddress === true)
  }

  /** An end never moves to a later date. */
  endsAt(subscription: string): number {
    return Math.min(...this.about(subscription).map(({ endsAt }) => endsAt ?? Number.POSITIVE_INFINITY))
  }

  holdOn(subscription: string): Hold | null {
    return this.holds.get(subscription) ?? null
  }

  /** A subscription has one hold: the first, unless the operator ends the subscription. */
  hold(subscription: string, why: Hold): void {
    if (!this.holds.has(subscription) || why === "ended") this.holds.set(subscription, why)
  }

  allow(subscription: string): void {
    this.holds.delete(subscription)
  }

  receive(statement: Statement): void {
    this.said.push(statement)
    if (statement.reverses === undefined || this.applied.has(statement)) return
    const reversed = this.reversedBy(statement.reverses)
    for (const subscription of reversed) this.hold(subscription, statement.reverses.why)
    if (reversed.length > 0) this.applied.add(statement)
  }

  /**
   * The paid subscriptions to which the ids belong. If no id is known, the customer's paid
   * subscription, if there is only one.
   */
  private reversedBy({ by, ids }: NonNullable<Statement["reverses"]>): ReadonlyArray<string> {
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
