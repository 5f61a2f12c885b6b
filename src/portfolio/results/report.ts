/**
 * The report of a run as one self-contained HTML page. It shows payments by plan, borrowers who
 * would pay more or less than now, and forgiveness and tax by year. It shows only counts, sums and
 * means.
 */
import { publishedOmissions } from "../../../ledger/index.ts"
import type { PlanType } from "../../../schema/scenario.ts"
import { fromCents } from "../../engine/index.ts"
import { escapeHtml } from "../../messages/escapeHtml.ts"
import { grouped, wholeDollars } from "../../messages/figures.ts"
import { againstNow, againstNowNote, notedOf } from "./notes.ts"
import type { ResultFormat } from "./outputPaths.ts"
import { monthText, type Portfolio, type Question } from "./portfolio.ts"
import { barsOf, columnsOf } from "./reportPlots.ts"
import { type EndingYear, PAYMENT_STEP, type PlanSummary, type Summary } from "./summary.ts"

/** The outcome of a run, without its files. */
export interface Reported {
  readonly ruleVersion: string
  readonly version: string
  /** Input files, with their sizes in bytes. */
  readonly input: ReadonlyArray<{ readonly file: string; readonly bytes: number }>
  readonly portfolio: Omit<Portfolio, "format"> & { readonly format: ResultFormat }
  readonly summary: Summary
  /** Probable mistakes in the input, each with its rows. */
  readonly warnings: ReadonlyArray<string>
}

type Line = PlanSummary & { readonly planType: PlanType }

const money = (cents: number): string => wholeDollars(fromCents(cents))
const mean = (cents: number, count: number): string => (count === 0 ? "-" : wholeDollars(fromCents(cents) / count))

const STYLE = `
:root { color-scheme: light dark; --bar: #0b5394; --other: #b45f06; --line: #ddd; --faint: #565656 }
body { margin: 0 auto; max-width: 70rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.5rem } .faint, caption { color: var(--faint); text-align: left }
.wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); text-align: right } th:first-child { text-align: left }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1.2rem } figure { margin: 0 } figcaption { font-size: .9rem; font-weight: 600 }
svg { display: block; width: 100%; height: auto } rect { fill: var(--bar) } rect.other { fill: var(--other) } .key::before { content: "\\25a0\\00a0"; color: var(--bar) } .other.key::before { color: var(--other) } text { fill: currentColor; font-size: 11px }
@media (prefers-color-scheme: dark) { :root { --bar: #8ab4f8; --other: #f6b26b; --line: #444; --faint: #aaa } }
@media print { figure, tr { break-inside: avoid } }`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const row = ([name = "", ...cells]: ReadonlyArray<string>) =>
    `<tr><th scope="row">${escapeHtml(name)}</th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`
  const titles = head.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("")
  return `<div class="wide"><table><thead><tr>${titles}</tr></thead><tbody>${rows.map(row).join("\n")}</tbody></table></div>`
}

const section = (title: string, ...content: ReadonlyArray<string>): string =>
  `<section><h2>${escapeHtml(title)}</h2>\n${content.join("\n")}\n</section>`

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

const plots = (lines: ReadonlyArray<Line>, plot: (line: Line) => string): string =>
  `<div class="plots">${lines
    .map((line) => `<figure><figcaption>${escapeHtml(line.planType)}</figcaption>${plot(line)}</figure>`)
    .join("\n")}</div>`

const byPlan = (lines: ReadonlyArray<Line>, { baseline }: Question): string =>
  section(
    "Who pays what under which plan",
    paragraph(
      "Amounts are means of the borrowers with figures. A plan that can no longer be elected is never the lowest."
    ),
    paragraph(againstNowNote(baseline)),
    table(
      [
        "Plan",
        "With figures",
        "Not open to",
        "No figures left",
        "First month",
        "Paid",
        "Forgiven",
        "Tax",
        "Cost",
        "Against now",
        "Costs least for"
      ],
      lines.map((line) => [
        line.planType,
        grouped(line.answered),
        grouped(line.ineligible),
        grouped(line.artifact),
        mean(line.firstMonthCents, line.answered),
        mean(line.paidCents, line.answered),
        mean(line.forgiven.cents, line.answered),
        mean(line.taxCents, line.answered),
        mean(line.paidCents + line.taxCents, line.answered),
        againstNow(line),
        grouped(line.lowest)
      ])
    ),
    barsOf(
      "Borrowers for whom each plan costs least",
      lines.map(({ lowest, planType }) => ({ name: planType, value: lowest, label: grouped(lowest) }))
    )
  )

