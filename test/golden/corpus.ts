/**
 * The golden corpus: 6,300 requests drawn from the generators with fixed seeds, hashes of their
 * figures, and the version of the rules.
 * Each block of fifty requests has two hashes. That of the requests shows whether fast-check and
 * the generators still draw the same; the other is that of the figures. `npm run x -- golden
 * --figures` prints the requests and figures themselves.
 *
 * Figures are hashed after the API's rounding, so that every machine gives the same. `Math.expm1`
 * and `Math.log1p` may differ in the last digit between versions of V8. package.json pins Node, and
 * rounding absorbs the difference for rates up to `highestRate`.
 */
import { createHash } from "node:crypto"
import fc from "fast-check"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests,
  started
} from "../../property-tests/generators/requests.ts"
import type { StartMonth } from "../../src/engine/schedule/calendar.ts"
import {
  calculationFigures,
  comparisonFigures,
  eligibilityFigures,
  type FiguresOf,
  projectionFigures
} from "./figures.ts"

interface Kind {
  readonly name: string
  readonly count: number
  readonly seed: number
  readonly requestsFrom: (start: StartMonth) => fc.Arbitrary<unknown>
  readonly figuresOf: FiguresOf
}

/** Cents are exact only up to this rate: above it the last digit of a double can grow to a cent. */
const highestRate = 0.3

const kindsOf = (
  suffix: string,
  firstSeed: number,
  counts: readonly [projections: number, comparisons: number, eligibilities: number, calculations: number],
  maxLoans: number,
  additions: boolean
): ReadonlyArray<Kind> => {
  const limits = { highestRate, additions }
  const kinds: ReadonlyArray<Pick<Kind, "name" | "requestsFrom" | "figuresOf">> = [
    {
      name: "projection",
      requestsFrom: (start) => projectionRequests({ ...limits, maxLoans, start }),
      figuresOf: projectionFigures
    },
    {
      name: "comparison",
      requestsFrom: (start) => comparisonRequests({ ...limits, maxLoans: 3, start }),
      figuresOf: comparisonFigures
    },
    {
      name: "eligibility",
      requestsFrom: () => eligibilityRequests({ ...limits, maxLoans: 20 }),
      figuresOf: eligibilityFigures
    },
    {
      name: "calculation",
      requestsFrom: (start) => calculationRequests({ ...limits, start }),
      figuresOf: calculationFigures
    }
  ]
  return kinds.map((kind, at) => ({
    ...kind,
    name: `${kind.name}${suffix}`,
    seed: firstSeed + at,
    count: counts[at]!
  }))
}

const KINDS: ReadonlyArray<Kind> = [
  ...kindsOf("", 1, [4000, 100, 600, 300], 100, false),
  ...kindsOf(" with additions", 5, [1000, 50, 200, 50], 20, true)
]

/** The two hashes of a request or a block. */
interface Hashes {
  readonly request: string
  readonly figures: string
}

interface Golden extends Hashes {
  /** For example `projection 17`, counted from 0. */
  readonly name: string
  /** Request and start month as JSON. */
  readonly asked: string
  readonly answered: unknown
}

/** Consecutive requests of one kind. */
export interface Block extends Hashes {
  readonly number: number
  readonly goldens: ReadonlyArray<Golden>
}

/** The version of the rules, and of the generator that drew the requests. */
interface Version {
  readonly ruleVersion: string
  readonly engineRevision: number
  readonly fastCheck: string
}

export interface Corpus extends Version {
  /** One pair per block. */
  readonly hashes: ReadonlyArray<Hashes>
}

const HEX_DIGITS = 8
const BLOCK_HEX_DIGITS = 16
const BLOCK = 50

const hashOf = (text: string, digits = HEX_DIGITS): string =>
  createHash("sha256").update(text).digest("hex").slice(0, digits)

const goldensOf = ({ count, figuresOf, name, requestsFrom, seed }: Kind): ReadonlyArray<Golden> =>
  fc.sample(started(requestsFrom), { numRuns: count, seed }).map(([request, start], index) => {
    const asked = JSON.stringify({ start: `${start.year}-${start.month}`, request })
    const answered = figuresOf(request, start)
    return {
      name: `${name} ${index}`,
      asked,
      answered,
      request: hashOf(asked),
      figures: hashOf(JSON.stringify(answered))
    }
  })

export const blocksOf = (goldens: ReadonlyArray<Golden>): ReadonlyArray<Block> =>
  Array.from({ length: goldens.length / BLOCK }, (_, number) => {
    const those = goldens.slice(number * BLOCK, (number + 1) * BLOCK)
    const hash = (member: keyof Hashes) => hashOf(those.map((golden) => golden[member]).join(), BLOCK_HEX_DIGITS)
    return { number, goldens: those, request: hash("request"), figures: hash("figures") }
  })

