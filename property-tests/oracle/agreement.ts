/**
 * The comparison of an answer in doubles with the oracle's, within the tolerance of differences.ts.
 * Callers skip an answer with entries in `edges`: it is too close to a threshold of the law. Texts
 * are not compared.
 */
import type { OracleCalculatedPlan, OracleCalculation } from "./calculator.ts"
import type { Decimal } from "./decimal.ts"
import { Differences, shownCents } from "./differences.ts"
import type { OracleExact, OraclePoint, OracleProjection } from "./projection.ts"

interface ShownPoint {
  readonly year: number
  readonly date: string
  readonly principalBalance: number
  readonly interestBalance: number
  readonly paymentsThisYear: number
  readonly cumulativePaid: number
  readonly forgivenThisYear: number
}

interface ShownProjection {
  readonly label: string | null
  readonly planType: string | null
  readonly year1MonthlyPayment: number
  readonly payoffOrForgivenessDate: string | null
  readonly monthsToFinish: number | null
  readonly totalOutOfPocket: number
  readonly amountForgiven: number
  readonly forgivenessTaxesOwed: number
  readonly forgivenessType: string
  readonly weightedAverageInterestRate: number
  readonly presentValue?: number | null | undefined
  readonly yearly?: ReadonlyArray<ShownPoint> | null | undefined
}

interface ShownPlan {
  readonly plan: string
  readonly monthlyPayment: number
  readonly totalPaid: number
  readonly forgivenBalance: number
  readonly taxOnForgiveness: number
  readonly lifetimeCost: number
  readonly monthsToPayoff: number | null
  readonly forgivenessAtMonth: number | null
  readonly forgivenessType: string
}

interface ShownCalculation {
  readonly lowestMonthlyPlan: string | null
  readonly lowestLifetimeCostPlan: string | null
  readonly plans: ReadonlyArray<ShownPlan>
  readonly excludedPlans: ReadonlyArray<{ readonly plan: string }>
}

/** Federal and state tax of each year, which are rounded separately. */
const taxParts = (exact: OracleExact): ReadonlyArray<Decimal> =>
  exact.taxes.flatMap(({ federal, state }) => [federal, state])

function comparePoints(differences: Differences, shown: ReadonlyArray<ShownPoint>, points: ReadonlyArray<OraclePoint>) {
  differences.same("points", shown.length, points.length)
  let forgiven = 0n
  for (const [i, point] of points.entries()) {
    const answer = shown[i]
    if (answer === undefined) return
    const at = `yearly[${i}]`
    const paidBefore = shownCents(shown[i - 1]?.cumulativePaid ?? 0)
    forgiven += shownCents(answer.forgivenThisYear)
    differences.same(`${at}.year`, answer.year, point.year)
    differences.same(`${at}.date`, answer.date, point.date)
    differences.cents(`${at}.principalBalance`, answer.principalBalance, point.exact.principalBalance)
    differences.cents(`${at}.interestBalance`, answer.interestBalance, point.exact.interestBalance)
    differences.cents(`${at}.cumulativePaid`, answer.cumulativePaid, point.exact.cumulativePaid)
    differences.cents(`${at}.forgivenThisYear, added up`, Number(forgiven) / 100, point.exact.cumulativeForgiven)
    differences.same(
      `${at}.paymentsThisYear`,
      shownCents(answer.paymentsThisYear),
      shownCents(answer.cumulativePaid) - paidBefore
    )
  }
}

const nextTo = (a: number | null, b: number | null): boolean => a !== null && b !== null && Math.abs(a - b) === 1

/**
 * The differences between an answer and the oracle's projection.
 * @param highestRate the highest rate among the loans
 */
