/**
 * `repay portfolio sample`: makes synthetic borrowers, to try and to measure a portfolio without
 * real data.
 */
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { MAX_LOANS } from "../../../schema/bounds.ts"
import type { PortfolioProblem, SampleFormat, SampleOptions } from "../../portfolio/index.ts"
import { badInput, type CommandFailed } from "../failures.ts"
import { switchFlag, textFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { pathNamed } from "../io.ts"
import { printed, say } from "../output.ts"

const MAX_BORROWERS = 100_000_000
const MAX_SEED = 2 ** 32 - 1
const STANDARD_OUTPUT = "-"

const flags = {
  borrowers: Flag.Int("borrowers").pipe(Flag.withMetavar("<n>"), Flag.withDescription("Number of borrowers")),
  seed: Flag.Int("seed").pipe(
    Flag.withMetavar("<n>"),
    Flag.withDescription("Seed of the sample: the same seed makes the same bytes"),
    Flag.withDefault(1)
  ),
  loans: Flag.Int("loans").pipe(
    Flag.withMetavar("<n>"),
    Flag.withDescription("Loans of each borrower; else 1 to 9"),
    Flag.optional
  ),
  out: textFlag("out", "<file>", ".ndjson or .csv; or - for JSON lines on standard output"),
  overwrite: switchFlag("overwrite", "Replace an existing file")
}

const within = (flag: string, value: number, min: number, max: number): Effect.Effect<number, CommandFailed> =>
  value >= min && value <= max
    ? Effect.succeed(value)
    : Effect.fail(badInput(`--${flag}: use a whole number from ${min} to ${max}`))

/** Loaded lazily, because no other command needs it. */
const sampling = Effect.promise(() => import("../../portfolio/index.ts"))

const formatOf = Effect.fnUntraced(function* (out: string) {
  const { SAMPLE_FORMATS } = yield* sampling
  const named: SampleFormat | undefined = SAMPLE_FORMATS.find((format) => out.toLowerCase().endsWith(`.${format}`))
  if (named !== undefined) return named
  if (out === STANDARD_OUTPUT) return "ndjson" satisfies SampleFormat
  return yield* badInput(`--out ${out}: the name should end in .ndjson or .csv, which says how borrowers are written`)
})

/** Stops when the reader closes the pipe. */
const printSample = Effect.fnUntraced(function* (options: SampleOptions) {
  const { sampleBlocks } = yield* sampling
  for (const piece of sampleBlocks(options)) {
    if (!(yield* printed(piece.slice(0, -1)))) return
  }
})

/** Writes a sample atomically. An interruption waits until the draft is removed. */
const writeSample = Effect.fnUntraced(function* (path: string, overwrite: boolean, options: SampleOptions) {
  const { problemOf, sampleBlocks, writeAtomically } = yield* sampling
  return yield* Effect.callback<void, PortfolioProblem>((resume, signal) => {
    const written = writeAtomically(path, (draft) => writeFile(draft, sampleBlocks(options), { signal }), { overwrite })
    const end = written.then(
      () => Effect.void,
      (cause: unknown) => Effect.fail(problemOf(cause))
    )
    void end.then(resume)
    return Effect.promise(() => end)
  })
})

const intoFile = Effect.fnUntraced(function* (out: string, overwrite: boolean, options: SampleOptions) {
  const path = yield* pathNamed(out)
  if (!overwrite && existsSync(path))
    return yield* badInput(`--out ${out}: exists already; name another file, or add --overwrite`)
  yield* Effect.mapError(writeSample(path, overwrite, options), ({ lines }) =>
    badInput(...lines.map((line) => `--out ${out}: ${line.replaceAll(path, out)}`))
  )
  return yield* say(`${options.count} borrowers of seed ${options.seed} are in ${out}.`)
})

export const sampleCommand = Command.make(
  "sample",
  flags,
  Effect.fn("repay.portfolio.sample")(function* ({ borrowers, loans, out, overwrite, seed }) {
    const options: SampleOptions = {
      count: yield* within("borrowers", borrowers, 1, MAX_BORROWERS),
      seed: yield* within("seed", seed, 0, MAX_SEED),
      loans: Option.isSome(loans) ? yield* within("loans", loans.value, 1, MAX_LOANS) : undefined,
      format: yield* formatOf(out)
    }
    return yield* out === STANDARD_OUTPUT ? printSample(options) : intoFile(out, overwrite, options)
  })
).pipe(
  withHelp(
    "Make synthetic borrowers for repay portfolio run: nobody's data. All shares and amounts are assumed, so draw no conclusion about real borrowers from them.",
    "The same seed makes the same bytes, and a borrower does not depend on how many there are. In .csv there is a row for each loan."
  ),
  Command.withShortDescription("Make synthetic borrowers"),
  Command.withExamples([
    {
      command: "repay portfolio sample --borrowers 100000 --out borrowers.ndjson",
      description: "A file to begin with"
    },
    {
      command: "repay portfolio sample --borrowers 1000 --seed 7 --loans 3 --out borrowers.csv",
      description: "Other borrowers, with three loans each"
    },
    {
      command: "repay portfolio sample --borrowers 1000 --out - | repay portfolio run - --out -",
      description: "Straight into a run, without a file"
    }
  ])
)