/** Draws and answers every block of the corpus. */
export const drawBlocks = (): ReadonlyArray<Block> => blocksOf(KINDS.flatMap(goldensOf))

export const FAST_CHECK = fc.__version

export const CORPUS_FILE = "test/golden/corpus.txt"

const HEAD =
  "# One block of fifty requests a line: hash of the requests, hash of their figures. `npm run x -- golden` expands it."

const versionLine = ({ engineRevision, fastCheck, ruleVersion }: Version): string =>
  `${ruleVersion} engineRevision ${engineRevision} fast-check ${fastCheck}`

const lineOf = ({ figures, request }: Hashes): string => `${request} ${figures}`

export const printCorpus = (corpus: Corpus): string =>
  [HEAD, versionLine(corpus), ...corpus.hashes.map(lineOf), ""].join("\n")

/** The text with a block's requests and figures. */
export const expandBlock = ({ goldens }: Block): string =>
  goldens.map(({ answered, asked, name }) => `${name}\n${asked}\n${JSON.stringify(answered)}\n`).join("\n")

export const parseCorpus = (text: string): Corpus => {
  const [, version = "", ...lines] = text.trimEnd().split("\n")
  const [ruleVersion = "", , engineRevision, , fastCheck = ""] = version.split(" ")
  const hashes = lines.map((line) => {
    const [request = "", figures = ""] = line.split(" ")
    return { request, figures }
  })
  return { ruleVersion, engineRevision: Number(engineRevision), fastCheck, hashes }
}

/** Blocks with the same requests as in the corpus and other figures. */
export const movedSince = ({ hashes }: Corpus, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.filter(
    ({ figures, number, request }) => hashes[number]?.request === request && hashes[number].figures !== figures
  )

/** Blocks with other requests than in the corpus: their figures cannot be compared. */
export const redrawnSince = ({ hashes }: Corpus, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.filter(({ number, request }) => hashes[number]?.request !== request)

const MAX_NAMED = 3

const named = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.slice(0, MAX_NAMED).map(({ goldens, number }) => `  block ${number}: ${goldens[0]!.name} and those after it`)

const howToSee = (blocks: ReadonlyArray<Block>): string => {
  const numbers = blocks.slice(0, MAX_NAMED).map(({ number }) => number)
  return `npm run x -- golden ${numbers.join(" ")} --figures prints their requests and figures: run it here and at the commit before, and compare`
}

/** Differences between the corpus and the current engine, with the remedy; or none. */
export const complaintsOf = (corpus: Corpus, blocks: ReadonlyArray<Block>, now: Version): ReadonlyArray<string> => {
  const moved = movedSince(corpus, blocks)
  const redrawn = redrawnSince(corpus, blocks)
  const of = `of ${blocks.length} blocks`
  if (moved.length > 0) {
    return [
      `the figures of ${moved.length} ${of} moved since ${corpus.ruleVersion}, the first:`,
      ...named(moved),
      howToSee(moved),
      corpus.ruleVersion === now.ruleVersion
        ? "raise engineRevision in ledger/release.ts if this is meant, run npm run x -- generate lock golden"
        : `the version is a new one, ${now.ruleVersion}: if this is meant, run npm run x -- generate golden`
    ]
  }
  if (redrawn.length > 0 || corpus.hashes.length !== blocks.length) {
    return [
      `${redrawn.length} ${of} are drawn otherwise: the corpus is of fast-check ${corpus.fastCheck}, this is ${now.fastCheck}, or the generators changed`,
      ...named(redrawn),
      "the figures of all others stand: run npm run x -- generate golden"
    ]
  }
  if (corpus.ruleVersion !== now.ruleVersion || corpus.engineRevision !== now.engineRevision) {
    return [
      `the corpus is of ${corpus.ruleVersion}, engineRevision ${corpus.engineRevision}; this is ${now.ruleVersion}, engineRevision ${now.engineRevision}`,
      "no figure moved: run npm run x -- generate golden"
    ]
  }
  return []
}

/** Why the corpus must not be renewed: figures moved within one version. Undefined if it may be. */
export const refusalToRenew = (
  corpus: Corpus,
  blocks: ReadonlyArray<Block>,
  now: Version
): ReadonlyArray<string> | undefined =>
  movedSince(corpus, blocks).length > 0 && corpus.ruleVersion === now.ruleVersion
    ? complaintsOf(corpus, blocks, now)
    : undefined
