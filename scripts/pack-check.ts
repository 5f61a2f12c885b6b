/**
 * Tries the package as a stranger would: packs it, installs the tarball in a folder far from here with plain Node, runs
 * `repay project`, starts `repay serve`, calls it with the client, and compiles a program against the types.
 * `npm run pack-check`; prints what it did, exits with 1 at the first thing that does not work.
 */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "../test/support/freePort.ts"
import { PATH, PROJECT, startListening } from "./programs.ts"

const INSTALL_MILLIS = 600_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const env = { ...process.env, PATH }

const run = async (folder: string, command: string, args: ReadonlyArray<string>): Promise<string> => {
  const options = { cwd: folder, env, timeout: INSTALL_MILLIS, maxBuffer: MAX_OUTPUT_BYTES }
  const { stdout } = await promisify(execFile)(command, [...args], options)
  return stdout
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const insist = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise)
}

const REQUEST = {
  scenario: {
    planType: "REPAYMENT ASSISTANCE",
    adjustedGrossIncome: 60_000,
    filingStatus: "Single",
    dependents: 0,
    state: "NC",
    workingTowardsPslf: false
  },
  loans: [{ loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 30_000, interestRate: 0.06 }]
}

/** What a user of the client writes; also compiled against the types. */
const PROGRAM = `import { createClient, isProblem } from "repayment-of-record/client"

const baseUrl = process.argv[2] ?? "http://127.0.0.1:8080"
const { apiKey } = await createClient({ baseUrl }).mintSandboxKey("pack-check@example.org")
const client = createClient({ baseUrl, apiKey })
const scenario = ${JSON.stringify(REQUEST.scenario)}
const loans = ${JSON.stringify(REQUEST.loans)}

const answer = await client.project({ scenario, loans })
const answerId = answer.provenance.answerId
if (answerId === null) throw new Error("the answer is not recorded")
const record = await client.verify(answerId)

const refused = await client.project({ scenario, loans: [] }).then(
  () => "nothing",
  (error: unknown) => (isProblem(error) && error._tag === "ValidationProblem" ? Object.keys(error.errors) : String(error))
)
console.log(JSON.stringify({ payment: answer.year1MonthlyPayment, recorded: record.recorded, refused }))
`

const TYPES_CONFIG = {
  compilerOptions: { module: "nodenext", target: "es2024", strict: true, noEmit: true, types: ["node"] },
  files: ["program.ts"]
}

const pack = async (folder: string): Promise<string> => {
  const listed = JSON.parse(
    await run(PROJECT, "npm", ["pack", "--json", "--pack-destination", folder])
  ) as ReadonlyArray<{
    readonly filename: string
    readonly size: number
    readonly entryCount: number
  }>
  const { entryCount, filename, size } = listed[0]!
  say(`packed ${filename}: ${entryCount} files, ${Math.round(size / 1024)} KiB`)
  return join(folder, filename)
}

const install = async (folder: string, tarball: string): Promise<void> => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }))
  const started = performance.now()
  await run(folder, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", tarball])
  say(`installed it in ${folder} in ${Math.round((performance.now() - started) / 1000)} s`)
}

const checkCommandLine = async (folder: string): Promise<void> => {
  writeFileSync(join(folder, "request.json"), JSON.stringify(REQUEST))
  const answer = JSON.parse(await run(folder, join("node_modules", ".bin", "repay"), ["project", "request.json"])) as {
    readonly year1MonthlyPayment: number
    readonly provenance: { readonly answerId: unknown; readonly ruleVersion: string }
  }
  insist(answer.year1MonthlyPayment > 0 && answer.provenance.answerId === null, "repay project gave no answer")
  say(`repay project: $${answer.year1MonthlyPayment} a month under rules ${answer.provenance.ruleVersion}`)
}

/** Runs `use` beside `repay serve` on an embedded database of its own. */
const besideService = async (folder: string, use: (baseUrl: string) => Promise<void>): Promise<void> => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn" }
  const command = join(folder, "node_modules", ".bin", "repay")
  const service = await startListening(baseUrl, [command, "serve"], settings, folder)
  say(`repay serve answers at ${baseUrl}`)
  const code = await use(baseUrl).then(service.stop, async (error: unknown) => {
    await service.stop()
    throw error
  })
  insist(code === 0, `repay serve ended with ${code}`)
}

const checkClient = async (folder: string, baseUrl: string): Promise<void> => {
  const said = JSON.parse(await run(folder, process.execPath, ["program.ts", baseUrl])) as Record<string, unknown>
  insist(said["recorded"] === true && String(said["refused"]) === "loans", `the client said ${JSON.stringify(said)}`)
  say(`the client minted a key, projected ($${said["payment"]} a month), verified, and was refused an empty book`)
}

const checkTypes = async (folder: string): Promise<void> => {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TYPES_CONFIG))
  const typeRoots = join(PROJECT, "node_modules", "@types")
  const compiler = join(PROJECT, "node_modules", "typescript", "bin", "tsc")
  await run(folder, process.execPath, [compiler, "-p", ".", "--typeRoots", typeRoots])
  say("the program compiles against the types of the package, library checks included")
}

const folder = mkdtempSync(join(tmpdir(), "repay-pack-"))
try {
  const stranger = join(folder, "stranger")
  mkdirSync(stranger)
  await install(stranger, await pack(folder))
  writeFileSync(join(stranger, "program.ts"), PROGRAM)
  await checkCommandLine(stranger)
  await besideService(stranger, (baseUrl) => checkClient(stranger, baseUrl))
  await checkTypes(stranger)
  say("the package works")
} catch (error) {
  const { message, stderr, stdout } = error as { message?: string; stderr?: string; stdout?: string }
  process.stderr.write(`${message ?? error}\n${stdout ?? ""}${stderr ?? ""}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
