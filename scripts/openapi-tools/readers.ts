/**
 * Tools that read the document: two linters, neither of which may warn, and a generator of types, whose types a
 * program must compile against and call the service with.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { runTool } from "./tools.ts"

export const lintWithRedocly = async (folder: string, document: string): Promise<string> => {
  const report = await runTool(folder, "redocly", ["lint", document, "--format=json"])
  const { totals } = JSON.parse(report.slice(report.indexOf("{"), report.lastIndexOf("}") + 1)) as {
    readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  }
  if (totals.errors + totals.warnings + totals.ignored > 0) throw new Error(report)
  return "no error, no warning"
}

export const lintWithSpectral = async (folder: string, document: string): Promise<string> => {
  writeFileSync(join(folder, "spectral.yaml"), 'extends: ["spectral:oas"]\n')
  const args = ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity=hint", "--format=json"]
  const report = await runTool(folder, "spectral", args)
  const found = JSON.parse(report.slice(report.indexOf("["), report.lastIndexOf("]") + 1)) as ReadonlyArray<unknown>
  if (found.length > 0) throw new Error(report)
  return "no result of any severity"
}

/** What a stranger writes who has nothing but the document: fields, unions and statuses are all checked. */
const PROGRAM = `import type { components, paths } from "./types.ts"

type Projection = paths["/v1/projection"]["post"]
type Request = Projection["requestBody"]["content"]["application/json"]
type Result = Projection["responses"]["200"]["content"]["application/json"]
type Refusal = Projection["responses"]["400"]["content"]["application/problem+json"]

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)

const ask = async (request: Request): Promise<Result | Refusal> => {
  const response = await fetch(\`\${baseUrl}/v1/projection\`, {
    method: "POST",
    headers: { "X-Api-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify(request)
  })
  return response.json()
}

const isRefusal = (answer: Result | Refusal): answer is Refusal => "errors" in answer

// Defaulted fields may be left out, null is a spouse income, a label is text or null.
const scenario: components["schemas"]["Scenario"] = {
  planType: "REPAYMENT ASSISTANCE",
  adjustedGrossIncome: 52_000,
  spouseAdjustedGrossIncome: null,
  filingStatus: "Single",
  dependents: 0,
  state: "NC",
  workingTowardsPslf: false,
  label: "typed"
}
const loans: Request["loans"] = [
  { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 30_000, interestRate: 0.0654 }
]

const answer = await ask({ scenario, loans, includeYearly: true })
if (isRefusal(answer)) throw new Error(Object.values(answer.errors).flat().join())
const forgivenessType: "Pslf" | "TimeBased" | "Teacher" | "None" = answer.forgivenessType
const months: number | null = answer.monthsToFinish
const verifyUrl: string | null = answer.provenance.verifyUrl
const paid: number = answer.yearly?.at(-1)?.cumulativePaid ?? Number.NaN
if (paid !== answer.totalOutOfPocket) throw new Error("the series does not add up")

const refused = await ask({ scenario: { ...scenario, adjustedGrossIncome: -1 }, loans })
if (!isRefusal(refused)) throw new Error("a negative income was accepted")
const status: 400 = refused.status

console.log(JSON.stringify({ payment: answer.year1MonthlyPayment, forgivenessType, months, verifyUrl, status }))
`

/** Each must be refused by the compiler, or the types say nothing. */
const MISTAKES = [
  "scenario.planType = 5",
  'scenario.planType = "RAP"',
  'scenario.state = "North Carolina"',
  "scenario.household = 1",
  "const rate: string = loans[0]!.interestRate",
  "const incomplete: Request = { loans }",
  "if (!isRefusal(answer)) answer.monthlyPayment",
  'const date: string = isRefusal(answer) ? "" : answer.payoffOrForgivenessDate'
]

const COMPILER_OPTIONS = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom"],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: []
}

const writeProgram = (folder: string, name: string, text: string): void => {
  writeFileSync(join(folder, `${name}.ts`), `declare const process: { readonly argv: string[] }\n${text}`)
  const config = { compilerOptions: COMPILER_OPTIONS, files: [`${name}.ts`] }
  writeFileSync(join(folder, `${name}.tsconfig.json`), JSON.stringify(config))
}

const compile = (folder: string, name: string) => runTool(folder, "tsc", ["-p", `${name}.tsconfig.json`])

/** How many of the lines after the program the compiler objects to. */
const refusedMistakes = async (folder: string): Promise<number> => {
  writeProgram(folder, "mistakes", `${PROGRAM}${MISTAKES.join("\n")}\n`)
  const report = await compile(folder, "mistakes").catch((error: Error) => error.message)
  return new Set([...report.matchAll(/^mistakes\.ts\((\d+),/gm)].map(([, line]) => line)).size
}

export const generateTypes = async (folder: string, document: string): Promise<string> => {
  await runTool(folder, "openapi-typescript", [document, "--default-non-nullable=false", "-o", "types.ts"])
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeProgram(folder, "program", PROGRAM)
  await compile(folder, "program")
  const refused = await refusedMistakes(folder)
  if (refused !== MISTAKES.length) throw new Error(`the compiler refuses ${refused} of ${MISTAKES.length} mistakes`)
  return `a program compiles against the types, ${refused} mistakes do not`
}

/** Runs the compiled program's text with Node against the service. */
export const callWithTypes = async (folder: string, run: (file: string) => Promise<string>): Promise<string> => {
  const said = JSON.parse(await run(join(folder, "program.ts"))) as Readonly<Record<string, unknown>>
  if (!(Number(said["payment"]) > 0) || said["status"] !== 400) throw new Error(JSON.stringify(said))
  return `first payment $${said["payment"]} from the service, a negative income refused`
}
