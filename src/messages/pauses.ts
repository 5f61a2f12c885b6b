/** Pauses, lump sums and changes of plan in words. Loans are counted from 1. */
import type { LumpSum, Pause, PauseKind, PlanChange } from "../../schema/scenario.ts"
import { dollars, longMonth } from "./figures.ts"

/** A pause in the form of the API; a missing member is as null. */
export type PauseSent = Pick<Pause, "kind" | "until"> & { readonly [Member in "from" | "loans"]?: Pause[Member] }

/** What a paused loan is in. */
export const PAUSED: Readonly<Record<PauseKind, string>> = {
  InSchool: "in school or grace",
  Deferment: "in deferment",
  Forbearance: "in forbearance"
}

/** For example "in forbearance from June 2027 until January 2028 (loans 1, 3)". */
export const pauseWords = ({ from = null, kind, loans = null, until }: PauseSent): string => {
  const begin = from === null ? "" : ` from ${longMonth(from)}`
  const named = (loans ?? []).map((position) => position + 1).join(", ")
  const of = loans === null ? "" : ` (${loans.length === 1 ? "loan" : "loans"} ${named})`
  return `${PAUSED[kind]}${begin} until ${longMonth(until)}${of}`
}

export const lumpSumWords = ({ amount, on }: LumpSum): string => `${dollars(amount)} once in ${longMonth(on)}`

export const planChangeWords = ({ from, planType }: PlanChange): string => `from ${longMonth(from)}: ${planType}`
