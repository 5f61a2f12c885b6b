/**
 * The generator of docs/generated/reference.md: the endpoints and names of the contract, and what
 * every caller needs to know about requests, answers and plans.
 */
import { LOAN_TYPES } from "../../schema/loan.ts"
import { FILING_STATUSES, PLAN_TYPES } from "../../schema/scenario.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"

export const REFERENCE_FILE = "docs/generated/reference.md"

interface Operation {
  readonly summary: string
  readonly security?: ReadonlyArray<unknown>
}

const operations = (): string =>
  Object.entries(openApiDocument("http://127.0.0.1:8080").paths as Readonly<Record<string, object>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods as Readonly<Record<string, Operation>>).map(
        ([method, { security = [], summary }]) =>
          `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${security.length > 0 ? "yes" : "no"} |`
      )
    )
    .join("\n")

const names = (list: ReadonlyArray<string>): string => list.map((name) => `- \`${name}\``).join("\n")

export const renderReference = (): string => `# Reference

\`npm run x -- generate reference\` makes this page from the contract. A running service shows every
field with its bounds and an example at \`/docs\`, and the OpenAPI document at \`/openapi.json\`.

## Endpoints

| call | what it does | key |
|---|---|---|
${operations()}

These are pages and files, not part of the JSON contract:

| path | what it is |
|---|---|
| \`/\` | the start page |
| \`/docs\`, \`/openapi.json\` | the API reference |
| \`/rules\`, \`/rules/{id}\` | the rules ledger as pages, with search |
| \`/log/checkpoint\` | the newest checkpoint of the transparency log |
| \`/log/key\` | its verifier keys, newest first |
| \`/log/tile/...\` | hashes of the tree, and the entries: SHA-256 of a record |
| \`/log/checkpoint/witnessed\` | the newest checkpoint that a quorum of [witnesses](../verification.md#witnesses) cosigned, or 404 |
| \`/log/policy\` | the service's witnesses |
| \`/mcp\`, \`/mcp/open\` | the tool server, with a key and without ([tools](../mcp.md)) |
| \`/docs/guides\`, \`/docs/guides/{name}\` | the guides; as Markdown with \`.md\` |
| \`/llms.txt\` | what programs read first |
| \`/.well-known/mcp/server-card.json\` | where the tool servers are |
| \`/subscribe\` | where \`upgradeUrl\` leads if this installation sells no keys |

## Words

- A **loan book** is the list of a borrower's loans.
- An **arm** is one scenario of a comparison, with its loan book. Give each arm its own label.
- A plan is refused as **ineligible** if the law keeps it from the loans.
- A plan is refused as an **artifact** if prior payment counts alone decide the result: nothing is
  left to pay, one payment ends it, or the debt is forgiven before the first payment.

## Requests

- Rates are fractions: \`0.0654\` is 6.54 %. Only the keyless calculator takes percents.
- Money is US dollars. In answers it has whole cents; \`year1MonthlyPayment\` has whole dollars.
- A required field has no default. If it is missing, the 400 names it and says what to send.
- Optional fields default to 0 or null. If a joint return has no spouse income, the answer says so
  in \`provenance.notes\`.
- A plan, loan type, filing status or state under another name (\`RAP\`, \`Direct Unsubsidized\`,
  \`North Carolina\`) is a 400 that names the value to send. So is a property under another name, or
  in another place.
- An interest rate of 0.25 or more, or above 0 and below 0.001, is taken as sent.
  \`provenance.notes\` say how it was read.

## Answers

- \`monthsToFinish\` counts from 0: 119 is the 120th payment.
- A loan that the plan cannot take is repaid alongside it under STANDARD and counted in every
  figure. \`provenance.notes\` name the loan and its part of the first payment.
- Every answer of 400 and above is \`application/problem+json\`. Its \`type\` is a page with a request
  that causes the problem and one that fixes it. At \`/mcp\` the protocol's own errors come too.

## Keys

- A sandbox key lasts 30 days. It ends earlier if another is issued for its address.
- Every keyed call that is answered counts against the month, \`/v1/me\` included.

## Plans

- SAVE and REVISED PAY AS YOU EARN can be projected and compared, as what they would have been. They
  can no longer be elected.
- INCOME CONTINGENT and PAY AS YOU EARN end on July 1, 2028. From then on a loan is repaid under
  REPAYMENT ASSISTANCE. If that plan cannot take it, INCOME BASED (OLD) follows, or INCOME BASED if
  dates show a new borrower of July 1, 2014. This is what the law provides for a borrower who
  chooses no other plan; income-based repayment may be chosen.
- One Direct loan or consolidation made since July 1, 2026 closes all plans but REPAYMENT ASSISTANCE
  and STANDARD, which is then Tiered Standard, to all Direct loans. Send \`madeOn\` of each loan; one
  without it is taken as older.
- EXTENDED needs more than 30,000 owed in the loan's program.
- An FFEL loan closes INCOME BASED. An FFEL type that ended before 1998 also closes PAY AS YOU EARN,
  and EXTENDED for FFEL loans.
- DIRECT PLUS CONSOLIDATED, made before July 2006, has the fixed plans alone. It closes INCOME BASED
  and PAY AS YOU EARN.
- If a student has FFEL loans too, PAY AS YOU EARN, REVISED PAY AS YOU EARN and SAVE ask only for
  the Direct loans' part of the payment.

## Names

Plans (\`planType\`):

${names(PLAN_TYPES)}

Filing statuses (\`filingStatus\`):

${names(FILING_STATUSES)}

Loan types (\`loanType\`):

${names(LOAN_TYPES)}
`

export const referenceFiles = () => ({ [REFERENCE_FILE]: renderReference() })
