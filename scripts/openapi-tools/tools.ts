/**
 * The third-party tools of this folder's package.json, which run as programs and are never
 * imported: a linter, and a generator of TypeScript clients. A program (programs/) calls the
 * service through the generated client. It must compile, must not compile with a mistake added, and
 * must get a projection, a comparison, a refusal and a record. The Python program does the same
 * without generated code: it reads the OpenAPI document at run time.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { type Command, insist, PROJECT, run } from "../harness.ts"

export const FOLDER = join(PROJECT, "scripts", "openapi-tools")
const RUN_MILLIS = 60_000

/** Turns telemetry off. */
const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }

export const toolPath = (name: string): string => join(FOLDER, "node_modules", ".bin", name)
const programPath = (file: string): string => join(FOLDER, "programs", file)

/** Runs a tool to its end; an error contains its output. */
const runTool = (folder: string, name: string, args: ReadonlyArray<string>): Promise<string> =>
  run([process.execPath, toolPath(name), ...args], { cwd: folder, env, timeout: RUN_MILLIS })

export const lint = async (folder: string, document: string): Promise<string> => {
  const report = await runTool(folder, "redocly", ["lint", document, "--format=json"])
  const { totals } = JSON.parse(report.slice(report.indexOf("{"), report.lastIndexOf("}") + 1)) as {
    readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  }
  insist(totals.errors + totals.warnings + totals.ignored === 0, report)
  return "no error, no warning"
}

/** Lines appended to the program. The compiler must reject each, or the types are too loose. */
const MISTAKES = [
  "scenario.planType = 5",
  'scenario.planType = "RAP"',
  'scenario.state = "North Carolina"',
  "scenario.household = 1",
  "const rate: string = loans[0]!.interestRate",
  "const incomplete: Request = { loans }",
  "const monthly: number = answer.monthlyPayment",
  "const date: string = answer.payoffOrForgivenessDate"
]

const COMPILER_OPTIONS = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: []
}

/** Compiles the program against a generated client. The only errors are the mistakes, all of them. */
export const generateClient = async (folder: string, document: string): Promise<string> => {
  symlinkSync(join(FOLDER, "node_modules"), join(folder, "node_modules"))
  // Node runs the code as generated, so its imports need extensions.
  const settings = { input: document, output: { path: "client", module: { extension: ".ts" } } }
  const text = readFileSync(programPath("typed.ts"), "utf8")
  for (const [file, content] of Object.entries({
    "package.json": '{ "type": "module" }',
    "client.config.mjs": `export default ${JSON.stringify(settings)}`,
    "typed.ts": text,
    "mistaken.ts": `${text}${MISTAKES.join("\n")}\n`,
    "tsconfig.json": JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ["typed.ts", "mistaken.ts"] })
  }))
    writeFileSync(join(folder, file), content)
  await runTool(folder, "openapi-ts", ["-f", "client.config.mjs"])
  const report = await runTool(folder, "tsc", ["-p", "tsconfig.json"]).catch((error: Error) => error.message)
  const errors = [...report.matchAll(/^(\S+)\((\d+),\d+\): error .+$/gm)]
  const [wrong, mistakes] = [false, true].map((isMeant) =>
    errors.filter(([, file]) => (file === "mistaken.ts") === isMeant)
  )
  insist(wrong!.length === 0, wrong!.map(([line]) => line).join("\n"))
  const refused = new Set(mistakes!.map(([, , line]) => line)).size
  insist(refused === MISTAKES.length, `of ${MISTAKES.length} mistakes only these are refused:\n${report}`)
  return `a program compiles, ${MISTAKES.length} mistakes do not`
}

const EXPECTED_OUTPUT = {
  // 5 percent of $52,000 a year, per month.
  payment: 217,
  cheapest: "standard",
  refused: "400 The loans cannot be repaid under this plan.",
  verified: true
}

const runProgram = async (command: Command): Promise<string> => {
  const stdout = await run(command, { timeout: RUN_MILLIS })
  insist(isDeepStrictEqual(JSON.parse(stdout), EXPECTED_OUTPUT), `${command[1]}: ${stdout}`)
  return `projects, compares, is refused and verifies; first payment $${EXPECTED_OUTPUT.payment}`
}

export const callWithClient = (folder: string, baseUrl: string, key: string): Promise<string> =>
  runProgram([process.execPath, join(folder, "typed.ts"), baseUrl, key])

/** Runs the Python program on the address of the OpenAPI document alone. Skipped without Python. */
export const callWithPython = (base: string, key: string): string | Promise<string> =>
  spawnSync("python3", ["--version"]).error === undefined
    ? runProgram(["python3", programPath("standard_library.py"), `${base}/openapi.json`, key])
    : "left out, for there is none here"
