/**
 * Specification of a flag that sets a field of a request: how it is parsed, described and handled
 * when absent. If the API has no default, the flag is required or a reported default is assumed.
 */
import { dollars, longDate, percent } from "../../messages/figures.ts"
import type { Parser } from "./parsers.ts"

type Value = string | number | boolean | ReadonlyArray<object>

/** An absent flag is required (`send`) or assumed. With neither, the API has a default. */
type Absence = { readonly send: string } | { readonly assumed: Value }

export interface FlagSpec {
  readonly flag: string
  /** The field of the request, within its scenario or its loan. */
  readonly field: string
  /** Undefined for a flag without a value. */
  readonly metavar?: string
  /** Names that a shell offers; the parser may accept others too. */
  readonly names?: ReadonlyArray<string>
  /** Whether the flag may be given several times; the parser gets the texts as lines. */
  readonly repeats?: boolean
  readonly about: string
  readonly read: Parser<Value>
  readonly say: (value: Value) => string
  readonly absent?: Absence
}

export const money = (value: Value): string => dollars(Number(value))
export const rate = (value: Value): string => percent(Number(value))
export const day = (value: Value): string => longDate(String(value))
export const itself = (value: Value): string => String(value)
