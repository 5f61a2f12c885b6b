/**
 * What a value of a request may be, as data: generated/shapes.ts holds that of every request, and
 * values are read by it.
 */
import { lookupKey } from "./lookupKey.ts"

interface Said {
  /** What is said of a value that is not of this shape. */
  readonly says: string
}

export type Shape =
  | (Said & { readonly kind: "number"; readonly least: number; readonly most: number; readonly isWhole: boolean })
  | (Said & { readonly kind: "flag" })
  | (Said & { readonly kind: "text"; readonly mostCharacters: number })
  /** The spelling that the engine knows, by the key of each name. */
  | (Said & { readonly kind: "name"; readonly names: ReadonlyMap<string, string> })
  | (Said & {
      readonly kind: "list"
      readonly item: Shape
      readonly least: number
      readonly most: number
      /** What is said of a list that is too short or too long. */
      readonly saysOfLength: string
    })
  | (Said & { readonly kind: "object"; readonly members: Readonly<Record<string, Member>> })

export interface Member {
  readonly shape: Shape
  readonly isNullable: boolean
  /** What is said where it is missing; undefined where something stands in for it. */
  readonly required?: string
  readonly otherwise?: null | boolean | number
}

/** Names, and what others stand for, by their keys. */
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
