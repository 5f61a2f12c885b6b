/** The reader of text lines from files or standard input, and of JSON lines as chunks. */
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { expectColumns } from "./carry.ts"
import { unpacked } from "./decompress.ts"
import { chunkShare, type Input, type InputChunk, UTF_8 } from "./input.ts"
import { type PortfolioProblem, problem } from "./problem.ts"
import { changedOf, type Source, sharesOf, sourcesOf, unreadable } from "./sources.ts"

const NEWLINE = 10
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
/** Bytes per read. Small files are read with a smaller buffer, because there may be thousands. */
const READ_BYTES = 1 << 20
const MIN_READ_BYTES = 1 << 16

/**
 * A full chunk: about 4000 borrowers with three loans each, computed in some tenths of a second. No
 * line may be longer.
 */
const CHUNK_BYTES = 5 << 19

interface Lines extends Pick<InputChunk, "firstRow" | "lines"> {
  /** Whether the last line lacks a line break, and so may be truncated. */
  readonly isOpen: boolean
}

const newlinesIn = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

/**
 * Cuts bytes into chunks of whole lines. The cuts depend only on the content, not on the sizes of
 * the reads. One buffer is reused for the whole file, to spare a garbage collection per chunk.
 */
class Cutter {
  private held = Buffer.alloc(0)
  private begin = 0
  private end = 0
  private row = 1
  private chunks = 0

  private get left(): Buffer {
    return this.held.subarray(this.begin, this.end)
  }

  private keep(read: Uint8Array): void {
    if (this.end + read.length > this.held.length) {
      const { left } = this
      if (left.length + read.length > this.held.length) this.held = Buffer.alloc(2 * (left.length + read.length))
      this.held.set(left)
      this.begin = 0
      this.end = left.length
    }
    this.held.set(read, this.end)
    this.end += read.length
  }

  /** @param length of the lines, without the final newline */
  private cut(length: number, isOpen: boolean): Lines {
    const lines = this.left.subarray(0, length)
    const firstRow = this.row
    this.begin = Math.min(this.begin + length + 1, this.end)
    this.row += newlinesIn(lines) + 1
    this.chunks++
    const isMarked = firstRow === 1 && BYTE_ORDER_MARK.every((byte, index) => lines[index] === byte)
    return { firstRow, isOpen, lines: new Uint8Array(isMarked ? lines.subarray(BYTE_ORDER_MARK.length) : lines) }
  }

  *add(read: Uint8Array): Generator<Lines, void> {
    this.keep(read)
    for (;;) {
      const { left } = this
      const size = CHUNK_BYTES * chunkShare(this.chunks)
      if (left.length < size) return
      const last = left.lastIndexOf(NEWLINE, size - 1)
      // A line that is longer than the chunk is a chunk of its own.
      const end = last === -1 ? left.indexOf(NEWLINE, size) : last
      if (end >= CHUNK_BYTES || (end === -1 && left.length >= CHUNK_BYTES)) throw tooLong(this.row)
      if (end === -1) return
      yield this.cut(end, false)
    }
  }

  /** All complete lines so far. */
  *whole(): Generator<Lines, void> {
    const end = this.left.lastIndexOf(NEWLINE)
    if (end !== -1) yield this.cut(end, false)
  }

  /** The remaining lines, even without a final newline. */
  *rest(): Generator<Lines, void> {
    const { left } = this
    if (left.length === 0) return
    const isOpen = left.at(-1) !== NEWLINE
    yield this.cut(isOpen ? left.length : left.length - 1, isOpen)
  }
}

const tooLong = (row: number): PortfolioProblem =>
  problem(
    `Line ${row} is longer than ${CHUNK_BYTES} bytes: a line is one borrower, or one row of a table. Check that the file's format is the one that its name says.`
  )

