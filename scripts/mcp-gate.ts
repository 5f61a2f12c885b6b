/**
 * The `mcp-gate` task: third-party MCP clients list the tools of a real service and call each one,
 * with a key, without one, and over standard input and output; then the protocol's conformance
 * suite, and the view of an answer in a browser. The clients are those of both lines of the SDK, the AI SDK, LangChain, mcporter and the
 * inspector.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { callerOf, mintOver } from "../test/support/calls.ts"
import { FIRST_PAYMENT, loan, OPEN_TOOLS, scenario, TOOLS } from "../test/support/requests.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { insist, PROJECT, run, say, service, step, stoppedAtEnd, temporaryFolder } from "./harness.ts"
import { checkView } from "./mcp-gate/view.ts"
import { proxyWithKey, REVISIONS, suiteArguments } from "./mcp-tools/conformance.ts"
import { installFrom } from "./outside.ts"
import { hasBrowser } from "./page-check/support.ts"

const FOLDER = join(PROJECT, "scripts", "mcp-tools")
const RUN_MILLIS = 120_000

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
  get_plan_types: /REVISED PAY AS YOU EARN/,
  explain_payment: /rate of the band/,
  compare_plans: /REPAYMENT ASSISTANCE/
}
/** A plan that the loan cannot take: no client's own check knows that. */
const refused = { scenario, loans: [{ ...loan, loanType: "DIRECT PLUS PARENT" }] }
const callsOf = (tools: ReadonlyArray<{ readonly tool: string; readonly args: object }>): ReadonlyArray<Call> => [
  ...tools.map(({ args, tool }) => ({ tool, args, shows: SHOWN[tool]! })),
  { tool: "explain_payment", args: refused, shows: /ineligible-plan/ }
]

/** A tool server, the calls to it, and the key that it requires. */
interface Target {
  readonly at: string
  readonly key: string | undefined
  readonly calls: ReadonlyArray<Call>
}

interface Found {
  readonly names: ReadonlyArray<string>
  /** The output of each call, in order. */
  readonly answers: ReadonlyArray<string>
  /** The revision that was agreed on, if the client reports it. */
  readonly revision?: string
}

/** `home` holds the client's settings and state. */
type Client = (target: Target, home: string) => Promise<Found>

const runIn = (home: string, command: ReadonlyArray<string>, input = ""): Promise<string> => {
  const env = { HOME: home, NO_COLOR: "1", DO_NOT_TRACK: "1" }
  return run([process.execPath, ...command], { cwd: home, env, timeout: RUN_MILLIS, input })
}

const bin = (name: string): string => join(FOLDER, "node_modules", ".bin", name)

/** A client library that library.mjs runs. */
const library =
  (name: string): Client =>
  async ({ at, calls, key }, home) => {
    const given = key === undefined ? [] : [key]
    return JSON.parse(await runIn(home, [join(FOLDER, "library.mjs"), name, at, ...given], JSON.stringify(calls)))
  }

const found = async (listed: string, answers: ReadonlyArray<Promise<string>>): Promise<Found> => {
  const { tools } = JSON.parse(listed) as { readonly tools: ReadonlyArray<{ readonly name: string }> }
  return { names: tools.map(({ name }) => name), answers: await Promise.all(answers) }
}

/** A program may exit with an error when a tool refuses; what it printed then is its answer. */
const printed = (answer: Promise<string>): Promise<string> => answer.catch((error: Error) => error.message)

const mcporter: Client = async ({ at: url, calls, key }, home) => {
  const config = join(home, "mcporter.json")
  const headers = key === undefined ? {} : { "x-api-key": key }
  writeFileSync(config, JSON.stringify({ mcpServers: { repayment: { url, headers } } }))
  const ask = (...args: ReadonlyArray<string>) => runIn(home, [bin("mcporter"), "--config", config, ...args])
  const call = ({ args, tool }: Call) =>
    printed(ask("call", `repayment.${tool}`, "--args", JSON.stringify(args), "--output", "json"))
  return found(await ask("list", "repayment", "--json"), calls.map(call))
}

