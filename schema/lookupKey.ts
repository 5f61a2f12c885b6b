/** How a name is looked up, whatever its case. */

const ASCII = /^[\x20-\x7e]*$/

/**
 * The key for looking a string up: trimmed, in upper case. Only ASCII letters are folded: upper case makes S of the long s
 * too, and two letters of a ligature.
 */
export const lookupKey = (text: string): string => {
  const trimmed = text.trim()
  return ASCII.test(trimmed) ? trimmed.toUpperCase() : trimmed
}
