/** The command line run in this process, with its output and exit code. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { Clock, Effect } from "effect"
import { afterAll } from "vitest"
import { Computing } from "../../src/portfolio/compute/computers.ts"
import { computingHere } from "./computingHere.ts"
import { CLOCK } from "./hurried.ts"

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface How {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** The working folder; the project's by default. */
  readonly folder?: string
  /** Whether standard output is closed before anything is written. */
  readonly isReaderGone?: boolean
}

interface HowHere extends How {
  readonly clock?: Clock.Clock
  /** Runs before each chunk of a portfolio. */
  readonly before?: (index: number) => void
  /** Whether portfolios use worker threads, as in production. */
  readonly isThreaded?: boolean
}

/** A stream that keeps its output. */
const keeping = () => {
  const chunks: Array<Buffer> = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    }
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** A pipe without a reader: each write fails, but the stream stays open. */
class Unread extends Writable {
  override write(_chunk: unknown, ...rest: ReadonlyArray<unknown>): boolean {
    const done = rest.at(-1)
    if (typeof done === "function") process.nextTick(done, Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
    return false
  }
}

/** Runs the command line; its environment contains only `env`. */
export const repay = async (
  args: ReadonlyArray<string>,
  {
    before,
    clock = CLOCK,
    env = {},
    folder = process.cwd(),
    input = "",
    isReaderGone = false,
    isThreaded = false
  }: HowHere = {}
): Promise<Ended> => {
  const { runCommandLine } = await import("../../src/cli/run.ts")
  const stdout = keeping()
  const stderr = keeping()
  const streams = {
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
    stdout: isReaderGone ? new Unread() : stdout.stream,
    stderr: stderr.stream
  }
  const loadService = async () => (await import("../../src/main.ts")).serve
  const run = runCommandLine(args, { ...streams, env, cwd: folder }, loadService)
  const timed = Effect.provideService(run, Clock.Clock, clock)
  const code = await Effect.runPromise(
    isThreaded ? timed : Effect.provideService(timed, Computing, () => computingHere(before))
  )
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** A temporary folder for a test file, and a function that writes files into it. */
export const filesOf = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `repay-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (fileName: string, content: unknown): string => {
    const path = join(folder, fileName)
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
    return path
  }
  return { folder, file }
}

export const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")