const inspector: Client = async ({ at, calls, key }, home) => {
  const header = key === undefined ? [] : ["--header", `X-Api-Key: ${key}`]
  const target = ["--cli", at, "--transport", "http", ...header]
  const ask = (...args: ReadonlyArray<string>) => runIn(home, [bin("mcp-inspector"), ...target, ...args])
  const call = ({ args, tool }: Call) => {
    const pairs = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    const given = pairs.length === 0 ? [] : ["--tool-arg", ...pairs]
    return printed(ask("--method", "tools/call", "--tool-name", tool, ...given))
  }
  return found(await ask("--method", "tools/list", "--strict"), calls.map(call))
}

/** The official SDK's clients, which also start a program. */
const SDK_CLIENTS: Readonly<Record<string, Client>> = {
  "the SDK's first line": library("sdk"),
  "the SDK's second line": library("stateless"),
  "the SDK's second line, with a handshake": library("handshake")
}
const CLIENTS: Readonly<Record<string, Client>> = {
  ...SDK_CLIENTS,
  "AI SDK": library("ai-sdk"),
  LangChain: library("langchain"),
  mcporter,
  "the inspector, strict": inspector
}
const AGREED: Readonly<Record<string, string>> = {
  "the SDK's second line": "2026-07-28",
  "the SDK's second line, with a handshake": "2025-11-25"
}

const judge = (client: string, { calls }: Target, { answers, names, revision }: Found): string => {
  const missing = calls.filter(({ tool }) => !names.includes(tool)).map(({ tool }) => tool)
  insist(missing.length === 0, `does not list ${missing.join(", ")}`)
  insist(revision === undefined || revision === AGREED[client], `agreed on ${revision}`)
  for (const [index, { shows, tool }] of calls.entries())
    insist(shows.test(answers[index] ?? ""), `${tool} shows ${answers[index]?.slice(0, 500)}`)
  return `lists ${names.length} tools and calls each`
}

export default async () => {
  const home = temporaryFolder("mcp-gate")
  await step("the clients install", () => installFrom(FOLDER))
  const { base } = await service(NO_LIMITS)
  const { apiKey } = await mintOver(callerOf(base))
  const local = JSON.stringify([process.execPath, join(PROJECT, "src/cli/main.ts"), "mcp"])
  const keyed = { at: `${base}/mcp`, key: apiKey, calls: callsOf(TOOLS) }
  const open = { at: `${base}/mcp/open`, key: undefined, calls: callsOf(OPEN_TOOLS) }
  const stdio = { at: local, key: undefined, calls: callsOf(TOOLS) }
  const tries = [
    ...Object.entries(CLIENTS).map(([name, client]) => ["/mcp", keyed, name, client] as const),
    ...Object.entries(CLIENTS).map(([name, client]) => ["/mcp/open", open, name, client] as const),
    ...Object.entries(SDK_CLIENTS).map(([name, client]) => ["stdio", stdio, name, client] as const)
  ]
  for (const [where, target, name, client] of tries)
    await step(`${where}: ${name}`, async () => judge(name, target, await client(target, home)))

  if (hasBrowser()) await step("the view of an answer, in a host in a browser", () => checkView(base, apiKey))
  else say("no Chromium is here: the view of an answer was tried in no browser")
  const proxy = await stoppedAtEnd(proxyWithKey(base, apiKey))
  for (const revision of REVISIONS)
    for (const [where, url, hasRules] of [
      ["/mcp", proxy.url, true],
      ["/mcp/open", open.at, false]
    ] as const)
      await step(`conformance with ${revision}: ${where}`, async () => {
        const output = await runIn(home, [bin("conformance"), ...suiteArguments(url, revision, hasRules, home)])
        return /Total: .*/.exec(output)?.[0] ?? ""
      })
}
