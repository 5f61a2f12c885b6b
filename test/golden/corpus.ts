/**
 * The golden corpus: requests drawn from the generators with fixed seeds, and a hash of each one's figures, kept with the
 * version of the rules that they belong to. Only hashes are kept: the requests are drawn again, and a hash of each tells
 * whether it is still the same, for fast-check and the generators may come to draw others.
 *
 * Hashed are figures as the wire rounds them, which doubles give alike on every machine. `Math.expm1` and `Math.log1p` may
 * differ by a last digit between versions of V8: package.json pins Node, and up to `highestRate` rounding absorbs it.
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

/** Cents are only promised up to this rate: above it the last digit of a double can become a cent. */
const highestRate = 0.3

const KINDS: ReadonlyArray<Kind> = [
  {
    name: "projection",
    count: 4000,
    seed: 1,
    requestsFrom: (start) => projectionRequests({ mostLoans: 100, highestRate, start }),
    figuresOf: projectionFigures
  },
  {
    name: "comparison",
    count: 100,
    seed: 2,
    requestsFrom: (start) => comparisonRequests({ mostLoans: 3, highestRate, start }),
    figuresOf: comparisonFigures
  },
  {
    name: "eligibility",
    count: 600,
    seed: 3,
    requestsFrom: () => eligibilityRequests({ mostLoans: 20, highestRate }),
    figuresOf: eligibilityFigures
  },
  {
    name: "calculation",
    count: 300,
    seed: 4,
    requestsFrom: (start) => calculationRequests({ highestRate, start }),
    figuresOf: calculationFigures
  }
]

/** The two hashes of a request: of what is asked, and of the figures. */
interface Hashes {
  readonly request: string
  readonly figures: string
}

export interface Golden extends Hashes {
  /** Such as `projection 17`, counted from 0. */
  readonly name: string
  /** Request and start month as JSON. */
  readonly asked: string
  readonly answered: unknown
}

/** What the figures belong to, and what drew the requests. */
export interface Version {
  readonly ruleVersion: string
  readonly engineRevision: number
  readonly fastCheck: string
}

export interface Corpus extends Version {
  readonly hashes: ReadonlyArray<Hashes>
}

const HEX_DIGITS = 8

const hashOf = (json: string): string => createHash("sha256").update(json).digest("hex").slice(0, HEX_DIGITS)

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

/** Every request of the corpus as it is drawn and answered now. */
export const drawGoldens = (): ReadonlyArray<Golden> => KINDS.flatMap(goldensOf)

export const FAST_CHECK = fc.__version

export const CORPUS_FILE = "test/golden/corpus.txt"

const HEAD = "# One request a line: hash of the request, hash of its figures. Written by scripts/golden.ts."

export const printCorpus = ({ engineRevision, fastCheck, hashes, ruleVersion }: Corpus): string =>
  [
    HEAD,
    `${ruleVersion} engineRevision ${engineRevision} fast-check ${fastCheck}`,
    ...hashes.map(({ figures, request }) => `${request} ${figures}`),
    ""
  ].join("\n")

export const parseCorpus = (text: string): Corpus => {
  const [, version = "", ...lines] = text.trimEnd().split("\n")
  const [ruleVersion = "", , engineRevision, , fastCheck = ""] = version.split(" ")
  const hashes = lines.map((line) => {
    const [request = "", figures = ""] = line.split(" ")
    return { request, figures }
  })
  return { ruleVersion, engineRevision: Number(engineRevision), fastCheck, hashes }
}

/** Requests that are still the same and have other figures than the corpus keeps. */
export const movedSince = ({ hashes }: Corpus, goldens: ReadonlyArray<Golden>): ReadonlyArray<Golden> =>
  goldens.filter(
    ({ figures, request }, index) => hashes[index]?.request === request && hashes[index].figures !== figures
  )

/** Requests that the corpus does not keep: their figures cannot be compared. */
export const redrawnSince = ({ hashes }: Corpus, goldens: ReadonlyArray<Golden>): ReadonlyArray<Golden> =>
  goldens.filter(({ request }, index) => hashes[index]?.request !== request)

const MOST_NAMED = 3
const MOST_CHARACTERS = 400

const cut = (text: string): string => (text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`)

const named = (goldens: ReadonlyArray<Golden>): ReadonlyArray<string> =>
  goldens.slice(0, MOST_NAMED).map(({ asked, name }) => `  ${name}: ${cut(asked)}`)

/** Why the corpus does not hold for the engine as it is, and what to do; empty when it does. */
export const complaintsOf = (corpus: Corpus, goldens: ReadonlyArray<Golden>, now: Version): ReadonlyArray<string> => {
  const moved = movedSince(corpus, goldens)
  const redrawn = redrawnSince(corpus, goldens)
  const of = `of ${goldens.length}`
  if (moved.length > 0) {
    return [
      `the figures of ${moved.length} ${of} requests moved since ${corpus.ruleVersion}, the first:`,
      ...named(moved),
      corpus.ruleVersion === now.ruleVersion
        ? "raise engineRevision in ledger/release.ts if this is meant, run npm run x -- generate lock golden"
        : `the version is a new one, ${now.ruleVersion}: if this is meant, run npm run x -- generate golden`
    ]
  }
  if (redrawn.length > 0 || corpus.hashes.length !== goldens.length) {
    return [
      `${redrawn.length} ${of} requests are drawn otherwise: the corpus is of fast-check ${corpus.fastCheck}, this is ${now.fastCheck}, or the generators changed`,
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

/** Why the corpus must not be renewed: a version keeps its figures. Undefined when it may be. */
export const refusalToRenew = (
  corpus: Corpus,
  goldens: ReadonlyArray<Golden>,
  now: Version
): ReadonlyArray<string> | undefined =>
  movedSince(corpus, goldens).length > 0 && corpus.ruleVersion === now.ruleVersion
    ? complaintsOf(corpus, goldens, now)
    : undefined
