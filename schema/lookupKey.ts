/** Case-insensitive look-up key of a name. */

const ASCII = /^[\x20-\x7e]*$/

/**
 * Trims, and upper-cases ASCII text only: in Unicode the upper case of the long s is S, too, and a
 * ligature becomes two letters.
 */
export const lookupKey = (text: string): string => {
  const trimmed = text.trim()
  return ASCII.test(trimmed) ? trimmed.toUpperCase() : trimmed
}
