/**
 * What a fact of a request is that a flag can tell: how it is written, what is said of it, and what happens where it is
 * absent. A fact that the HTTP API never assumes is required, or assumed and said to be.
 */
import { dollars, percent } from "../../messages/figures.ts"
import type { Reading } from "./parsers.ts"

type Value = string | number | boolean

/** Of an absent fact: what to send, or what is assumed and why it matters. Without either the API has a default. */
type Absence = { readonly send: string } | { readonly assumed: Value; readonly because?: string }

export interface FlagSpec {
  readonly flag: string
  /** The field of the request, within its scenario or its loan. */
  readonly field: string
  /** None: a flag without a value. */
  readonly metavar?: string
  /** The names that a shell offers; others may be known too. */
  readonly names?: ReadonlyArray<string>
  readonly about: string
  readonly read: Reading<Value>
  readonly say: (value: Value) => string
  readonly absent?: Absence
}

export const money = (value: Value): string => dollars(Number(value))
export const rate = (value: Value): string => percent(Number(value))
export const itself = (value: Value): string => String(value)
