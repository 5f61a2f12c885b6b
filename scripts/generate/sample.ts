/**
 * The generator of docs/generated/portfolio-sample.md, from the statistics and assumptions behind
 * the synthetic borrowers.
 */
import * as assumptions from "../../src/portfolio/sample/assumptions.ts"
import * as statistics from "../../src/portfolio/sample/statistics.ts"

export const SAMPLE_PAGE = "docs/generated/portfolio-sample.md"

const HEAD = `# Synthetic borrowers

\`repay portfolio sample --borrowers 100000 --out borrowers.ndjson\` makes borrowers to try and to
measure \`repay portfolio run\` with. They are nobody's data, so draw no conclusion about real
borrowers from them.

Together they have the shape of the statistics below. Where nothing was found, the shape is assumed,
with a reason. Tests compare 50,000 of them with the tables:

| what | within |
|---|---|
| debts by class, states, filing statuses | 1 percentage point of the borrowers |
| plans | 1.5 points |
| types of loans | 2.5 points of the dollars |

A borrower depends on the seed and its own number. So the same seed makes the same bytes, and the
first thousand of a million are those of a thousand. \`npm run x -- generate sample\` makes this page
from \`src/portfolio/sample\`, where the figures are.
`

/** \`borrowersByStateAndDebt\` as "borrowers by state and debt". */
const words = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const statisticRow = ([name, statistic]: readonly [string, (typeof statistics)[keyof typeof statistics]]): string => {
  const { date, note, publisher, title, url } = "source" in statistic ? statistic.source : statistic
  return `| ${words(name)} | ${publisher}: [${title}](${url}), ${date}. ${note} |`
}

const assumptionRow = ([name, { reason }]: readonly [string, { readonly reason: string }]): string =>
  `| ${words(name)} | ${reason} |`

/** Sorted, so that the page is the same on every machine. */
const byName = <A>(module: Readonly<Record<string, A>>): ReadonlyArray<readonly [string, A]> =>
  Object.entries(module).sort(([one], [other]) => (one < other ? -1 : 1))

export const samplePage = (): string =>
  [
    HEAD,
    "## Published\n",
    "| what | where, and how it was read |",
    "|---|---|",
    ...byName(statistics).map(statisticRow),
    "\n## Assumed\n",
    "| what | why so |",
    "|---|---|",
    ...byName(assumptions).map(assumptionRow),
    ""
  ].join("\n")

export const sampleFiles = () => ({ [SAMPLE_PAGE]: samplePage() })
