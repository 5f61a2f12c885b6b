/** The accumulator of a summary, to which borrowers are added one by one. */
import type { PlanType } from "../../../schema/scenario.ts"
import { costCents, type Projection, toCents } from "../../engine/index.ts"
import { isOddRate, lacksSpouseIncome } from "../../messages/notes.ts"
import type { Borrower } from "../read/borrower.ts"
import type { Outcomes, PlanOutcome } from "./portfolio.ts"
import { type EndingYear, PAYMENT_STEP, PAYMENT_STEPS, type PlanSummary, type Summary } from "./summary.ts"

/** A mutable version of a type. */
type Mutable<A> = A extends object ? { -readonly [K in keyof A]: Mutable<A[K]> } : A

const YEAR = "YYYY".length

/** Key for balances left after fifty years, which end in no year. */
const NEVER = 0

class PlanTally {
  /**
   * The number of answers by list of omissions (rules knowingly not applied). The engine reuses the
   * same list objects.
   */
  private readonly omissions = new Map<ReadonlyArray<string>, number>()
  /** Keyed by year as a number, which is five times as fast as text. */
  private readonly ending = new Map<number, Mutable<EndingYear>>()
  private readonly sums: Mutable<Omit<PlanSummary, "ending" | "omissions">> = {
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
    notCompared: 0,
    payments: Array.from({ length: PAYMENT_STEPS }, () => 0)
  }

  get summary(): PlanSummary {
    const omissions: Record<string, number> = {}
    for (const [ids, answers] of this.omissions) {
      for (const id of ids) omissions[id] = (omissions[id] ?? 0) + answers
    }
    const ending = Object.fromEntries([...this.ending].map(([year, of]) => [year === NEVER ? "never" : year, of]))
    return { ...this.sums, ending, omissions }
  }

  refuse(kind: "artifact" | "ineligible"): void {
    this.sums[kind]++
  }

  costsLeast(): void {
    this.sums.lowest++
  }

  add(projection: Projection, now: Projection | undefined): void {
    const { sums } = this
    const forgivenCents = toCents(projection.amountForgiven)
    sums.answered++
    sums.firstMonthCents += toCents(projection.firstMonthPayment)
    sums.paidCents += toCents(projection.totalOutOfPocket)
    sums.taxCents += toCents(projection.forgivenessTaxesOwed)
    sums.payments[Math.min(PAYMENT_STEPS - 1, Math.floor(projection.firstMonthPayment / PAYMENT_STEP))]!++
    if (forgivenCents > 0) {
      sums.forgiven.borrowers++
      sums.forgiven.cents += forgivenCents
    }
    this.end(projection, forgivenCents)
    if (now === undefined) sums.notCompared++
    else this.compare(costCents(projection) - costCents(now))
    this.omissions.set(projection.omissions, (this.omissions.get(projection.omissions) ?? 0) + 1)
  }

  private end({ forgivenessTaxesOwed, payoffOrForgivenessDate }: Projection, forgivenCents: number): void {
    const year = payoffOrForgivenessDate === null ? NEVER : Number(payoffOrForgivenessDate.slice(0, YEAR))
    const of = this.ending.get(year) ?? this.beginYear(year)
    of.borrowers++
    of.forgivenCents += forgivenCents
    of.taxCents += toCents(forgivenessTaxesOwed)
  }

  private beginYear(year: number): Mutable<EndingYear> {
    const of = { borrowers: 0, forgivenCents: 0, taxCents: 0 }
    this.ending.set(year, of)
    return of
  }

  private compare(moreCents: number): void {
    if (moreCents === 0) return
    const share = moreCents < 0 ? this.sums.cheaper : this.sums.dearer
    share.borrowers++
    share.cents += Math.abs(moreCents)
  }
}

const isRemarked = (outcome: PlanOutcome): boolean => outcome._tag === "Projection" && outcome.remarks.length > 0

export class SummaryTally {
  private readonly plans: ReadonlyArray<PlanType>
  private readonly tallies: ReadonlyArray<PlanTally>
  private borrowers = 0
  private discounted = 0
  private loans = 0
  private balanceCents = 0
  private rejected = 0
  private rows = 0
  private rejectedRows = 0
  private readonly noted: Mutable<Summary["noted"]> = { oddRates: 0, spouseIncomeMissing: 0 }

  constructor(plans: ReadonlyArray<PlanType>) {
    this.plans = plans
    this.tallies = plans.map(() => new PlanTally())
  }

  add(borrower: Borrower, { lowest, now, ofPlans }: Outcomes): void {
    const { loans } = borrower
    if (loans.some(({ interestRate }) => isOddRate(interestRate))) this.noted.oddRates++
    if (lacksSpouseIncome(borrower)) this.noted.spouseIncomeMissing++
    if (ofPlans.some(isRemarked) && ofPlans.every((one) => one._tag !== "Projection" || isRemarked(one)))
      this.noted.remarks = (this.noted.remarks ?? 0) + 1
    if (borrower.discountRate !== null) this.discounted++
    this.borrowers++
    this.loans += loans.length
    for (const { interestBalance, principalBalance } of loans) {
      this.balanceCents += toCents(principalBalance) + toCents(interestBalance)
    }
    for (let index = 0; index < ofPlans.length; index++) {
      const outcome = ofPlans[index]!
      if (outcome._tag === "Projection") this.tallies[index]!.add(outcome, now)
      else this.tallies[index]!.refuse(outcome.kind === "artifact" ? "artifact" : "ineligible")
    }
    if (lowest !== -1) this.tallies[lowest]!.costsLeast()
  }

  /** Counts rows that were read, accepted or not. */
  read(rows: number): void {
    this.rows += rows
  }

  reject(rows: number): void {
    this.rejected++
    this.rejectedRows += rows
  }

  get summary(): Summary {
    const plans = Object.fromEntries(this.plans.map((plan, index) => [plan, this.tallies[index]!.summary]))
    const { balanceCents, borrowers, loans, noted, rejected, rejectedRows, rows } = this
    const discounted = this.discounted === 0 ? {} : { discounted: this.discounted }
    return { rows, borrowers, ...discounted, loans, balanceCents, rejected, rejectedRows, noted, plans }
  }
}
