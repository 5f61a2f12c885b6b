/** Tests of the small client's types in another project: only wrong calls are compiler errors. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeClientPackage } from "../../scripts/client/package.ts"

const folder = mkdtempSync(join(tmpdir(), "repay-types-"))
beforeAll(() => writeClientPackage(join(folder, "node_modules", "@repayment-of-record", "client")))
afterAll(() => rmSync(folder, { recursive: true }))

/** Correct code with which both programs begin. */
const BEGINNING = `import { createClient, isProblem, type Loan, type Scenario, ServiceProblem } from "@repayment-of-record/client"
const client = createClient({ baseUrl: "https://api.example.org" })
const household = { adjustedGrossIncome: 60000, filingStatus: "Single", dependents: 0, state: "NC", workingTowardsPslf: false } as const
const scenario = { ...household, planType: "REPAYMENT ASSISTANCE" } as const
const loan: Loan = { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 30000, interestRate: 0.06 }
const loans = [loan]
const answer = await client.project({ scenario, loans })
let error: unknown
`

const RIGHT = [
  "await client.project({ scenario, loans, includeYearly: true }, { signal: AbortSignal.timeout(1000) })",
  "await client.project({ scenario: { ...scenario, spouseAdjustedGrossIncome: null, label: 'mine' }, loans: [{ ...loan, pslfCount: 12 }] })",
  "const arms = (['STANDARD', 'SAVE', 'INCOME BASED (OLD)'] as const).map((planType) => ({ scenario: { ...household, planType }, loans }))",
  "await client.compare({ arms })",
  "const { lowestCostLabel }: { lowestCostLabel: string | null } = await client.compare({ arms, includeYearly: false })",
  "for (const { eligiblePlanTypes } of (await client.eligiblePlans({ loans })).loans) for (const planType of eligiblePlanTypes) await client.project({ scenario: { ...household, planType }, loans })",
  "await client.calculate({ balance: 30000, ratePct: 6, borrowerAgi: 50000, loanType: 'parent_plus', state: null })",
  "await client.calculate({ balance: 30000, ratePct: 6, borrowerAgi: 50000, loanType: 'FFEL CONSOLIDATED' })",
  "const { matches }: { matches: boolean } = await client.check(answer)",
  "if (answer.provenance.answerId !== null) await client.verify(answer.provenance.answerId)",
  "const { textsHash }: { textsHash: string } = (await client.project({ scenario, loans }, { detail: 'brief' })).provenance",
  "for (const id of (await client.compare({ arms }, { detail: 'brief' })).provenance.citations) id.toUpperCase()",
  "for (const { request } of (await client.reference()).scenarios) await client.compare(request)",
  "await client.records({ from: new Date(), to: '2026-11-01T00:00:00Z', limit: 10 })",
  "await client.records({ cursor: (await client.records({ from: undefined, cursor: null, limit: undefined })).nextCursor })",
  "await client.project({ scenario: { ...scenario, spouseAdjustedGrossIncome: undefined, label: undefined }, loans: [{ ...loan, pslfCount: undefined }], includeYearly: undefined })",
  "if (isProblem(error) && error._tag === 'ValidationProblem') error.errors['scenario.state']?.map((message) => message.length)",
  "if (isProblem(error) && error._tag === 'QuotaExceededProblem') error.retryAfterSeconds.toFixed()",
  "if (error instanceof ServiceProblem && error.status === 429) error.retryAfterSeconds?.toFixed()",
  "createClient({ baseUrl: new URL('https://api.example.org'), apiKey: undefined, timeoutMillis: 5000, fetch })",
  "const later: Scenario = { ...scenario, filingStatus: 'MarriedFilingJointly', state: 'PR', annualIncomeGrowth: 0.02 }"
]

