/** What a portfolio is read from: chunks of lines in the order of the input, each line a borrower. */

/** What stands in a text for bytes that are none of UTF-8. */
export const REPLACED = "\uFFFD"

/** A mark in the middle of a file is one of its characters. */
export const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true })

export interface InputChunk {
  /** The name of the file, `-` for standard input. */
  readonly file: string
  /** UTF-8 in memory of its own, which is moved to whoever computes it. */
  readonly lines: Uint8Array<ArrayBuffer>
  /** Whether its lines are lists of rows, put together from a table, or borrowers as the file has them. */
  readonly isTable: boolean
  /** The number of its first row in the file, from 1. */
  readonly firstRow: number
  /** How much of the input has been read with it, 0 to 1; null where its size is not known. */
  readonly share: number | null
}

/** A file that is read. */
export interface InputFile {
  /** As it was named, or as the glob found it. */
  readonly name: string
  /** Where it is read. */
  readonly path: string
  /** Bytes, as it is stored. */
  readonly size: number
}

export interface Input {
  /** In their order; none where standard input is read. */
  readonly files: ReadonlyArray<InputFile>
  /** Names the files as they are now: another input has another one. Null where the input cannot be read twice. */
  readonly fingerprint: string | null
  /** Names of files that are not as they were when the input was opened. */
  readonly changed: () => Promise<ReadonlyArray<string>>
  /** The same chunks whenever they are asked for. Throws a PortfolioProblem where the input cannot be read on. */
  readonly chunks: () => AsyncIterable<InputChunk>
}
