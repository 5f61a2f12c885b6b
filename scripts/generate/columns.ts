/** The generator of docs/generated/portfolio-columns.md, from the readers and writers of portfolios. */
import { BORROWER_COLUMNS, LOAN_COLUMNS } from "../../src/portfolio/read/borrower.ts"
import { FLAT } from "../../src/portfolio/read/columns.ts"
import { COLUMNS } from "../../src/portfolio/results/rows.ts"

export const COLUMNS_PAGE = "docs/generated/portfolio-columns.md"

const HEAD = `# Columns of portfolios

\`npm run x -- generate columns\` makes this page from \`src/portfolio\`. The
[guide](../portfolios.md) explains the files.
`

/** The required columns with what to send, then the names of the others. */
const inputSection = (title: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const needed = names.filter((name) => FLAT.required.has(name))
  const others = names.filter((name) => !FLAT.required.has(name))
  return [
    `## ${title}\n`,
    "| required column | value |",
    "|---|---|",
    ...needed.map((name) => `| \`${name}\` | ${FLAT.required.get(name)!.replace("is required: ", "")} |`),
    "",
    "Optional columns:\n",
    ...others.map((name) => `- \`${name}\``),
    ""
  ]
}

export const columnsPage = (): string =>
  [
    HEAD,
    ...inputSection("Input: a borrower", BORROWER_COLUMNS),
    ...inputSection("Input: a loan", LOAN_COLUMNS),
    "## Results\n",
    "| column | type | meaning |",
    "|---|---|---|",
    ...COLUMNS.map(({ description, name, type }) => `| \`${name}\` | ${type} | ${description} |`),
    ""
  ].join("\n")

export const columnsFiles = () => ({ [COLUMNS_PAGE]: columnsPage() })
