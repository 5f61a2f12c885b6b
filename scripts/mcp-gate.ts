/**
 * The `mcp-gate` task: third-party MCP clients list the tools of a real service and call each one.
 * The clients are the SDK's, the AI SDK, LangChain, mcporter and the inspector.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { callerOf, mintOver } from "../test/support/calls.ts"
import { FIRST_PAYMENT, TOOLS } from "../test/support/requests.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { insist, PROJECT, run, service, step, temporaryFolder } from "./harness.ts"
import { installFrom } from "./outside.ts"

const FOLDER = join(PROJECT, "scripts", "mcp-tools")
const RUN_MILLIS = 60_000

interface Call {
  readonly tool: string
  readonly args: object
  /** Must match the client's output. */
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
  /** The output of each call, in order. */
  readonly answers: ReadonlyArray<string>
}

/** A client of the service at an address, with a key. `home` holds its settings and state. */
type Client = (url: string, key: string, home: string) => Promise<Found>

const runIn = (home: string, command: ReadonlyArray<string>, input = ""): Promise<string> => {
  const env = { HOME: home, NO_COLOR: "1", DO_NOT_TRACK: "1" }
  return run([process.execPath, ...command], { cwd: home, env, timeout: RUN_MILLIS, input })
}

const bin = (name: string): string => join(FOLDER, "node_modules", ".bin", name)

/** A client library that library.mjs runs. */
const library =
  (name: string): Client =>
  async (url, key, home) =>
    JSON.parse(await runIn(home, [join(FOLDER, "library.mjs"), name, url, key], JSON.stringify(CALLS)))

const found = async (listed: string, answers: ReadonlyArray<Promise<string>>): Promise<Found> => {
  const { tools } = JSON.parse(listed) as { readonly tools: ReadonlyArray<{ readonly name: string }> }
  return { names: tools.map(({ name }) => name), answers: await Promise.all(answers) }
}

const mcporter: Client = async (url, key, home) => {
  const config = join(home, "mcporter.json")
  writeFileSync(config, JSON.stringify({ mcpServers: { repayment: { url, headers: { "x-api-key": key } } } }))
  const ask = (...args: ReadonlyArray<string>) => runIn(home, [bin("mcporter"), "--config", config, ...args])
  const call = ({ args, tool }: Call) =>
    ask("call", `repayment.${tool}`, "--args", JSON.stringify(args), "--output", "json")
  return found(await ask("list", "repayment", "--json"), CALLS.map(call))
}

const inspector: Client = async (url, key, home) => {
  const target = ["--cli", url, "--transport", "http", "--header", `X-Api-Key: ${key}`]
  const ask = (...args: ReadonlyArray<string>) => runIn(home, [bin("mcp-inspector"), ...target, ...args])
  const call = ({ args, tool }: Call) => {
    const pairs = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    const given = pairs.length === 0 ? [] : ["--tool-arg", ...pairs]
    return ask("--method", "tools/call", "--tool-name", tool, ...given)
  }
  return found(await ask("--method", "tools/list", "--strict"), CALLS.map(call))
}

const CLIENTS: Readonly<Record<string, Client>> = {
  "the SDK's client": library("sdk"),
  "AI SDK": library("ai-sdk"),
  LangChain: library("langchain"),
  mcporter,
  "the inspector, strict": inspector
}

const judge = ({ answers, names }: Found): string => {
  const missing = TOOLS.filter(({ tool }) => !names.includes(tool)).map(({ tool }) => tool)
  insist(missing.length === 0, `does not list ${missing.join(", ")}`)
  for (const [index, { shows, tool }] of CALLS.entries())
    insist(shows.test(answers[index] ?? ""), `${tool} shows ${answers[index]?.slice(0, 500)}`)
  return `lists ${names.length} tools and calls each`
}

export default async () => {
  const home = temporaryFolder("mcp-gate")
  await step("the clients install", () => installFrom(FOLDER))
  const { base } = await service(NO_LIMITS)
  const { apiKey } = await mintOver(callerOf(base))
  for (const [name, client] of Object.entries(CLIENTS))
    await step(name, async () => judge(await client(`${base}/mcp`, apiKey, home)))
}
