/**
 * The comparison of two result files of portfolio runs, for each borrower and plan and in total. It
 * shows the effect of a change in the rules, the input or the first month of repayment.
 */
import { Effect } from "effect"
import { inFolder } from "../../platform/inFolder.ts"
import { withDuckDB } from "../read/duckdb.ts"
import { fromPromise, problem } from "../read/problem.ts"
import { withNames } from "../read/sources.ts"
import { expectWritable, writeChanges } from "./changes.ts"
import { FIGURES, rowsOf, type Side, sideOf } from "./diffSide.ts"
import { expectLocal } from "./outputPaths.ts"

/** A number of borrowers, and the sum of their dollars. */
export interface Changed {
  readonly borrowers: number
  readonly dollars: number
}

/** The changes under one plan. Payments are monthly in the first year; costs include tax. */
export interface PlanDifference {
  readonly planType: string
  /** Borrowers in both files, with or without figures. */
  readonly inBoth: number
  readonly onlyBefore: number
  readonly onlyAfter: number
  /** Borrowers in both files, with the same figures. */
  readonly unchanged: number
  /** Borrowers in both files, with figures only after; `lost`: with figures only before. */
  readonly gained: number
  readonly lost: number
  readonly paymentLower: Changed
  readonly paymentHigher: Changed
  readonly costLower: Changed
  readonly costHigher: Changed
  /** Increase in dollars for borrowers with figures in both files; negative for a decrease. */
  readonly forgivenMore: number
  readonly taxMore: number
}

/** Rows that only one side has, and the number of their borrowers. */
export interface Alone {
  readonly rows: number
  readonly borrowers: number
}

export interface PortfolioDifference {
  readonly before: Side
  readonly after: Side
  /** Borrowers whose figures differ under any plan that both files have. */
  readonly borrowersChanged: number
  /** Rows in one of the two files only, which are not compared. */
  readonly onlyBefore: Alone
  readonly onlyAfter: Alone
  readonly plans: ReadonlyArray<PlanDifference>
}

/** All figures equal, where NULL equals NULL. */
const SAME = FIGURES.map((name) => `b.${name} IS NOT DISTINCT FROM a.${name}`).join(" AND ")

const JOINED = `CREATE TEMP VIEW joined AS
SELECT coalesce(b.borrowerId, a.borrowerId) AS borrowerId, coalesce(b.planType, a.planType) AS planType,
  b.outcome AS outcomeBefore, a.outcome AS outcomeAfter,
  b.outcome = 'answered' AS hadFigures, a.outcome = 'answered' AS hasFigures, ${SAME} AS isSame,
  b.year1MonthlyPayment AS paymentBefore, a.year1MonthlyPayment AS paymentAfter, b.totalCost AS costBefore, a.totalCost AS costAfter,
  b.amountForgiven AS forgivenBefore, a.amountForgiven AS forgivenAfter,
  b.forgivenessTaxesOwed AS taxBefore, a.forgivenessTaxesOwed AS taxAfter
FROM before b FULL JOIN after a ON b.borrowerId = a.borrowerId AND b.planType = a.planType`

/** The number of borrowers with a positive difference, and its sum. */
const changed = (more: string): ReadonlyArray<string> => [
  `count(*) FILTER (${more} > 0)`,
  `coalesce(sum(${more}) FILTER (${more} > 0), 0)::DOUBLE`
]

const more = (amount: string): string =>
  `coalesce(sum(${amount}After - ${amount}Before) FILTER (hadFigures AND hasFigures), 0)::DOUBLE`

