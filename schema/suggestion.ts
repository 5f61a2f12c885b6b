/**
 * What to send instead of a value that is refused: the values that it is another name for, or that it misspells in one
 * place. It accepts nothing, repeats nothing of what was sent, and looks at so little of it that a refusal stays cheap.
 */

/** Other names of the values of a field, which are refused, and what each stands for. */
export interface OtherNames {
  readonly names: Readonly<Record<string, ReadonlyArray<string>>>
  /** What tells a value from the others, where several are named. */
  readonly told?: Readonly<Record<string, string>>
  /** What to say of a name that stands for nothing that the field takes. */
  readonly advice?: Readonly<Record<string, string>>
}

/** Longer values are not looked at. */
const MOST_CHARACTERS = 64
/** Words that do not tell one value from another. The first word of a name always counts. */
const FILLERS = new Set(["PLAN", "LOAN", "LOANS", "REPAYMENT"])
/** Letters next to each other that may be wrong in a name of so many letters. */
const slipsIn = (letters: number): number => (letters < 4 ? 0 : letters < 8 ? 1 : 2)
const MOST_NAMED = 4

/** A name without case, spaces, hyphens and fillers. */
const bare = (name: string): string =>
  name
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word, index) => index === 0 || !FILLERS.has(word))
    .join("")

/**
 * How many letters differ between two names that differ in one place: one put in, left out or replaced there, or two that
 * changed places, count as one. Every place costs a comparison of letters until the first that differs, and no more.
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

/** A bare name, and the values that it stands for. */
type Answer = readonly [name: string, values: ReadonlyArray<string>]

/** The values whose names have the fewest slips to this one. */
const nearest = (key: string, answers: ReadonlyArray<Answer>): ReadonlyArray<string> => {
  let most = slipsIn(key.length)
  let found = new Set<string>()
  for (const [name, values] of most === 0 ? [] : answers) {
    const slips = slipsBetween(key, name)
    if (slips > most) continue
    if (slips < most) found = new Set()
    most = slips
    for (const value of values) found.add(value)
  }
  return [...found].slice(0, MOST_NAMED)
}

/** Which values a refused one may have been meant for; none where that cannot be told. */
export const meantBy = (
  values: ReadonlyArray<string>,
  names: OtherNames["names"]
): ((refused: string) => ReadonlyArray<string>) => {
  const answers = new Map(values.map((value): Answer => [bare(value), [value]]))
  for (const [name, stoodFor] of Object.entries(names)) answers.set(bare(name), stoodFor)
  const listed = [...answers]
  return (refused) => {
    if (refused.length > MOST_CHARACTERS) return []
    const key = bare(refused.trim())
    return answers.get(key) ?? nearest(key, listed)
  }
}

/** Says what to send for a refused value, or undefined where that cannot be told. */
export const suggestionFor = (
  values: ReadonlyArray<string>,
  { advice = {}, names, told = {} }: OtherNames
): ((refused: string) => string | undefined) => {
  const meant = meantBy(values, names)
  const advised = new Map(Object.entries(advice).map(([name, text]) => [bare(name), text]))
  const worded = (value: string) => `"${value}"${told[value] === undefined ? "" : ` (${told[value]})`}`
  return (refused) => {
    if (refused.length > MOST_CHARACTERS) return undefined
    const advisedOf = advised.get(bare(refused.trim()))
    if (advisedOf !== undefined) return advisedOf
    const found = meant(refused)
    if (found.length === 1) return `send "${found[0]}"`
    return found.length === 0 ? undefined : `send ${found.map(worded).join(" or ")}`
  }
}
