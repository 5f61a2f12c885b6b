/**
 * The `pack-check` task: packs the three packages, rehearses their publication, installs each outside
 * the project, and uses them as a new user would. It covers the commands, the engine, the service,
 * both clients, the types, the oldest supported Node, and the bill of materials. It also limits the
 * packages' sizes.
 */

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import REQUEST from "../docs/examples/projection.json" with { type: "json" }
import packageJson from "../package.json" with { type: "json" }
import { CLIENT_NAME, clientBytes, MAX_GZIPPED_BYTES } from "./client/package.ts"
import { insist, PROJECT, run, say, secondsSince, service, step, temporaryFolder } from "./harness.ts"
import { ENGINE_NAME } from "./pack/engine.ts"
import { checkOldest } from "./pack/oldest.ts"

const MEGABYTE = 1024 * 1024
const BLOCK_BYTES = 512
const INSTALL_MILLIS = 600_000

/** The packages, with the largest size that they may have once installed with dependencies. */
const MAIN = { name: packageJson.name, source: PROJECT, maxMegabytes: 300 }
const CLIENT = { name: CLIENT_NAME, source: join(PROJECT, "dist", "client"), maxMegabytes: 0.2 }
const ENGINE = { name: ENGINE_NAME, source: join(PROJECT, "dist", "engine"), maxMegabytes: 1 }
type Packed = typeof MAIN

/** A program of a client's user; it is run, and compiled against the types. */
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

/** A program of the engine's user, likewise. */
const ENGINE_PROGRAM = `import { type From, type Projection, project, type Refusal, RequestError, ruleVersion } from "${ENGINE_NAME}"

const from: From = { start: { year: 2026, month: 12 } }
const request = ${JSON.stringify(REQUEST)} as const
const answer: Projection | Refusal = project(request, from)
const refused = (): string => {
  try {
    project({ ...request, loans: [{ ...request.loans[0], interestRate: 6 }] }, from)
  } catch (error) {
    if (error instanceof RequestError) return Object.keys(error.errors).join()
  }
  return "nothing"
}
const payment: number = answer._tag === "Refusal" ? 0 : answer.year1MonthlyPayment
console.log("$" + payment, "a month under rules", ruleVersion, "refused:", refused())
`

const TYPES_CONFIG = {
  compilerOptions: { module: "nodenext", target: "es2024", strict: true, noEmit: true, types: ["node"] },
  include: ["*.ts"]
}

const pack = async (folder: string, { source }: Packed): Promise<string> => {
  const packed = await run(["npm", "pack", "--json", "--pack-destination", folder], { cwd: source })
  const [{ entryCount, filename, size }] = JSON.parse(packed) as [
    { readonly filename: string; readonly size: number; readonly entryCount: number }
  ]
  say(`packed ${filename}: ${entryCount} files, ${Math.round(size / 1024)} KiB`)
  return join(folder, filename)
}

/** npm repairs a faulty manifest with no more than a warning. Here nobody is logged in. */
const rehearse = async ({ source }: Packed): Promise<void> => {
  const command = "npm publish --dry-run --json --ignore-scripts --loglevel=warn 2>&1"
  const output = await run(["sh", "-c", command], { cwd: source })
  const warnings = output.match(/^npm warn (?!.* requires you to be logged in ).*$/gm) ?? []
  insist(warnings.length === 0, warnings.join("\n"))
}

interface Materials {
  readonly metadata: { readonly component: { readonly purl: string } }
  readonly components: ReadonlyArray<Readonly<Record<"name" | "version", string>> & { readonly properties: unknown }>
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: true; readonly link?: true }>>
}

/**
 * The bill of materials of a release: all packages of the lock, with those of developers marked. With
 * `--omit=dev`, npm 11 also leaves out packages of the service that a developer's package needs.
 */
const checkMaterials = async (): Promise<string> => {
  const sbom = await run(["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx"])
  const { components, metadata }: Materials = JSON.parse(sbom)
  const { packages }: Lock = JSON.parse(readFileSync(join(PROJECT, "package-lock.json"), "utf8"))
  const isMarked = (properties: unknown) => JSON.stringify(properties).includes('"cdx:npm:package:development"')
  const listed = new Set(components.map((one) => `${one.name}@${one.version} ${isMarked(one.properties)}`))
  const missing = Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .map(([path, { dev = false, version }]) => `${path.split("node_modules/").at(-1)}@${version} ${dev}`)
    .filter((line) => !listed.has(line))
  const { purl } = metadata.component
  insist(missing.length === 0 && purl.endsWith(`/${MAIN.name}@${packageJson.version}`), `${purl} lacks ${missing}`)
  return `${purl}: ${components.length} packages`
}

/** Disk usage, folders included. */
const megabytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(folder, path)).blocks * BLOCK_BYTES)
    .reduce((bytes, more) => bytes + more, 0) / MEGABYTE

/**
 * Installs a package in its own folder. It must not bring a Node, which would shadow the user's
 * own.
 */
