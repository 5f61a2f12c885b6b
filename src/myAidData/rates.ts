/** The interest rate: the first of three keys that has one above zero. The actual rate comes last, for it may be lowered for a while. */
import { KEYS } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import type { LoanWarningId, Part } from "./result.ts"
import { fractionIn } from "./values.ts"

const SOURCES: ReadonlyArray<
  readonly [key: typeof KEYS.rate | typeof KEYS.statutoryRate | typeof KEYS.actualRate, ReadonlyArray<LoanWarningId>]
> = [
  [KEYS.rate, []],
  [KEYS.statutoryRate, ["rate-from-statutory"]],
  [KEYS.actualRate, ["rate-from-actual"]]
]

const VARIABLE: ReadonlyArray<string> = ["V", "VARIABLE"]

const isVariable = ({ entries }: Block): boolean =>
  [KEYS.rateTypeCode, KEYS.rateTypeDescription, KEYS.rateType].some((key) =>
    VARIABLE.includes(firstOf(entries, key)?.toUpperCase() ?? "")
  )

const readRate = ({ entries }: Block): Part => {
  const read = SOURCES.map(([key, warnings]) => ({ rate: fractionIn(firstOf(entries, key)), warnings }))
  const found = read.find(({ rate }) => rate !== undefined && rate > 0)
  if (found?.rate !== undefined) return { members: { interestRate: found.rate }, warnings: found.warnings }
  return read.some(({ rate }) => rate === 0)
    ? { members: { interestRate: 0 }, warnings: ["zero-rate"] }
    : { members: {}, warnings: ["no-interest-rate"] }
}

export const ratePart = (block: Block): Part => {
  const { members, warnings } = readRate(block)
  return { members, warnings: isVariable(block) ? [...warnings, "variable-rate"] : warnings }
}