/** The decompressed bytes of a file, and a count of the stored bytes read so far. */
const openFile = ({ name, path, size }: Source) => {
  let read = 0
  /** Yields the same buffer each time, overwritten with the next bytes. */
  async function* stored(): AsyncGenerator<Uint8Array, void> {
    const file = await open(path)
    try {
      const buffer = Buffer.alloc(Math.min(READ_BYTES, Math.max(MIN_READ_BYTES, size)))
      for (;;) {
        const { bytesRead } = await file.read(buffer)
        if (bytesRead === 0) return
        read += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await file.close()
    }
  }
  const bytes = stored()
  return { bytes: unpacked(name, bytes), done: () => read, close: () => bytes.return() }
}

const isSystemError = (cause: unknown): boolean => cause instanceof Error && "code" in cause

/** Beginnings of other kinds of files, byte for byte, each with the advice for it. */
const OTHER_KINDS: ReadonlyArray<readonly [beginning: string, advice: string]> = [
  ["\u001f\u008b", "is packed by gzip: add .gz to its name"],
  ["\u0028\u00b5\u002f\u00fd", "is packed by zstd: add .zst to its name"],
  ["PAR1", "is a parquet file: its name should end in .parquet"],
  ["PK\u0003\u0004", "is a workbook or another archive: save the table as CSV in UTF-8"]
]

const ARRAY =
  "is one JSON array, and a line should be an object: jq -c '.[]' FILE > NEW.ndjson makes a file that can be read"
const RETURNS =
  "has lines that end with a carriage return alone: tr '\\r' '\\n' < FILE > NEW makes a file that can be read"

/** @param read the first bytes */
const otherKindOf = (read: Uint8Array): string | undefined => {
  const text = Buffer.from(read).toString("latin1")
  const known = OTHER_KINDS.find(([beginning]) => text.startsWith(beginning))
  if (known !== undefined) return known[1]
  if (/^(\u00ef\u00bb\u00bf)?\s*\[/.test(text)) return ARRAY
  return /\r./s.test(text) && !text.includes("\n") ? RETURNS : undefined
}

/** @throws PortfolioProblem if a file with these first bytes has no lines of text */
const expectLines = ({ name }: Source, read: Uint8Array): void => {
  const advice = otherKindOf(read)
  if (advice !== undefined) throw problem(`${name}: ${advice}`)
}

/** Batches of whole lines, each with the share of the file read so far, 0 to 1. */
export async function* linesOf(source: Source): AsyncGenerator<Lines & { readonly part: number }, void> {
  const { bytes, close, done } = openFile(source)
  const cutter = new Cutter()
  const withPart = (lines: Lines) => ({ ...lines, part: source.size === 0 ? 1 : done() / source.size })
  let isBegun = false
  try {
    for await (const read of bytes) {
      if (!isBegun) expectLines(source, read)
      isBegun = true
      for (const lines of cutter.add(read)) yield withPart(lines)
    }
  } catch (cause) {
    throw isSystemError(cause) ? unreadable(source.name, cause) : cause
  } finally {
    await close()
  }
  for (const lines of cutter.rest()) yield withPart(lines)
}

/** The members that the borrowers in some lines have. Other lines are rejected when they are computed. */
const membersIn = (lines: Uint8Array): ReadonlyArray<string> => [
  ...new Set(
    UTF_8.decode(lines)
      .split("\n")
      .flatMap((line) => {
        try {
          return Object.keys(JSON.parse(line) ?? {})
        } catch {
          return []
        }
      })
  )
]

/** Input from files of JSON lines. Rows are numbered from 1 in each file. */
export const lineFiles = async (
  files: ReadonlyArray<string>,
  { carry = [], folder }: { readonly carry?: ReadonlyArray<string>; readonly folder?: string | undefined } = {}
): Promise<Input> => {
  const sources = await sourcesOf(files, folder)
  // As with tables, a bad file stops the run before the first file is computed.
  for (const source of sources)
    for await (const { lines } of linesOf(source)) {
      if (carry.length > 0) expectColumns(source.name, carry, membersIn(lines))
      break
    }
  return {
    files: sources,
    changed: () => changedOf(sources),
    chunks: async function* () {
      const shares = sharesOf(sources)
      for (const source of sources) {
        for await (const { firstRow, lines, part } of linesOf(source))
          yield { file: source.name, firstRow, lines, isTable: false, share: shares.of(source, part) }
        shares.next(source)
      }
    },
    warnings: () => []
  }
}

/**
 * Input from standard input or another stream. Complete lines become a chunk at once, so that a
 * writer gets the answer to each line before it sends the next.
 */
export const lineStream = (file: string, stream: Readable): Input => ({
  files: [],
  changed: async () => [],
  chunks: async function* () {
    const cutter = new Cutter()
    const chunkOf = ({ firstRow, lines }: Lines): InputChunk => ({ file, firstRow, lines, isTable: false, share: null })
    for await (const bytes of stream) {
      for (const lines of cutter.add(bytes)) yield chunkOf(lines)
      for (const lines of cutter.whole()) yield chunkOf(lines)
    }
    for (const lines of cutter.rest()) yield chunkOf(lines)
  },
  warnings: () => []
})
