/**
 * The generator of docs/generated/evidence.md: the number of ledger entries by grade of evidence,
 * now and in release 0.1.0, and the weak entries. All figures except those of release 0.1.0 come
 * from the ledger.
 */
import { constants, publishedOmissions } from "../../ledger/index.ts"
import { EVIDENCE, EVIDENCE_GRADES, type Evidence } from "../../schema/rules.ts"

export const EVIDENCE_FILE = "docs/generated/evidence.md"

/** The four grades of release 0.1.0, with its numbers of rules and of omissions. */
const RELEASE_0_1_0: ReadonlyArray<readonly [grade: string, rules: number, omissions: number]> = [
  ["verified (a copy of the official text, or an open model that cites it)", 43, 8],
  ["third party", 45, 17],
  ["derived or chosen here", 12, 7],
  ["from memory", 5, 7]
]

type Entry = (typeof constants)[number] | (typeof publishedOmissions)[number]

const ofGrade = <E extends Entry>(entries: ReadonlyArray<E>, grade: Evidence): ReadonlyArray<E> =>
  entries.filter(({ source }) => source.evidence === grade)

const now = (): string =>
  EVIDENCE_GRADES.map((grade) => {
    const [rules, omissions] = [ofGrade(constants, grade), ofGrade(publishedOmissions, grade)]
    return `| ${grade} | ${EVIDENCE[grade]} | ${rules.length} | ${omissions.length} |`
  }).join("\n")

const before = (): string =>
  RELEASE_0_1_0.map(([grade, rules, omissions]) => `| ${grade} | ${rules} | ${omissions} |`).join("\n")

const total = (column: 1 | 2): number => RELEASE_0_1_0.reduce((sum, row) => sum + row[column], 0)

const listed = (grade: Evidence): string =>
  ofGrade<Entry>([...constants, ...publishedOmissions], grade)
    .map(({ id, label, source }) => `| ${id} | ${label} | ${source.note} |`)
    .join("\n")

/** The entries whose notes say that a text was not read, with line breaks for a page. */
const unread = (): string =>
  [...constants, ...publishedOmissions]
    .filter(({ source }) => /not (?:read|found)/.test(source.note))
    .map(({ id }) => `\`${id}\``)
    .join(",\n")

export const renderEvidence = (): string => `# Evidence

Each entry of the ledger has a grade, \`source.evidence\`: how surely its source was read.
\`source.note\` names the paragraph that was read, and in which text. \`repay rules --evidence <grade>\`
lists the entries of a grade, and so does the page \`/rules\` of a running service.

"Text of early 2023" is the edition of 34 CFR before the amendments of July 2023 (88 FR 43820) and
of May 2026 (91 FR 23768). If a rule was changed since, its entry says what was read of the change.

\`npm run x -- generate evidence\` makes this page from the ledger, and a test fails if it is out of
date.

| Grade | What it means | Rules | Omissions |
|---|---|--:|--:|
${now()}
| all | | ${constants.length} | ${publishedOmissions.length} |

Release 0.1.0, before the texts were read entry by entry:

| Grade of that release | Rules | Omissions |
|---|--:|--:|
${before()}
| all | ${total(1)} | ${total(2)} |

A grade is that of the rule itself. If a part of an entry rests on less, or is a choice of this
engine, its note says so. Notes of these entries name a text that was not read or not found:
${unread()}.

## Read only in quotations and reports

| Entry | What | What was read |
|---|---|---|
${listed("third-party")}

## Conventions

| Entry | What | What the law says, where it says anything |
|---|---|---|
${listed("convention")}
`

export const evidenceFiles = () => ({ [EVIDENCE_FILE]: renderEvidence() })
