/** Adds borrowers up, one after the other, into a summary. */
import type { PlanType } from "../../schema/scenario.ts"
import { costCents, type Projection } from "../engine/projection.ts"
import { toCents } from "../engine/schedule/rounding.ts"
import type { Borrower } from "./borrower.ts"
import type { Outcomes } from "./outcomes.ts"
import { PAYMENT_STEP, PAYMENT_STEPS, type PlanSummary, type Summary } from "./summary.ts"

/** The same, while it grows. */
type Growing<A> = A extends object ? { -readonly [K in keyof A]: Growing<A[K]> } : A

const YEAR = "YYYY".length

const count = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1
}

/** What is left open after fifty years ends in no year. */
const NEVER = "never"

class PlanTally {
  readonly summary: Growing<PlanSummary> = {
    answered: 0,
    ineligible: 0,
    artifact: 0,
    lowest: 0,
    firstMonthCents: 0,
    paidCents: 0,
    forgiven: { borrowers: 0, cents: 0 },
    taxCents: 0,
    cheaper: { borrowers: 0, cents: 0 },
    dearer: { borrowers: 0, cents: 0 },
    payments: Array.from({ length: PAYMENT_STEPS }, () => 0),
    ending: {},
    omissions: {}
  }

  add(projection: Projection, now: Projection | undefined): void {
    const { summary } = this
    const forgivenCents = toCents(projection.amountForgiven)
    summary.answered++
    summary.firstMonthCents += toCents(projection.firstMonthPayment)
    summary.paidCents += toCents(projection.totalOutOfPocket)
    summary.taxCents += toCents(projection.forgivenessTaxesOwed)
    summary.payments[Math.min(PAYMENT_STEPS - 1, Math.floor(projection.firstMonthPayment / PAYMENT_STEP))]!++
    if (forgivenCents > 0) {
      summary.forgiven.borrowers++
      summary.forgiven.cents += forgivenCents
    }
    this.end(projection, forgivenCents)
    if (now !== undefined) this.compare(costCents(projection) - costCents(now))
    for (const id of projection.omissions) count(summary.omissions, id)
  }

  private end({ forgivenessTaxesOwed, payoffOrForgivenessDate }: Projection, forgivenCents: number): void {
    const year = payoffOrForgivenessDate?.slice(0, YEAR) ?? NEVER
    const of = this.summary.ending[year] ?? { borrowers: 0, forgivenCents: 0, taxCents: 0 }
    this.summary.ending[year] = of
    of.borrowers++
    of.forgivenCents += forgivenCents
    of.taxCents += toCents(forgivenessTaxesOwed)
  }

  private compare(moreCents: number): void {
    if (moreCents === 0) return
    const share = moreCents < 0 ? this.summary.cheaper : this.summary.dearer
    share.borrowers++
    share.cents += Math.abs(moreCents)
  }
}

export class SummaryTally {
  private readonly plans: ReadonlyArray<PlanType>
  private readonly tallies: ReadonlyArray<PlanTally>
  private borrowers = 0
  private loans = 0
  private balanceCents = 0
  private rejected = 0

  constructor(plans: ReadonlyArray<PlanType>) {
    this.plans = plans
    this.tallies = plans.map(() => new PlanTally())
  }

  add({ loans }: Borrower, { lowest, now, ofPlans }: Outcomes): void {
    this.borrowers++
    this.loans += loans.length
    for (const { interestBalance, principalBalance } of loans) {
      this.balanceCents += toCents(principalBalance) + toCents(interestBalance)
    }
    ofPlans.forEach((outcome, index) => {
      const tally = this.tallies[index]!
      if (outcome._tag === "Projection") tally.add(outcome, now)
      else tally.summary[outcome.kind]++
    })
    if (lowest !== -1) this.tallies[lowest]!.summary.lowest++
  }

  reject(): void {
    this.rejected++
  }

  get summary(): Summary {
    const plans = Object.fromEntries(this.plans.map((plan, index) => [plan, this.tallies[index]!.summary]))
    const { balanceCents, borrowers, loans, rejected } = this
    return { borrowers, loans, balanceCents, rejected, plans }
  }
}
