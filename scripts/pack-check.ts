/**
 * Tries the packages as a stranger would: packs both, installs each tarball in a folder far from here with plain Node, runs
 * `repay project`, computes with the engine as a library, there and as a page bundles it, and portfolios under the oldest
 * Node, starts `repay serve`, calls it with the client of each, and compiles programs against the types of each. Says what
 * they weigh. `npm run pack-check`; exits with 1 at the first thing that does not work or weighs too much.
 */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../test/support/freePort.ts"
import { CLIENT_NAME, clientBytes, MAX_GZIPPED_BYTES } from "./client/package.ts"
import { checkLibrary } from "./pack/library.ts"
import { checkOldest } from "./pack/oldest.ts"
import { insist, REQUEST, run, say } from "./pack/stranger.ts"
import { PROJECT, startListening } from "./programs.ts"

const MEGABYTE = 1024 * 1024
const BLOCK_BYTES = 512

/** The packages, and what they may weigh once installed, with all that they bring. */
const MAIN = { name: "repayment-of-record", source: PROJECT, maxMegabytes: 300 }
const CLIENT = { name: CLIENT_NAME, source: join(PROJECT, "dist", "client"), maxMegabytes: 0.2 }
type Packed = typeof MAIN

/** What a user of the client writes; also compiled against the types. */
const programOf = (client: string): string => `import { createClient, isProblem } from "${client}"

const baseUrl = process.argv[2] ?? "http://127.0.0.1:8080"
const { apiKey } = await createClient({ baseUrl }).mintSandboxKey("pack-check@example.org")
const client = createClient({ baseUrl, apiKey })
const scenario = ${JSON.stringify(REQUEST.scenario)} as const
const loans = ${JSON.stringify(REQUEST.loans)} as const

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
  include: ["*.ts"]
}

const pack = async (folder: string, { source }: Packed): Promise<string> => {
  const listed = JSON.parse(
    await run(source, "npm", ["pack", "--json", "--pack-destination", folder])
  ) as ReadonlyArray<{
    readonly filename: string
    readonly size: number
    readonly entryCount: number
  }>
  const { entryCount, filename, size } = listed[0]!
  say(`packed ${filename}: ${entryCount} files, ${Math.round(size / 1024)} KiB`)
  return join(folder, filename)
}

/** As it takes up the disk, folders too. */
const megabytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(folder, path)).blocks * BLOCK_BYTES)
    .reduce((bytes, more) => bytes + more, 0) / MEGABYTE

/** Installs a package in a folder of its own. It may not bring a Node, which would take the place of the stranger's. */
const install = async (folder: string, packed: Packed): Promise<string> => {
  const stranger = join(folder, packed.name.replaceAll(/\W/g, "-"))
  mkdirSync(stranger)
  writeFileSync(join(stranger, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }))
  const tarball = await pack(folder, packed)
  const started = performance.now()
  await run(stranger, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", tarball])
  const seconds = Math.round((performance.now() - started) / 1000)
  const modules = join(stranger, "node_modules")
  const megabytes = megabytesOf(modules)
  say(`installed ${packed.name} in ${seconds} s: ${megabytes.toFixed(2)} MB with all that it brings`)
  insist(megabytes < packed.maxMegabytes, `that is more than ${packed.maxMegabytes} MB`)
  insist(!existsSync(join(modules, ".bin", "node")), "it brings a Node")
  return stranger
}

const checkBundle = async (): Promise<void> => {
  const { bytes, gzipped } = await clientBytes()
  say(`a page that bundles the client loads ${bytes} bytes more, ${gzipped} gzipped`)
  insist(gzipped < MAX_GZIPPED_BYTES, `that is more than ${MAX_GZIPPED_BYTES}`)
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

/** The package knows what it was built from, which a stranger's folder cannot tell it. */
const checkCommit = async (baseUrl: string): Promise<void> => {
  const { commit } = (await (await fetch(`${baseUrl}/health`)).json()) as { readonly commit: string }
  const head = await run(PROJECT, "git", ["rev-parse", "HEAD"]).catch(() => "unknown")
  insist(commit.replace(/-dirty$/, "") === head.trim(), `/health names the commit ${commit}, not ${head}`)
  say(`/health names the commit ${commit}`)
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
  say("the programs compile against the types of the package, library checks included")
}

const folder = mkdtempSync(join(tmpdir(), "repay-pack-"))
try {
  const stranger = await install(folder, MAIN)
  const caller = await install(folder, CLIENT)
  await checkBundle()
  writeFileSync(join(stranger, "program.ts"), programOf("repayment-of-record/client"))
  writeFileSync(join(caller, "program.ts"), programOf(CLIENT_NAME))
  await checkCommandLine(stranger)
  await checkLibrary(stranger)
  await checkOldest(stranger)
  await besideService(stranger, async (baseUrl) => {
    await checkCommit(baseUrl)
    await checkClient(stranger, baseUrl)
    await checkClient(caller, baseUrl)
  })
  await checkTypes(stranger)
  await checkTypes(caller)
  say("the packages work")
} catch (error) {
  const { message, stderr, stdout } = error as { message?: string; stderr?: string; stdout?: string }
  process.stderr.write(`${message ?? error}\n${stdout ?? ""}${stderr ?? ""}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
