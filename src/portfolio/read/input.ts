/** The interface of a portfolio's input: chunks of lines in input order, each line a borrower. */

/** The replacement character, which decoders substitute for invalid UTF-8. */
export const REPLACED = "\uFFFD"

/** Keeps a byte order mark, because within a file it is a character of the text. */
export const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true })

export interface InputChunk {
  /** File name; `-` for standard input. */
  readonly file: string
  /** UTF-8 in a buffer of its own, which is transferred to the computing thread. */
  readonly lines: Uint8Array<ArrayBuffer>
  /** Whether the lines were assembled from a table's rows, rather than read as they are. */
  readonly isTable: boolean
  /** The number of the chunk's first row in its file: of its line, or in parquet of the row, from 1. */
  readonly firstRow: number
  /** Share of the input read so far, 0 to 1; null if its size is unknown. */
  readonly share: number | null
}

const FULL_AFTER_CHUNKS = 32
const CHUNKS_OF_A_SIZE = 8

/**
 * The size of a chunk as a share of a full one. The first chunks are small, so that a short run
 * shows its progress.
 */
export const chunkShare = (index: number): number =>
  index >= FULL_AFTER_CHUNKS ? 1 : 2 ** (Math.floor(index / CHUNKS_OF_A_SIZE) - FULL_AFTER_CHUNKS / CHUNKS_OF_A_SIZE)

export interface InputFile {
  /** Name as given, or as found by the glob. */
  readonly name: string
  /** Path under which it is opened. */
  readonly path: string
  /** Size on disk in bytes. */
  readonly size: number
}

export interface Input {
  /** Input files in order; empty for standard input. */
  readonly files: ReadonlyArray<InputFile>
  /** Names of files that have changed since the input was opened. */
  readonly changed: () => Promise<ReadonlyArray<string>>
  /** The same chunks at every call. Throws a PortfolioProblem if the input becomes unreadable. */
  readonly chunks: () => AsyncIterable<InputChunk>
  /** Probable mistakes in rows that are computed as sent; complete once `chunks` has ended. */
  readonly warnings: () => ReadonlyArray<string>
}
