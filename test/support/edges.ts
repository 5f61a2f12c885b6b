/** Edge values of request fields, valid and invalid. */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

export const EDGES: ReadonlyArray<Json> = [
  ...[
    null,
    true,
    false,
    "",
    " ",
    "true",
    "0",
    "RAP",
    "save",
    " Single ",
    "mfj",
    "ſave",
    "__proto__",
    "direct_subsidized"
  ],
  ...[-1, -0, 0, 0.5, 0.50001, 1, 1.5, 6.54, 30, 31, 50, 51, 100, 120, 121, 600, 601, 1e8, 1e8 + 1, 1e300],
  ...[Number.NaN, Number.POSITIVE_INFINITY, "é".repeat(80), "😀".repeat(80), "😀".repeat(81)],
  ...[[], {}, [[]], [null], { loans: [] }, Array.from({ length: 101 }, () => null)]
]
