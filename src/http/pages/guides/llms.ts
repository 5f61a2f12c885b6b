/** /llms.txt, which leads programs to the calls, the tools and the guides as Markdown. */
import { ARMS_RANGE } from "../../../../schema/bounds.ts"
import { GUIDES, guides } from "./files.ts"

/** Single decisions are left out, because the page of their folder lists them. */
const guideLinks = (publicUrl: string): string =>
  guides
    .filter(({ file }) => !/^decisions\/\d/.test(file))
    .map(({ source, title }) => `- [${title}](${publicUrl}${source})`)
    .join("\n")

/** In the form of llmstxt.org. */
export const llmsText = (publicUrl: string, mcpUrl: string): string => `# Repayment of Record

> Federal student-loan repayment figures with their sources: what a borrower pays under each repayment plan, when the
> debt ends, what is forgiven and taxed. A recorded answer can be confirmed by anyone, years later.

This service computes from the inputs of each request. It stores no borrower's data: of an answer it keeps hashes. Money
is in US dollars. Rates are fractions (0.0654 means 6.54%). A refused request gets a problem document whose \`errors\`
name each field and say what to send. Send the key in the header \`X-Api-Key\`. Never assume an income, a filing status,
dependents or a state: ask the borrower, because no call below has defaults for these. Send all loans of a borrower in
one request and never add up answers of single loans: an income-driven payment counts once for all of them.

## Ten calls

- \`POST ${publicUrl}/v1/calculators/plans\`: all loans of a borrower under every plan; no key, no record
- \`POST ${publicUrl}/v1/explain\`: the payment of a month, step by step; no key, no record
- \`POST ${publicUrl}/v1/keys/sandbox\`: a free key for an email address, shown once, valid for 30 days
- \`POST ${publicUrl}/v1/plan-eligibility\`: the plans that each loan qualifies for
- \`POST ${publicUrl}/v1/comparison\`: ${ARMS_RANGE} scenarios side by side, recorded as one answer
- \`POST ${publicUrl}/v1/projection\`: one plan, year by year if asked, recorded
- \`GET ${publicUrl}/v1/verify/{answerId}\`: confirms a record; \`POST\` with the answer checks its figures; no key
- \`GET ${publicUrl}/v1/rules\`: every constant with its source and dates, and the rules left out; no key
- \`GET ${publicUrl}/v1/rules/version\`: poll it; it changes when a rule changes; no key
- \`GET ${publicUrl}/v1/me\`: the calls used and left this month

\`?detail=brief\` on projections and comparisons sends ids in place of the texts of rules, far fewer bytes.

## Tools for agents (Model Context Protocol, revisions 2026-07-28 and 2025-11-25)

- \`${mcpUrl}\`: six tools, with a key in \`X-Api-Key\`; calculations are recorded
- \`${publicUrl}/mcp/open\`: two tools without a key, for chat programs that cannot send one; nothing is recorded
- \`ui://repayment-of-record/answer\`: the view of an answer, for programs that show MCP Apps

## Documents

- [OpenAPI 3.1](${publicUrl}/openapi.json)
- [API reference for people](${publicUrl}/docs)
- [Guides for people](${publicUrl}${GUIDES})
- [Rules ledger for people](${publicUrl}/rules)

## Guides

${guideLinks(publicUrl)}
`
