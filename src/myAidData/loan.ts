/** One loan of the file: whether it goes in, with what, and what is to be known of it. Other loans are not looked at. */
import { balancePart, balancesOf, disbursedPart, isNegative, isNothing, owedOf } from "./balances.ts"
import type { Block } from "./layout.ts"
import { madePart } from "./made.ts"
import { typePart } from "./parentPlus.ts"
import { pslfPart } from "./pslf.ts"
import { ratePart } from "./rates.ts"
import type { LeftOutReason, LoanMembers, LoanWarningId } from "./result.ts"
import { statusOf } from "./statuses.ts"

interface Judged {
  readonly block: Block
  readonly warnings: ReadonlyArray<LoanWarningId>
}

export interface GoesIn extends Judged {
  readonly members: LoanMembers
  readonly why?: never
}

export interface StaysOut extends Judged {
  readonly why: LeftOutReason
}

export const judge = (block: Block): GoesIn | StaysOut => {
  const status = statusOf(block)
  const balances = balancesOf(block)
  const { interest = 0, principal = 0 } = balances
  if (status.closed !== null)
    return { block, why: status.closed, warnings: principal > 0 || interest > 0 ? ["closed-with-balance"] : [] }
  if (isNothing(owedOf(balances))) {
    const negative: ReadonlyArray<LoanWarningId> = isNegative(balances) ? ["negative-balance"] : []
    return { block, why: "zero-balance", warnings: [...negative, "zero-balance"] }
  }
  const parts = [
    typePart(block),
    balancePart(balances),
    ratePart(block),
    disbursedPart(block),
    pslfPart(block),
    madePart(block)
  ]
  return {
    block,
    members: Object.assign({}, ...parts.map(({ members }) => members)),
    warnings: [...status.warnings, ...parts.flatMap(({ warnings }) => warnings)]
  }
}
