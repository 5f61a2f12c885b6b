/**
 * The journal of the recorded answers of one part (the result of a chunk): a line per borrower,
 * appended as answers arrive. It is on disk because an answer for ten plans takes 100 KB and more.
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

/** Parses a line; undefined if the machine failed before all of it was on disk. */
const lineOf = (text: string): Line | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whole lines, split at newlines only: answers may contain other characters that readline splits at. */
async function* linesIn(handle: FileHandle): AsyncGenerator<string, void> {
  let open = ""
  for await (const read of handle.createReadStream({ start: 0, autoClose: false, encoding: "utf8" })) {
    const lines = (open + read).split(NEWLINE)
    open = lines.pop()!
    yield* lines
  }
}

export class Journal {
  readonly answerIds: Map<string, string>
  private readonly handle: FileHandle
  /** Queue of writes, one at a time. */
  private written: Promise<void> = Promise.resolve()

  private constructor(handle: FileHandle, answerIds: Map<string, string>) {
    this.handle = handle
    this.answerIds = answerIds
  }

  /** Opens a journal to append to. What follows its last whole line is cut off. */
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
    await handle.truncate(end)
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

/** A recorded answer always has an id. */
const answerIdOf = ({ provenance }: RecordedAnswer): string => provenance.answerId!

export const pack = (file: string, out: string): Promise<void> =>
  pipeline(createReadStream(file), zlib.createZstdCompress(), createWriteStream(out))
