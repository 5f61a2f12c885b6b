/** Lines of JSON, from files or from standard input, as chunks. A file that ends in .gz is unpacked. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { pipeline, type Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { type Input, type InputChunk, type PortfolioProblem, problem } from "./input.ts"

const NEWLINE = 10
const BYTE_ORDER_MARK = "\uFEFF"
const READ_BYTES = 1 << 20

/** Some four thousand borrowers of three loans: some tenths of a second of work. No line may be longer. */
const CHUNK_BYTES = 5 << 19

/** Lines of a source, numbered. */
type Lines = Pick<InputChunk, "firstRow" | "lines">

const newlinesIn = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** Cuts what is read into chunks of whole lines. Where it cuts depends on the bytes alone, not on how they came. */
class Cutter {
  private held: Array<Buffer> = []
  private bytes = 0
  private row = 1

  private cut(all: Buffer, end: number): Lines {
    const lines = all.subarray(0, end)
    const left = all.subarray(end + 1)
    const firstRow = this.row
    this.held = left.length === 0 ? [] : [left]
    this.bytes = left.length
    this.row += newlinesIn(lines) + 1
    const text = lines.toString("utf8")
    return { firstRow, lines: firstRow === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text }
  }

  *add(read: Buffer): Generator<Lines, void> {
    this.held.push(read)
    this.bytes += read.length
    while (this.bytes >= CHUNK_BYTES) {
      const all = Buffer.concat(this.held)
      const end = all.lastIndexOf(NEWLINE, CHUNK_BYTES - 1)
      if (end === -1) throw tooLong(this.row)
      yield this.cut(all, end)
    }
  }

  /** The lines that are whole. */
  *whole(): Generator<Lines, void> {
    const all = Buffer.concat(this.held)
    const end = all.lastIndexOf(NEWLINE)
    if (end !== -1) yield this.cut(all, end)
  }

  /** What is left, also without a newline at its end. */
  *rest(): Generator<Lines, void> {
    const all = Buffer.concat(this.held)
    if (all.length > 0) yield this.cut(all, all.at(-1) === NEWLINE ? all.length - 1 : all.length)
  }
}

const tooLong = (row: number): PortfolioProblem =>
  problem(
    `Line ${row} is longer than ${CHUNK_BYTES} bytes: a file of JSON lines has one borrower a line. Is it a table? Then its name should end in .csv or .parquet.`
  )

const unreadable = (name: string, cause: unknown): PortfolioProblem => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
  return problem(`${name}: ${code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`}`)
}

const isPacked = (file: string): boolean => file.endsWith(".gz")

async function* linesOfFile(file: string, share: (bytes: number) => number): AsyncGenerator<InputChunk, void> {
  const stored = createReadStream(file, { highWaterMark: READ_BYTES })
  // What fails is thrown to whoever reads the last of them.
  const stream: Readable = isPacked(file) ? pipeline(stored, createGunzip(), () => undefined) : stored
  const cutter = new Cutter()
  const withShare = (lines: Lines): InputChunk => ({ ...lines, file, share: share(stored.bytesRead) })
  try {
    for await (const bytes of stream) for (const lines of cutter.add(bytes)) yield withShare(lines)
  } catch (cause) {
    throw cause instanceof Error && "code" in cause ? unreadable(file, cause) : cause
  }
  for (const lines of cutter.rest()) yield withShare(lines)
}

const stated = async (file: string) => {
  try {
    const { isFile, mtimeMs, size } = await stat(file).then((found) => ({ ...found, isFile: found.isFile() }))
    if (!isFile) throw problem(`${file}: is not a file`)
    return { file, size, mtimeMs }
  } catch (cause) {
    throw cause instanceof Error && "code" in cause ? unreadable(file, cause) : cause
  }
}

/** Files of JSON lines, one after the other. Rows are counted in each file from 1. */
export const lineFiles = async (files: ReadonlyArray<string>): Promise<Input> => {
  const found = await Promise.all(files.map(stated))
  const all = Math.max(
    1,
    found.reduce((sum, { size }) => sum + size, 0)
  )
  return {
    fingerprint: JSON.stringify(found.map(({ file, mtimeMs, size }) => [resolve(file), size, mtimeMs])),
    chunks: async function* () {
      let before = 0
      for (const { file, size } of found) {
        yield* linesOfFile(file, (bytes) => (before + bytes) / all)
        before += size
      }
    }
  }
}

/** Standard input, or another stream: lines are a chunk as soon as they have come, so that whoever writes one gets its answer. */
export const lineStream = (file: string, stream: Readable): Input => ({
  fingerprint: null,
  chunks: async function* () {
    const cutter = new Cutter()
    for await (const bytes of stream) {
      for (const lines of cutter.add(bytes)) yield { ...lines, file, share: null }
      for (const lines of cutter.whole()) yield { ...lines, file, share: null }
    }
    for (const lines of cutter.rest()) yield { ...lines, file, share: null }
  }
})
