/** Lines of text, from files or from standard input; those of JSON as chunks. A file that ends in .gz or .zst is unpacked. */
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { Predicate } from "effect"
import { AS_THEY_ARE, failedWith, sqlText, streamed } from "../duckdb.ts"
import { type Input, type InputChunk, type PortfolioProblem, problem } from "./input.ts"
import { changedOf, fingerprintOf, pathOf, type Source, sharesOf, sourcesOf, unreadable } from "./sources.ts"
import { isPacked, unpacked } from "./unpacked.ts"

const NEWLINE = 10
const BYTE_ORDER_MARK = "\uFEFF"
const READ_BYTES = 1 << 20

/** Some four thousand borrowers of three loans: some tenths of a second of work. No line may be longer. */
const CHUNK_BYTES = 5 << 19

/** Lines of a source, numbered. */
interface Lines extends Pick<InputChunk, "firstRow" | "lines"> {
  /** Whether the last of them has no line break, and so may not be whole. */
  readonly isOpen: boolean
}

const newlinesIn = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** Cuts what is read into chunks of whole lines. Where it cuts depends on the bytes alone, not on how they came. */
class Cutter {
  private held: Array<Uint8Array> = []
  private bytes = 0
  private row = 1

  private cut(all: Buffer, end: number, isOpen: boolean): Lines {
    const lines = all.subarray(0, end)
    const left = all.subarray(end + 1)
    const firstRow = this.row
    this.held = left.length === 0 ? [] : [left]
    this.bytes = left.length
    this.row += newlinesIn(lines) + 1
    const text = lines.toString("utf8")
    return { firstRow, isOpen, lines: firstRow === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text }
  }

  *add(read: Uint8Array): Generator<Lines, void> {
    this.held.push(read)
    this.bytes += read.length
    while (this.bytes >= CHUNK_BYTES) {
      const all = Buffer.concat(this.held)
      const end = all.lastIndexOf(NEWLINE, CHUNK_BYTES - 1)
      if (end === -1) throw tooLong(this.row)
      yield this.cut(all, end, false)
    }
  }

  /** The lines that are whole. */
  *whole(): Generator<Lines, void> {
    const all = Buffer.concat(this.held)
    const end = all.lastIndexOf(NEWLINE)
    if (end !== -1) yield this.cut(all, end, false)
  }

  /** What is left, also without a newline at its end. */
  *rest(): Generator<Lines, void> {
    if (this.bytes === 0) return
    const all = Buffer.concat(this.held)
    const isOpen = all.at(-1) !== NEWLINE
    yield this.cut(all, isOpen ? this.bytes : this.bytes - 1, isOpen)
  }
}

const tooLong = (row: number): PortfolioProblem =>
  problem(
    `Line ${row} is longer than ${CHUNK_BYTES} bytes: a line is one borrower, or one row of a table. Is the file what its name says?`
  )

/** The bytes of a file as they come, and how many of those that are stored have been read. */
interface Reading {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly done: () => number
  readonly close: () => void
}

const readLocally = (name: string): Reading => {
  const stored = createReadStream(name, { highWaterMark: READ_BYTES })
  return {
    bytes: unpacked(name, stored),
    done: () => stored.bytesRead,
    close: () => {
      stored.destroy()
    }
  }
}

/** One column of text, without quotes, between separators that no text has. */
const AS_LINES = `columns = {'line': 'VARCHAR'}, auto_detect = false, header = false, max_line_size = ${CHUNK_BYTES}, delim = '\x01\x02\x03', quote = '', escape = '', nullstr = '', ${AS_THEY_ARE}`

/** Lines of a file in an object store. Whether the last one has its line break is not told. */
async function* readRemotely(name: string): AsyncGenerator<Buffer, void> {
  const query = `SELECT coalesce(line, '') FROM read_csv(${sqlText(name)}, ${AS_LINES})`
  for await (const [lines = []] of streamed(query)) yield Buffer.from(`${lines.join("\n")}\n`)
}

/** A packed file of an object store, as it is stored: DuckDB would give the lines of a file that is cut as if they were all. */
async function* storedRemotely({ name, size }: Source): AsyncGenerator<Uint8Array, void> {
  const query = `SELECT content FROM read_blob(${sqlText(name)})`
  for await (const [[content] = []] of streamed(query)) {
    const bytes = Predicate.hasProperty(content, "bytes") ? content.bytes : undefined
    if (!(bytes instanceof Uint8Array) || bytes.length !== size) throw problem(`${name}: has not come as it is stored`)
    yield bytes
  }
}

const readAfar = (source: Source): Reading => {
  const path = pathOf(source.name)
  const bytes = isPacked(path) ? unpacked(path, storedRemotely(source)) : readRemotely(source.name)
  return { bytes, done: () => 0, close: () => {} }
}

const reading = (source: Source): Reading => (source.isRemote ? readAfar(source) : readLocally(source.name))

const isOfSystem = (cause: unknown): boolean => cause instanceof Error && "code" in cause

/** Pieces of whole lines, each with how much of the file has been read with it, 0 to 1. */
export async function* linesOf(source: Source): AsyncGenerator<Lines & { readonly part: number }, void> {
  const { bytes, close, done } = reading(source)
  const cutter = new Cutter()
  const withPart = (lines: Lines) => ({ ...lines, part: source.size === 0 ? 1 : done() / source.size })
  try {
    for await (const read of bytes) for (const lines of cutter.add(read)) yield withPart(lines)
  } catch (cause) {
    if (isOfSystem(cause)) throw unreadable(source.name, cause)
    throw source.isRemote ? failedWith(`${source.name}: its lines cannot be read`, cause) : cause
  } finally {
    close()
  }
  for (const lines of cutter.rest()) yield withPart(lines)
}

/** Files of JSON lines, one after the other. Rows are counted in each file from 1. */
export const lineFiles = async (files: ReadonlyArray<string>): Promise<Input> => {
  const sources = await sourcesOf(files)
  return {
    files: sources,
    fingerprint: fingerprintOf(sources),
    changed: () => changedOf(sources),
    chunks: async function* () {
      const shares = sharesOf(sources)
      for (const source of sources) {
        for await (const { firstRow, lines, part } of linesOf(source))
          yield { file: source.name, firstRow, lines, isTable: false, share: shares.of(source, part) }
        shares.next(source)
      }
    }
  }
}

/** Standard input, or another stream: lines are a chunk as soon as they have come, so that whoever writes one gets its answer. */
export const lineStream = (file: string, stream: Readable): Input => ({
  files: [],
  fingerprint: null,
  changed: async () => [],
  chunks: async function* () {
    const cutter = new Cutter()
    const chunkOf = ({ firstRow, lines }: Lines): InputChunk => ({ file, firstRow, lines, isTable: false, share: null })
    for await (const bytes of stream) {
      for (const lines of cutter.add(bytes)) yield chunkOf(lines)
      for (const lines of cutter.whole()) yield chunkOf(lines)
    }
    for (const lines of cutter.rest()) yield chunkOf(lines)
  }
})
