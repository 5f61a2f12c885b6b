/**
 * Suggestions for a refused value: the accepted values that it is another name for, or that it
 * misspells in one place. They never repeat what was sent, and cost little to find, because anyone
 * can send wrong values.
 */

/** Common other names of a field's values. The API refuses them and suggests what they mean. */
export interface OtherNames {
  readonly names: Readonly<Record<string, ReadonlyArray<string>>>
  /** By value: the text that distinguishes it from others, if several are suggested. */
  readonly told?: Readonly<Record<string, string>>
  /** By name: the advice for a name that means no value of the field. */
  readonly advice?: Readonly<Record<string, string>>
}

/** Longer values get no suggestion. */
const MAX_CHARACTERS = 64
/** Words that are ignored in comparisons, except as the first word of a name. */
const FILLERS = new Set(["PLAN", "LOAN", "LOANS", "REPAYMENT"])
/** The maximum number of adjacent wrong letters in a name of this length. */
const slipsIn = (letters: number): number => (letters < 4 ? 0 : letters < 8 ? 1 : 2)
const MAX_SUGGESTIONS = 4

/** A name without case, spaces, hyphens and filler words. */
const bare = (name: string): string =>
  name
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word, index) => index === 0 || !FILLERS.has(word))
    .join("")

/**
 * The number of letters from the first to the last difference of two names; two swapped letters
 * count as one. Compares from both ends up to the first difference, so it is linear.
 */
const slipsBetween = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length)
  let before = 0
  while (before < shorter && a[before] === b[before]) before++
  let after = 0
  while (after < shorter - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after++
  const slips = Math.max(a.length, b.length) - before - after
  const areSwapped = slips === 2 && a.length === b.length && a[before] === b[before + 1] && a[before + 1] === b[before]
  return areSwapped ? 1 : slips
}

/** A bare name, and the values that it means. */
type Candidate = readonly [name: string, values: ReadonlyArray<string>]

/** The values whose names have the fewest wrong letters, within the limit for this name. */
const nearest = (key: string, candidates: ReadonlyArray<Candidate>): ReadonlyArray<string> => {
  let maxSlips = slipsIn(key.length)
  let found = new Set<string>()
  for (const [name, values] of maxSlips === 0 ? [] : candidates) {
    const slips = slipsBetween(key, name)
    if (slips > maxSlips) continue
    if (slips < maxSlips) found = new Set()
    maxSlips = slips
    for (const value of values) found.add(value)
  }
  return [...found].slice(0, MAX_SUGGESTIONS)
}

/** Finds the accepted values that a refused one may mean; none if there is no match. */
export const meantBy = (
  values: ReadonlyArray<string>,
  names: OtherNames["names"]
): ((refused: string) => ReadonlyArray<string>) => {
  const candidates = new Map(values.map((value): Candidate => [bare(value), [value]]))
  for (const [name, meantValues] of Object.entries(names)) candidates.set(bare(name), meantValues)
  const listed = [...candidates]
  return (refused) => {
    if (refused.length > MAX_CHARACTERS) return []
    const key = bare(refused.trim())
    return candidates.get(key) ?? nearest(key, listed)
  }
}

/** Builds the text that says what to send for a refused value; undefined if there is no match. */
export const suggestionFor = (
  values: ReadonlyArray<string>,
  { advice = {}, names, told = {} }: OtherNames
): ((refused: string) => string | undefined) => {
  const meant = meantBy(values, names)
  const advised = new Map(Object.entries(advice).map(([name, text]) => [bare(name), text]))
  const worded = (value: string) => `"${value}"${told[value] === undefined ? "" : ` (${told[value]})`}`
  return (refused) => {
    if (refused.length > MAX_CHARACTERS) return undefined
    const advisedOf = advised.get(bare(refused.trim()))
    if (advisedOf !== undefined) return advisedOf
    const found = meant(refused)
    if (found.length === 1) return `send "${found[0]}"`
    return found.length === 0 ? undefined : `send ${found.map(worded).join(" or ")}`
  }
}