const IN_ALL = `SELECT planType,
  count(*) FILTER (outcomeBefore IS NOT NULL AND outcomeAfter IS NOT NULL),
  count(*) FILTER (outcomeAfter IS NULL), count(*) FILTER (outcomeBefore IS NULL),
  count(*) FILTER (outcomeBefore IS NOT NULL AND outcomeAfter IS NOT NULL AND isSame),
  count(*) FILTER (NOT hadFigures AND hasFigures), count(*) FILTER (hadFigures AND NOT hasFigures),
  ${[
    ...changed("(paymentBefore - paymentAfter)"),
    ...changed("(paymentAfter - paymentBefore)"),
    ...changed("(costBefore - costAfter)"),
    ...changed("(costAfter - costBefore)")
  ].join(", ")},
  ${more("forgiven")}, ${more("tax")}
FROM joined GROUP BY planType ORDER BY planType`

const alone = (other: string): ReadonlyArray<string> => [
  `count(*) FILTER (${other} IS NULL)`,
  `count(DISTINCT borrowerId) FILTER (${other} IS NULL)`
]

const BORROWERS = `SELECT
  count(DISTINCT borrowerId) FILTER (NOT isSame AND outcomeBefore IS NOT NULL AND outcomeAfter IS NOT NULL),
  ${[...alone("outcomeAfter"), ...alone("outcomeBefore")].join(", ")}
FROM joined`

const planOf = (row: ReadonlyArray<unknown>): PlanDifference => {
  const [inBoth, onlyBefore, onlyAfter, unchanged, gained, lost, ...amounts] = row.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    ...ReadonlyArray<number>
  ]
  const pair = (index: number): Changed => ({ borrowers: amounts[index]!, dollars: amounts[index + 1]! })
  return {
    planType: String(row[0]),
    inBoth,
    onlyBefore,
    onlyAfter,
    unchanged,
    gained,
    lost,
    paymentLower: pair(0),
    paymentHigher: pair(2),
    costLower: pair(4),
    costHigher: pair(6),
    forgivenMore: amounts[8]!,
    taxMore: amounts[9]!
  }
}

export interface DiffRequest {
  readonly before: string
  readonly after: string
  /** File for the changes of each borrower, written atomically; none if undefined. */
  readonly out: string | undefined
  readonly overwrite: boolean
  /** Folder for data that exceed memory. */
  readonly scratch: string
  /** Base of relative names; by default the working directory. */
  readonly folder?: string
}

const namesOf = ({ after, before, out }: DiffRequest) => [before, after, ...(out === undefined ? [] : [out])]

const differenceOf = async (request: DiffRequest): Promise<PortfolioDifference> => {
  const { after, before, out, scratch } = request
  if (out !== undefined) await expectWritable([before, after], out, request.overwrite)
  return withDuckDB(async (duck) => {
    const sides = { before: await sideOf(duck, "before", before), after: await sideOf(duck, "after", after) }
    await duck.all(JOINED)
    const plans = rowsOf(await duck.all(IN_ALL)).map(planOf)
    const [counts = []] = rowsOf(await duck.all(BORROWERS))
    const [borrowersChanged, ...only] = counts.map(Number) as [number, ...ReadonlyArray<number>]
    const aloneAt = (index: number): Alone => ({ rows: only[index]!, borrowers: only[index + 1]! })
    if (out !== undefined) await writeChanges(duck, out, request.overwrite)
    return { ...sides, borrowersChanged, onlyBefore: aloneAt(0), onlyAfter: aloneAt(2), plans }
  }, scratch)
}

/** Fails if an input is unreadable or not a result file, or `out` may not be written. */
export const differenceOfResults = Effect.fnUntraced(
  function* (request: DiffRequest) {
    const { after, before, folder = "", out } = request
    const path = (name: string) => inFolder(folder, name)
    const paths = { before: path(before), after: path(after), out: out === undefined ? undefined : path(out) }
    const difference = yield* fromPromise(async () => {
      for (const name of namesOf(request)) expectLocal(name)
      return await differenceOf({ ...request, ...paths })
    })
    return {
      ...difference,
      before: { ...difference.before, file: before },
      after: { ...difference.after, file: after }
    }
  },
  (difference, request) =>
    Effect.catch(difference, ({ lines }) =>
      Effect.fail(problem(...withNames(lines, request.folder ?? "", namesOf(request))))
    )
)
