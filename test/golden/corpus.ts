/**
 * The golden corpus: 7,000 requests drawn from the generators with fixed seeds, hashes of their
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
import { engineRevision, ruleVersion } from "../../ledger/release.ts"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests,
  type RequestOptions,
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
  drawn: Pick<RequestOptions, "additions" | "lives">
): ReadonlyArray<Kind> => {
  const limits = { highestRate, ...drawn }
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
  ...kindsOf("", 1, [4000, 100, 600, 300], 100, {}),
  ...kindsOf(" with additions", 5, [1000, 50, 200, 50], 20, { additions: true }),
  ...kindsOf(" with lives", 9, [600, 50, 0, 50], 20, { additions: true, lives: true })
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
  /** Its number and its first request, such as `2: projection 100`. */
  readonly name: string
  readonly goldens: ReadonlyArray<Golden>
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
    return { name: `${number}: ${those[0]!.name}`, goldens: those, request: hash("request"), figures: hash("figures") }
  })

/** Draws and answers every block of the corpus. */
export const drawBlocks = (): ReadonlyArray<Block> => blocksOf(KINDS.flatMap(goldensOf))

export const CORPUS_FILE = "test/golden/corpus.txt"

/** The file with the hashes of some blocks. */
export const printCorpus = (blocks: ReadonlyArray<Block>): string =>
  [
    "# A block of fifty requests a line: hash of the requests, hash of their figures, number and first request.",
    `${ruleVersion} engineRevision ${engineRevision} fast-check ${fc.__version}`,
    ...blocks.map(({ figures, name, request }) => `${request} ${figures} ${name}`),
    ""
  ].join("\n")

/** The text with a block's requests and figures. */
export const expandBlock = ({ goldens }: Block): string =>
  goldens.map(({ answered, asked, name }) => `${name}\n${asked}\n${JSON.stringify(answered)}\n`).join("\n")

/** Names of the blocks whose figures are not those of the file, for the same requests. */
export const movedSince = (file: string, blocks: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const lines = file.split("\n").slice(2)
  return blocks
    .filter(({ figures, request }, at) => {
      const [requestBefore, figuresBefore] = lines[at]?.split(" ") ?? []
      return requestBefore === request && figuresBefore !== figures
    })
    .map(({ name }) => name)
}

export const REMEDY =
  "figures moved. `npm run x -- golden <block> --figures` prints a block's requests and figures: compare with the " +
  "commit before. If this is meant, raise engineRevision in ledger/release.ts and run npm run x -- generate lock golden"

/** Why the file may not be renewed: figures moved within one version of the rules. */
export const refusalToRenew = (file: string, blocks: ReadonlyArray<Block>): string | undefined => {
  const moved = movedSince(file, blocks)
  const isSameVersion = file.split("\n")[1]?.split(" ", 1)[0] === ruleVersion
  return moved.length > 0 && isSameVersion ? `${moved.join("\n")}\n${REMEDY}` : undefined
}
