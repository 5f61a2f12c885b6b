/**
 * The generator of docs/generated/portfolio-columns.md, from the readers and writers of portfolios.
 * The meaning of an optional column is that of the API's contract.
 */
import { openApiDocument } from "../../src/http/openapi/document.ts"
import {
  BORROWER_COLUMNS,
  columnsOf,
  FLAT,
  LIST_MEMBERS,
  LOAN_COLUMNS,
  membersOf,
  PAUSE_COLUMNS,
  PLAN_MEMBERS,
  REASONS
} from "../../src/portfolio/index.ts"

export const COLUMNS_PAGE = "docs/generated/portfolio-columns.md"

const HEAD = `# Columns of portfolios

\`npm run x -- generate columns\` makes this page from \`src/portfolio\`. The
[guide](../portfolios.md) explains the files.
`

type Members = Readonly<Record<string, { readonly description: string }>>
const { schemas: SCHEMAS } = openApiDocument("http://127.0.0.1:8080").components as {
  readonly schemas: Readonly<Record<string, { readonly properties: Members }>>
}
const CURRENT_PLAN =
  "The plan that the summary compares with, else that of --baseline: a name of the [reference](reference.md#plans), or short as in --plans, such as RAP, IBR-NEW or IBR-OLD (not IBR)."

const meaningOf = (schema: string, name: string): string =>
  name === "currentPlan" ? CURRENT_PLAN : SCHEMAS[schema]!.properties[name]!.description

const table = (head: string, rows: ReadonlyArray<readonly [name: string, ...cells: ReadonlyArray<string>]>) =>
  rows.length === 0
    ? []
    : [
        `| ${head.replaceAll(",", " |")} |`,
        `|${"---|".repeat(head.split(",").length)}`,
        ...rows.map(([name, ...cells]) => `| \`${name}\` | ${cells.join(" | ")} |`),
        ""
      ]

/** The required columns with what to send, then the others with what they mean. */
const inputSection = (
  title: string,
  schema: string,
  names: ReadonlyArray<string>,
  { required } = FLAT
): ReadonlyArray<string> => [
  `## ${title}\n`,
  ...table(
    "required column, value",
    names.flatMap((name) => (required.has(name) ? [[name, required.get(name)!.replace("is required: ", "")]] : []))
  ),
  ...table(
    "optional column, meaning",
    names.flatMap((name) => (required.has(name) ? [] : [[name, meaningOf(schema, name)]]))
  )
]

export const columnsPage = (): string =>
  [
    HEAD,
    ...inputSection("Input: a borrower", "Scenario", BORROWER_COLUMNS),
    ...inputSection("Input: a change in a later year", "Change", LIST_MEMBERS.changes, membersOf("changes")),
    ...inputSection("Input: a pause", "Pause", LIST_MEMBERS.pauses, membersOf("pauses")),
    ...inputSection("Input: a change of plan", "PlanChange", LIST_MEMBERS.planChanges, membersOf("planChanges")),
    ...inputSection("Input: a lump sum", "LumpSum", LIST_MEMBERS.lumpSums, membersOf("lumpSums")),
    ...inputSection("Input: a loan", "Loan", LOAN_COLUMNS),
    "In files with a row for each loan, a pause of the loan may be in its row:\n",
    ...table(
      "optional column, meaning",
      Object.entries(PAUSE_COLUMNS).map(([name, column]) => [column, meaningOf("Pause", name)])
    ),
    "## Results\n",
    ...table(
      "column, type, meaning",
      columnsOf(true).map(({ description, name, type }) => [name, type, description])
    ),
    "## Reasons\n",
    "Why a row has no figures. Several reasons are separated by a space.\n",
    ...table("reason, meaning", Object.entries(REASONS)),
    "## Summary of a plan\n",
    "Members of `plans` in the summary, by plan. Amounts are whole cents.\n",
    ...table("member, meaning", Object.entries(PLAN_MEMBERS))
  ].join("\n")

export const columnsFiles = () => ({ [COLUMNS_PAGE]: columnsPage() })
