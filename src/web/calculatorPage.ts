/** The start page: a form for the keyless calculator, and links to the rest. Needs no key and records nothing. */
import type { CALCULATOR_LOAN_TYPES } from "../../schema/calculator.ts"
import { STATES } from "../../schema/scenario.ts"

const LOAN_TYPE_NAMES: Readonly<Record<keyof typeof CALCULATOR_LOAN_TYPES, string>> = {
  direct_subsidized: "Direct Subsidized",
  direct_unsubsidized: "Direct Unsubsidized",
  grad_plus_legacy: "Grad PLUS",
  parent_plus: "Parent PLUS",
  direct_consolidation: "Direct Consolidation",
  direct_consolidation_with_plus: "Direct Consolidation that repaid a Parent PLUS loan"
}

const option = (value: string, text: string, selected = false): string =>
  `<option value="${value}"${selected ? " selected" : ""}>${text}</option>`

const loanTypes = Object.entries(LOAN_TYPE_NAMES).map(([value, text]) =>
  option(value, text, value === "direct_unsubsidized")
)
const states = [...STATES].sort().map((state) => option(state, state))

const number = (name: string, label: string, attributes: string): string =>
  `<label>${label}<input type="number" name="${name}" inputmode="decimal" min="0" ${attributes}></label>`

const flag = (name: string, label: string): string =>
  `<label class="flag"><input type="checkbox" name="${name}" value="true">${label}</label>`

const FORM = `<form>
<fieldset><legend>The loan</legend>
${number("balance", "Balance, dollars", 'max="100000000" step="any" value="30000" required')}
${number("ratePct", "Interest rate, percent", 'max="100" step="any" value="6.5" required')}
<label>Type<select name="loanType">${loanTypes.join("")}</select></label>
${flag("borrowedOnOrAfterJul12026", "Made on or after 1 July 2026")}
</fieldset>
<fieldset><legend>The household</legend>
${number("borrowerAgi", "Your adjusted gross income, dollars a year", 'max="100000000" step="any" required')}
<label>Filing status<select name="filingStatus">${option("Single", "Single")}${option("MarriedFilingJointly", "Married, joint return")}${option("MarriedFilingSeparately", "Married, separate returns")}${option("HeadOfHousehold", "Head of household")}</select></label>
${number("spouseAgi", "Spouse's income (joint return)", 'max="100000000" step="any"')}
${number("spouseFederalLoanBalance", "Spouse's federal loans (joint return)", 'max="100000000" step="any"')}
${number("dependents", "Dependents", 'max="30" step="1" value="0"')}
<label>State<select name="state">${option("", "not given")}${states.join("")}</select></label>
${number("incomeGrowthPct", "Income growth, percent a year", 'max="50" step="any" value="0"')}
</fieldset>
<fieldset><legend>Months already counted</legend>
${number("priorIdrMonths", "Months toward income-driven forgiveness", 'max="600" step="1" value="0"')}
${flag("pursuingPslf", "Working toward Public Service Loan Forgiveness")}
${number("pslfCreditedMonths", "Qualifying public-service payments", 'max="120" step="1" value="0"')}
</fieldset>
<button>Compare every federal plan</button>
</form>`

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#cfd6dd, #3b4450); --soft: light-dark(#f4f6f8, #1d232a); --ink: light-dark(#1b2530, #e6ebf0); --accent: light-dark(#0b5394, #8ab4f8) }
* { box-sizing: border-box } body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: light-dark(#fff, #12161b) }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.05rem } a { color: var(--accent) } header p { max-width: 44rem }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; align-items: start }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; background: var(--soft); min-width: 0 }
legend { font-weight: 600; padding: 0 .3rem } label { display: block; margin: .5rem 0; font-size: .9rem }
input:not([type=checkbox]), select { display: block; width: 100%; font: inherit; padding: .35rem .5rem; border: 1px solid var(--line); border-radius: .3rem; background: light-dark(#fff, #12161b); color: inherit }
.flag { display: flex; gap: .5rem; align-items: baseline } button { grid-column: 1 / -1; justify-self: start; font: inherit; font-weight: 600; padding: .55rem 1.2rem; border: 0; border-radius: .4rem; background: var(--accent); color: light-dark(#fff, #10151a); cursor: pointer }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; margin-top: 1.5rem } caption { text-align: left; font-size: .85rem }
th, td { text-align: right; padding: .45rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap } th:first-child, td:last-child { text-align: left; white-space: normal } tr:first-of-type th { font-size: .85rem }
meter { display: block; width: 100%; height: .5rem } .mark { display: inline-block; margin-left: .4rem; padding: 0 .4rem; border-radius: 1rem; font-size: .75rem; font-weight: 400; background: var(--accent); color: light-dark(#fff, #10151a) }
[aria-busy] { opacity: .5 } footer { margin-top: 3rem; font-size: .85rem }
`

export const calculatorPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Federal student-loan plans, compared</title><style>${STYLE}</style></head>
<body>
<header><h1>Federal student-loan plans, compared</h1>
<p>One loan under every federal plan: first payment, lifetime cost, forgiveness and the tax on it. Every constant is
<a href="/v1/rules">published with its source</a>. Nothing that you enter is stored.</p></header>
${FORM}
<div id="result" aria-live="polite"></div>
<footer>For whole loan books, recorded and verifiable answers: the <a href="/docs">API</a>. Not legal, tax or financial advice.</footer>
<script src="/calculator.js"></script>
</body>
</html>
`