const install = async (folder: string, packed: Packed): Promise<string> => {
  const stranger = join(folder, packed.name.replaceAll(/\W/g, "-"))
  mkdirSync(stranger)
  writeFileSync(join(stranger, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }))
  const tarball = await pack(folder, packed)
  const begun = performance.now()
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  await run(["npm", "install", ...options, tarball], { cwd: stranger, timeout: INSTALL_MILLIS })
  const modules = join(stranger, "node_modules")
  const megabytes = megabytesOf(modules)
  say(`installed ${packed.name} in ${secondsSince(begun)}: ${megabytes.toFixed(2)} MB with all that it brings`)
  insist(megabytes < packed.maxMegabytes, `that is more than ${packed.maxMegabytes} MB`)
  insist(!existsSync(join(modules, ".bin", "node")), "it brings a Node")
  return stranger
}

const checkEngine = async (folder: string): Promise<string> => {
  const said = (await run([process.execPath, "program.ts"], { cwd: folder })).trim()
  insist(/^\$250 .* refused: loans\[0\]\.interestRate$/.test(said), `the engine said ${said}`)
  return said
}

const checkBundle = async (): Promise<string> => {
  const { bytes, gzipped } = await clientBytes()
  insist(gzipped < MAX_GZIPPED_BYTES, `${gzipped} bytes are more than ${MAX_GZIPPED_BYTES}`)
  return `a page that bundles the client loads ${bytes} bytes more, ${gzipped} gzipped`
}

const checkCommandLine = async (folder: string): Promise<string> => {
  writeFileSync(join(folder, "request.json"), JSON.stringify(REQUEST))
  const command = join("node_modules", ".bin", "repay")
  const answer = JSON.parse(await run([command, "project", "request.json"], { cwd: folder })) as {
    readonly year1MonthlyPayment: number
    readonly provenance: { readonly answerId: unknown; readonly ruleVersion: string }
  }
  insist(answer.year1MonthlyPayment > 0 && answer.provenance.answerId === null, "repay project gave no answer")
  return `$${answer.year1MonthlyPayment} a month under rules ${answer.provenance.ruleVersion}`
}

/** The installed package reports the commit it was built from; there is no checkout around it. */
const checkCommit = async (baseUrl: string): Promise<string> => {
  const { commit } = (await (await fetch(`${baseUrl}/health`)).json()) as { readonly commit: string }
  const head = await run(["git", "rev-parse", "HEAD"]).catch(() => "unknown")
  insist(commit.replace(/-dirty$/, "") === head.trim(), `/health names the commit ${commit}, not ${head}`)
  return commit
}

/** Opens a guide, and the file that holds it rendered. */
const checkGuides = async (folder: string, baseUrl: string): Promise<string> => {
  const page = await (await fetch(`${baseUrl}/docs/guides/verification`)).text()
  const heading = '<h2 id="witnesses">'
  const file = join(folder, "node_modules", MAIN.name, "dist/src/http/pages/guides/rendered.js")
  const rendered = readFileSync(file, "utf8")
  insist(page.includes(heading) && rendered.includes(JSON.stringify(heading).slice(1, -1)), `no ${heading} in ${page}`)
  return `the rendered guides have ${Math.round(rendered.length / 1024)} KiB`
}

const checkClient = async (folder: string, baseUrl: string): Promise<string> => {
  const said = JSON.parse(await run([process.execPath, "program.ts", baseUrl], { cwd: folder }))
  insist(said.recorded === true && String(said.refused) === "loans", `the client said ${JSON.stringify(said)}`)
  return `minted a key, projected ($${said.payment} a month), verified, and was refused an empty book`
}

const checkTypes = async (folder: string): Promise<void> => {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TYPES_CONFIG))
  const typeRoots = join(PROJECT, "node_modules", "@types")
  const compiler = join(PROJECT, "node_modules", "typescript", "bin", "tsc")
  await run([process.execPath, compiler, "-p", ".", "--typeRoots", typeRoots], { cwd: folder })
}

export default async () => {
  const folder = temporaryFolder("repay-pack")
  const stranger = await install(folder, MAIN)
  const caller = await install(folder, CLIENT)
  const computer = await install(folder, ENGINE)
  writeFileSync(join(stranger, "program.ts"), programOf("repayment-of-record/client"))
  writeFileSync(join(caller, "program.ts"), programOf(CLIENT_NAME))
  writeFileSync(join(computer, "program.ts"), ENGINE_PROGRAM)
  for (const packed of [MAIN, CLIENT, ENGINE])
    await step(`npm would publish ${packed.name} as it is`, () => rehearse(packed))
  await step("npm's bill of materials names all that the lock holds", checkMaterials)
  await step("the client stays small in a page", checkBundle)
  await step("repay project prints an answer", () => checkCommandLine(stranger))
  await step("the engine's package computes and refuses", () => checkEngine(computer))
  await step("portfolios run under the oldest supported Node", () => checkOldest(stranger))
  const command = join(stranger, "node_modules", ".bin", "repay")
  const { base, stop } = await service({}, { command: [command, "serve"], folder: stranger })
  await step("repay serve reports its commit", () => checkCommit(base))
  await step("repay serve has the guides, rendered when the package was built", () => checkGuides(stranger, base))
  await step("repay serve answers the client of the main package", () => checkClient(stranger, base))
  await step("repay serve answers the client package", () => checkClient(caller, base))
  await step("repay serve stops with exit code 0", async () => {
    const code = await stop()
    insist(code === 0, `it ended with ${code}`)
  })
  for (const [name, project] of Object.entries({ main: stranger, client: caller, engine: computer }))
    await step(`the types of the ${name} package compile, library checks included`, () => checkTypes(project))
}
