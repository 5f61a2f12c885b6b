/** From the bytes of a file to its lines, within bounds. Any bytes are text of some kind; what they say is not judged here. */

/** An honest file has less than 200 KB. */
export const MAX_BYTES = 4 * 1024 * 1024
export const MAX_LINES = 100_000

const startsWith = (bytes: Uint8Array, ...mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/** The encoding is told by a mark, else it is UTF-8 if it can be, else that of old Windows programs. */
export const textOf = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The lines of a text, however they end; null if there are too many. */
export const linesOf = (text: string): ReadonlyArray<string> | null => {
  if (text.length > MAX_BYTES) return null
  const lines = text.split(/\r\n?|\n/, MAX_LINES + 1)
  return lines.length > MAX_LINES ? null : lines
}