/** Each line has one error. */
const WRONG = [
  "client.project({ scenario, loans }, { detail: 'short' })",
  "client.eligiblePlans({ loans }, { detail: 'brief' })",
  "client.project({ scenario: { ...scenario, planType: 'RAP' }, loans })",
  "client.project({ scenario: { ...scenario, planType: 'rap' }, loans })",
  "client.project({ scenario: { ...scenario, planType: 'Standard' }, loans })",
  "client.project({ scenario: { ...scenario, state: 'North Carolina' }, loans })",
  "client.project({ scenario: { ...scenario, state: 'XX' }, loans })",
  "client.project({ scenario: { ...scenario, filingStatus: 'married filing jointly' }, loans })",
  "client.project({ scenario: { ...scenario, adjustedGrossIncome: '60000' }, loans })",
  "client.project({ scenario: { planType: 'STANDARD', filingStatus: 'Single', dependents: 0, state: 'NC', workingTowardsPslf: false }, loans })",
  "client.project({ scenario: { ...scenario, workingTowardsPslf: 'no' }, loans })",
  "client.project({ scenario: { ...scenario, income: 60000 }, loans })",
  "client.project({ scenario, loans: [{ ...loan, interestRate: '6%' }] })",
  "client.project({ scenario, loans: [{ ...loan, loanType: 'Direct Unsubsidized' }] })",
  "client.project({ scenario, loans: [{ loanType: 'FEDERAL PERKINS', principalBalance: 30000 }] })",
  "client.project({ scenario, loans: loan })",
  "client.project({ scenario })",
  "client.project({ scenario, loans, includeYearly: 1 })",
  "client.project({ scenario, loans }, { timeout: 1000 })",
  "client.compare({ scenario, loans })",
  "client.compare([{ scenario, loans }])",
  "client.calculate({ balance: 30000, rate: 6, borrowerAgi: 50000 })",
  "client.calculate({ balance: 30000, ratePct: 6, borrowerAgi: 50000, loanType: 'perkins' })",
  "client.verify(answer.provenance.answerId)",
  "client.check({ totalOutOfPocket: answer.totalOutOfPocket })",
  "client.project({ scenario: { ...scenario, state: undefined }, loans })",
  "client.records({ limit: '10' })",
  "client.projection({ scenario, loans })",
  "client.mintSandboxKey({ email: 'you@example.org' })",
  "createClient({ apiKey: 'slr_sbx_' })",
  "createClient({ baseUrl: 'https://api.example.org', apiKey: 1 })",
  "answer.totalOutOfPocket = 0",
  "answer.yearly.length",
  "answer.monthlyPayment",
  "answer.payoffOrForgivenessDate?.getTime()",
  "if (isProblem(error) && error._tag === 'ValidationError') throw error",
  "if (isProblem(error)) error.errors.length",
  "if (isProblem(error) && error._tag === 'RateLimitedProblem' && error.status === 503) throw error"
]

/** Compiler options of a Node program, and of a browser program that a bundler builds. */
const SETTINGS = {
  node: { module: "nodenext", lib: ["es2024"], types: ["node"], typeRoots: [resolve("node_modules/@types")] },
  browser: { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] }
}

/** Lines of the program with a compiler error, once per error. */
const faultsOf = async (
  page: ReadonlyArray<string>,
  setting: keyof typeof SETTINGS
): Promise<ReadonlyArray<string>> => {
  const options = {
    ...SETTINGS[setting],
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  writeFileSync(join(folder, "page.ts"), BEGINNING + page.join("\n"))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["page.ts"] }))
  const args = [resolve("node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"]
  const output = await new Promise<string>((settle) => execFile(process.execPath, args, (_, stdout) => settle(stdout)))
  const lines = [...output.matchAll(/^(.*)\((\d+),\d+\): error .*$/gm)]
  const before = BEGINNING.split("\n").length
  return lines.map(
    ([whole, file, line]) => (file!.endsWith("page.ts") ? page[Number(line) - before] : undefined) ?? whole
  )
}

describe.each(["node", "browser"] as const)("the compiler of a %s program", (setting) => {
  it("accepts every correct call", async () => {
    expect(await faultsOf(RIGHT, setting)).toEqual([])
  })

  it("reports exactly one error in every wrong call", async () => {
    expect(await faultsOf(WRONG, setting)).toEqual(WRONG)
  })
})
