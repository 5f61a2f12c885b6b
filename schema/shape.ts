/** Shapes of request values, as data. generated/shapes.ts holds the shape of every request. */
import { lookupKey } from "./lookupKey.ts"

interface WithMessage {
  /** Message for a value that is not of this shape. */
  readonly says: string
}

export type Shape =
  | (WithMessage & {
      readonly kind: "number"
      readonly least: number
      readonly most: number
      readonly isWhole: boolean
    })
  | (WithMessage & { readonly kind: "flag" })
  | (WithMessage & { readonly kind: "text"; readonly mostCharacters: number })
  /** Canonical spelling, by the look-up key of each name. */
  | (WithMessage & { readonly kind: "name"; readonly names: ReadonlyMap<string, string> })
  | (WithMessage & {
      readonly kind: "list"
      readonly item: Shape
      readonly least: number
      readonly most: number
      /** Message for a list that is too short or too long. */
      readonly saysOfLength: string
    })
  | (WithMessage & { readonly kind: "object"; readonly members: Readonly<Record<string, Member>> })

export interface Member {
  readonly shape: Shape
  readonly isNullable: boolean
  /** Message for a missing member; undefined if it has a default. */
  readonly required?: string
  readonly otherwise?: null | boolean | number
}

/** Canonical names, by the look-up keys of the names and their aliases. */
export const byKey = (
  names: ReadonlyArray<string>,
  others: Readonly<Record<string, string>> = {}
): ReadonlyMap<string, string> =>
  new Map(
    [...names.map((name) => [name, name] as const), ...Object.entries(others)].map(([name, known]) => [
      lookupKey(name),
      known
    ])
  )
