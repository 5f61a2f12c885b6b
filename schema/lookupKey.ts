/** Case-insensitive look-up key of a name. */

const ASCII = /^[\x20-\x7e]*$/

/**
 * Trims a name, and upper-cases it if it is all ASCII. Beyond ASCII, upper case would make
 * different names equal: the long s becomes S, and a ligature becomes two letters.
 */
export const lookupKey = (text: string): string => {
  const trimmed = text.trim()
  return ASCII.test(trimmed) ? trimmed.toUpperCase() : trimmed
}
