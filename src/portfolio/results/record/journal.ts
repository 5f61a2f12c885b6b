/**
 * What a service has answered for the borrowers of one part, written down as it comes: a line each, whole. It is kept on the
 * disk and not in memory, for an answer of ten plans has a hundred kilobytes and more.
 */
import { createReadStream, createWriteStream } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import * as zlib from "node:zlib"
import type { RecordedAnswer } from "./service.ts"

interface Line {
  readonly borrowerId: string
  readonly answer: RecordedAnswer
}

const NEWLINE = "\n"

/** The last line may have been cut by a kill: a part of an object is none. */
const lineOf = (text: string): Line | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What stands between newlines; the text of an answer may hold what others take for one. */
async function* linesIn(handle: FileHandle): AsyncGenerator<string, void> {
  let open = ""
  for await (const read of handle.createReadStream({ start: 0, autoClose: false, encoding: "utf8" })) {
    const lines = (open + read).split(NEWLINE)
    open = lines.pop()!
    yield* lines
  }
  if (open !== "") yield open
}

export class Journal {
  /** The id of each answer, by its borrower. */
  readonly answerIds: Map<string, string>
  private readonly handle: FileHandle
  /** Lines are written one after the other. */
  private written: Promise<void> = Promise.resolve()

  private constructor(handle: FileHandle, answerIds: Map<string, string>) {
    this.handle = handle
    this.answerIds = answerIds
  }

  /** The journal as a run that was stopped has left it, to be written on. */
  static async open(file: string): Promise<Journal> {
    const handle = await open(file, "a+")
    const answerIds = new Map<string, string>()
    let end = 0
    for await (const text of linesIn(handle)) {
      const line = lineOf(text)
      if (line === undefined) break
      end += Buffer.byteLength(text) + NEWLINE.length
      answerIds.set(line.borrowerId, answerIdOf(line.answer))
    }
    const { size } = await handle.stat()
    if (end > size) await handle.appendFile(NEWLINE)
    else await handle.truncate(end)
    return new Journal(handle, answerIds)
  }

  async add(borrowerId: string, answer: RecordedAnswer): Promise<void> {
    const line = JSON.stringify({ borrowerId, answer } satisfies Line) + NEWLINE
    this.written = this.written.then(() => this.handle.appendFile(line))
    await this.written
    this.answerIds.set(borrowerId, answerIdOf(answer))
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

/** An answer of record has an id. */
const answerIdOf = ({ provenance }: RecordedAnswer): string => provenance.answerId!

/** The lines of a journal, packed. */
export const pack = (file: string, out: string): Promise<void> =>
  pipeline(createReadStream(file), zlib.createZstdCompress(), createWriteStream(out))