const byPayment = (lines: ReadonlyArray<Line>): string =>
  section(
    "First payments",
    paragraph(
      `Borrowers by their first monthly payment, in steps of ${PAYMENT_STEP} dollars; the last step has no upper end.`
    ),
    plots(lines, ({ payments, planType }) =>
      columnsOf(
        `First payments under ${planType}`,
        payments.map((value, step) => ({ name: `$${step * PAYMENT_STEP}`, value, label: grouped(value) }))
      )
    )
  )

const winnersAndLosers = (lines: ReadonlyArray<Line>, { baseline }: Question): string =>
  section(
    "Winners and losers",
    paragraph(
      `Each plan is compared with the borrower's current plan, or with ${baseline} if the input names none: who would pay less in all (payments and tax together), and who more. Borrowers without figures under that plan are not compared.`
    ),
    table(
      [
        "Plan",
        "Pay less",
        "Less in all",
        "Less, mean",
        "Pay more",
        "More in all",
        "More, mean",
        "The same",
        "Not compared"
      ],
      lines.map(({ answered, cheaper, dearer, notCompared, planType }) => [
        planType,
        grouped(cheaper.borrowers),
        money(cheaper.cents),
        mean(cheaper.cents, cheaper.borrowers),
        grouped(dearer.borrowers),
        money(dearer.cents),
        mean(dearer.cents, dearer.borrowers),
        grouped(answered - cheaper.borrowers - dearer.borrowers - notCompared),
        grouped(notCompared)
      ])
    )
  )

const yearsOf = ({ ending }: Line): ReadonlyArray<readonly [year: string, EndingYear]> =>
  Object.entries(ending).toSorted(([one], [other]) => one.localeCompare(other))

const byYear = (lines: ReadonlyArray<Line>): string =>
  section(
    "Forgiveness and tax by year",
    paragraph(
      "Counted in the calendar year in which a borrower's last loan ends. If all loans end together, that is the year of the forgiveness."
    ),
    `<p><span class="key">Forgiven</span> <span class="other key">Tax on what is forgiven</span></p>`,
    plots(
      lines.filter(({ forgiven }) => forgiven.cents > 0),
      (line) =>
        columnsOf(
          `Forgiven by year under ${line.planType}`,
          yearsOf(line).map(([name, year]) => ({
            name,
            value: year.forgivenCents,
            part: year.taxCents,
            label: `${money(year.forgivenCents)} forgiven, ${money(year.taxCents)} tax, ${grouped(year.borrowers)} borrowers`
          }))
        )
    )
  )

const LABELS = new Map(publishedOmissions.map(({ id, label }) => [id, label]))

const omissionsTable = (lines: ReadonlyArray<Line>): string => {
  const ids = [...new Set(lines.flatMap(({ omissions }) => Object.keys(omissions)))].toSorted()
  const highest = (id: string) => Math.max(...lines.map(({ omissions }) => omissions[id] ?? 0))
  return section(
    "Rules knowingly not applied",
    paragraph(
      "Number of borrowers whom each rule affects, under the plan where they are most. The .rules.json next to this report describes each rule by its id."
    ),
    table(
      ["Rule", "Borrowers"],
      ids.map((id) => [`${LABELS.get(id) ?? ""} (${id})`, grouped(highest(id))])
    )
  )
}

const basis = ({ input, ruleVersion, version }: Reported): string =>
  section(
    "What this rests on",
    paragraph(`Rules ${ruleVersion}, computed by release ${version}, from these files.`),
    table(
      ["File", "Bytes"],
      input.map(({ bytes, file }) => [file, grouped(bytes)])
    )
  )

export const reportOf = (reported: Reported): string => {
  const { portfolio, ruleVersion, summary } = reported
  const lines = portfolio.plans.map((planType): Line => ({ planType, ...summary.plans[planType]! }))
  const { balanceCents, borrowers, loans, rejectedRows, rows } = summary
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A portfolio of ${grouped(borrowers)} borrowers</title><style>${STYLE}</style></head>
<body><h1>A portfolio of ${grouped(borrowers)} borrowers</h1>
${paragraph(`${grouped(loans)} loans of ${money(balanceCents)}, repaid from ${monthText(portfolio.start)} on under rules ${ruleVersion}. ${grouped(rejectedRows)} of ${grouped(rows)} rows were not computed.`)}
${notedOf(reported).map(paragraph).join("\n")}
${[byPlan(lines, portfolio), winnersAndLosers(lines, portfolio), byPayment(lines), byYear(lines), omissionsTable(lines), basis(reported)].join("\n")}
</body></html>
`
}