export function projectionDifferences(
  shown: ShownProjection,
  oracle: OracleProjection,
  highestRate: number
): ReadonlyArray<string> {
  const { exact } = oracle
  const differences = Differences.of(highestRate, exact)
  const shifted = differences.isCoarse && nextTo(shown.monthsToFinish, oracle.monthsToFinish)
  differences.same("label", shown.label, oracle.label)
  differences.same("planType", shown.planType, oracle.planType)
  differences.dollars("year1MonthlyPayment", shown.year1MonthlyPayment, exact.firstPayment)
  differences.cents("totalOutOfPocket", shown.totalOutOfPocket, exact.totalOutOfPocket)
  differences.cents("amountForgiven", shown.amountForgiven, exact.amountForgiven)
  differences.centsOfEach("forgivenessTaxesOwed", shown.forgivenessTaxesOwed, taxParts(exact))
  differences.same("forgivenessType", shown.forgivenessType, oracle.forgivenessType)
  differences.millionths(
    "weightedAverageInterestRate",
    shown.weightedAverageInterestRate,
    exact.weightedAverageInterestRate
  )
  const { presentValue } = exact
  const worth = shown.presentValue ?? null
  if (worth === null || presentValue === null) differences.same("presentValue", worth, presentValue)
  else differences.cents("presentValue", worth, presentValue.lowest, presentValue.highest)
  if (!shifted) {
    differences.same("monthsToFinish", shown.monthsToFinish, oracle.monthsToFinish)
    differences.same("payoffOrForgivenessDate", shown.payoffOrForgivenessDate, oracle.payoffOrForgivenessDate)
    differences.same("yearly", shown.yearly == null, oracle.yearly === null)
    comparePoints(differences, shown.yearly ?? [], oracle.yearly ?? [])
  }
  return differences.found
}

/** The plan with the lowest amount, the first on a tie, by the answer's own figures. */
function lowestShown(plans: ReadonlyArray<ShownPlan>, amount: (plan: ShownPlan) => number): string | null {
  let best: ShownPlan | null = null
  for (const plan of plans) {
    if (best === null || amount(plan) < amount(best)) best = plan
  }
  return best?.plan ?? null
}

function planDifferences(shown: ShownPlan, oracle: OracleCalculatedPlan, highestRate: number): ReadonlyArray<string> {
  const differences = Differences.of(highestRate, oracle.exact)
  differences.cents("monthlyPayment", shown.monthlyPayment, oracle.exact.firstPayment)
  differences.cents("totalPaid", shown.totalPaid, oracle.exact.totalOutOfPocket)
  differences.cents("forgivenBalance", shown.forgivenBalance, oracle.exact.amountForgiven)
  differences.centsOfEach("taxOnForgiveness", shown.taxOnForgiveness, taxParts(oracle.exact))
  const cost = shownCents(shown.totalPaid) + shownCents(shown.taxOnForgiveness)
  differences.same("lifetimeCost", shownCents(shown.lifetimeCost), cost)
  differences.same("forgivenessType", shown.forgivenessType, oracle.forgivenessType)
  const shifted = differences.isCoarse && nextTo(shown.monthsToPayoff, oracle.monthsToPayoff)
  if (!shifted) differences.same("monthsToPayoff", shown.monthsToPayoff, oracle.monthsToPayoff)
  differences.same("forgivenessAtMonth", shown.forgivenessAtMonth, oracle.forgivenessAtMonth)
  return differences.found.map((difference) => `${shown.plan}: ${difference}`)
}

/**
 * The differences between an answer of the keyless calculator and the oracle's.
 * @param highestRate ratePct / 100
 */
export function calculationDifferences(
  shown: ShownCalculation,
  oracle: OracleCalculation,
  highestRate: number
): ReadonlyArray<string> {
  const differences = Differences.strict()
  const ids = (plans: ReadonlyArray<{ readonly plan: string }>) => plans.map(({ plan }) => plan).join()
  differences.same("plans", ids(shown.plans), ids(oracle.plans))
  differences.same("excludedPlans", ids(shown.excludedPlans), ids(oracle.excludedPlans))
  differences.same(
    "lowestMonthlyPlan",
    shown.lowestMonthlyPlan,
    lowestShown(shown.plans, (plan) => plan.monthlyPayment)
  )
  differences.same(
    "lowestLifetimeCostPlan",
    shown.lowestLifetimeCostPlan,
    lowestShown(shown.plans, (plan) => plan.lifetimeCost)
  )
  const figures = shown.plans.flatMap((plan) => {
    const expected = oracle.plans.find((other) => other.plan === plan.plan)
    return expected === undefined ? [] : planDifferences(plan, expected, highestRate)
  })
  return [...differences.found, ...figures]
}

/**
 * Whether an amount in dollars equals an exact amount to the cent. Balances of eligible loans use
 * it.
 */
export function showsCents(shown: number, exact: Decimal): boolean {
  const differences = Differences.strict()
  differences.cents("amount", shown, exact)
  return differences.found.length === 0
}
