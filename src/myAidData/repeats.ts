/**
 * Loans that the file lists twice. An id is no proof of it, for two loans may share one: they are the same if all that
 * tells loans apart is the same. Ids are compared here and kept nowhere.
 */
import { balancesOf, disbursedOf } from "./balances.ts"
import { KEYS } from "./keys.ts"
import { type Block, firstOf } from "./layout.ts"
import type { GoesIn, StaysOut } from "./loan.ts"
import { typeTextsOf } from "./loanTypes.ts"

const identityOf = (block: Block, loanType: string | undefined): string => {
  const { code, description } = typeTextsOf(block)
  const { interest, principal } = balancesOf(block)
  const type = loanType ?? description ?? code
  return JSON.stringify([type, firstOf(block.entries, KEYS.date), disbursedOf(block), principal, interest])
}

/** The loans in order, those out that repeat an earlier one that went in. */
export const withoutRepeats = (loans: ReadonlyArray<GoesIn | StaysOut>): ReadonlyArray<GoesIn | StaysOut> => {
  const seen = new Map<string, Set<string>>()
  return loans.map((loan) => {
    if (loan.why !== undefined) return loan
    const id = firstOf(loan.block.entries, KEYS.awardId)?.toUpperCase()
    if (id === undefined) return loan
    const identity = identityOf(loan.block, loan.members.loanType)
    const sharers = seen.get(id)
    if (sharers === undefined) {
      seen.set(id, new Set([identity]))
      return loan
    }
    if (sharers.has(identity)) return { block: loan.block, why: "duplicate", warnings: ["duplicate-loan"] }
    sharers.add(identity)
    return { ...loan, warnings: ["same-award-id", ...loan.warnings] }
  })
}
