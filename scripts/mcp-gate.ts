/**
 * `npm run mcp-gate`: other people's clients list the tools of a real service and call each of them, as a program and as a
 * person would: the SDK's client, the AI SDK, LangChain, mcporter and the inspector. One line per client.
 */
import { type ChildProcess, execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { FIRST_PAYMENT, TOOLS } from "../test/support/requests.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { installFrom } from "./outside.ts"
import { PROJECT, startService } from "./programs.ts"

const FOLDER = join(PROJECT, "scripts", "mcp-tools")
const RUN_MILLIS = 60_000

/** Where a client looks for its settings and keeps its own: nowhere but there. */
const home = mkdtempSync(join(tmpdir(), "mcp-gate-"))
const env = { ...process.env, HOME: home, NO_COLOR: "1", DO_NOT_TRACK: "1" }

interface Call {
  readonly tool: string
  readonly args: object
  /** What whoever made the call has to find in what the client shows. */
  readonly shows: RegExp
}

const SHOWN: Readonly<Record<string, RegExp>> = {
  run_projection: new RegExp(`\\$${FIRST_PAYMENT} a month|"year1MonthlyPayment":\\s*${FIRST_PAYMENT}\\b`),
  compare_scenarios: /"lowestCostLabel":|Lowest total with tax:/,
  get_eligible_plans: /REPAYMENT ASSISTANCE/,
  get_plan_types: /REVISED PAY AS YOU EARN/
}
const CALLS: ReadonlyArray<Call> = TOOLS.map(({ args, tool }) => ({ tool, args, shows: SHOWN[tool]! }))

interface Found {
  readonly names: ReadonlyArray<string>
  /** What is shown of each call, in their order. */
  readonly answers: ReadonlyArray<string>
}

/** Runs a program of the folder to its end; what it writes to standard error is shown when it fails. */
const run = async (command: ReadonlyArray<string>, input = ""): Promise<string> => {
  const options = { cwd: home, env, timeout: RUN_MILLIS }
  let program: ChildProcess | undefined
  const done = new Promise<void>((resolve, reject) => {
    program = execFile(process.execPath, [...command], options, (error, stdout, stderr) =>
      error === null ? resolve() : reject(new Error(`${command.join(" ")}: ${stderr || stdout}`))
    )
  })
  program!.stdin!.end(input)
  const [output] = await Promise.all([text(program!.stdout!), done])
  return output
}

const bin = (name: string): string => join(FOLDER, "node_modules", ".bin", name)

/** A library of library.mjs. */
const library =
  (name: string) =>
  async (url: string, key: string): Promise<Found> =>
    JSON.parse(await run([join(FOLDER, "library.mjs"), name, url, key], JSON.stringify(CALLS)))

const mcporter = async (url: string, key: string): Promise<Found> => {
  const config = join(home, "mcporter.json")
  writeFileSync(config, JSON.stringify({ mcpServers: { repayment: { url, headers: { "x-api-key": key } } } }))
  const ask = (...args: ReadonlyArray<string>) => run([bin("mcporter"), "--config", config, ...args])
  const { tools } = JSON.parse(await ask("list", "repayment", "--json"))
  const answers = CALLS.map(({ args, tool }) =>
    ask("call", `repayment.${tool}`, "--args", JSON.stringify(args), "--output", "json")
  )
  return { names: tools.map(({ name }: { name: string }) => name), answers: await Promise.all(answers) }
}

const inspector = async (url: string, key: string): Promise<Found> => {
  const ask = (...args: ReadonlyArray<string>) =>
    run([bin("mcp-inspector"), "--cli", url, "--transport", "http", "--header", `X-Api-Key: ${key}`, ...args])
  const { tools } = JSON.parse(await ask("--method", "tools/list", "--strict"))
  const answers = CALLS.map(({ args, tool }) => {
    const pairs = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    const given = pairs.length === 0 ? [] : ["--tool-arg", ...pairs]
    return ask("--method", "tools/call", "--tool-name", tool, ...given)
  })
  return { names: tools.map(({ name }: { name: string }) => name), answers: await Promise.all(answers) }
}

const CLIENTS = {
  "the SDK's client": library("sdk"),
  "AI SDK": library("ai-sdk"),
  LangChain: library("langchain"),
  mcporter,
  "the inspector, strict": inspector
}

const judge = ({ answers, names }: Found): string => {
  const missing = TOOLS.filter(({ tool }) => !names.includes(tool)).map(({ tool }) => tool)
  if (missing.length > 0) throw new Error(`does not list ${missing.join(", ")}`)
  for (const [index, { shows, tool }] of CALLS.entries()) {
    if (!shows.test(answers[index] ?? "")) throw new Error(`${tool} shows ${answers[index]?.slice(0, 500)}`)
  }
  return `lists ${names.length} tools and calls each`
}

const mint = async (base: string): Promise<string> => {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"email":"gate@example.org"}' }
  const { apiKey } = (await (await fetch(`${base}/v1/keys/sandbox`, init)).json()) as { readonly apiKey: string }
  return apiKey
}

process.stdout.write(`ok   npm ci of the clients: ${await installFrom(FOLDER)}\n`)
const service = await startService(NO_LIMITS)
try {
  const key = await mint(service.base)
  for (const [name, client] of Object.entries(CLIENTS)) {
    const started = performance.now()
    const said = await client(`${service.base}/mcp`, key).then(judge)
    process.stdout.write(`ok   ${name}: ${said} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`)
  }
} finally {
  await service.stop()
  rmSync(home, { recursive: true, force: true })
}
