/**
 * Generators of clients, each with a program (programs/) that calls the service through the
 * generated client. It must compile, must not compile with a mistake added, and must get a
 * projection, a comparison, a refusal and a record. Two suffice: openapi-typescript is the
 * strictest about types, and hey-api covers operation names, security and problems. The Python
 * program has no generated code and reads the OpenAPI document at run time.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { type Command, insist, run } from "../harness.ts"
import { FOLDER, runTool } from "./tools.ts"

const RUN_MILLIS = 20_000

type Generate = (folder: string, document: string) => Promise<unknown>

/** Generators by program name. Node runs the code as generated, so its imports need extensions. */
const GENERATORS: Readonly<Record<string, Generate>> = {
  "openapi-typescript": (folder, document) => {
    const output = ["-o", "openapi-typescript.gen.ts"]
    return runTool(folder, "openapi-typescript", [document, "--default-non-nullable=false", ...output])
  },
  "hey-api": (folder, document) => {
    const settings = { input: document, output: { path: "hey-api", module: { extension: ".ts" } } }
    writeFileSync(join(folder, "hey-api.config.mjs"), `export default ${JSON.stringify(settings)}`)
    return runTool(folder, "openapi-ts", ["-f", "hey-api.config.mjs"])
  }
}

/** Lines appended to each program. The compiler must reject each, or the types are too loose. */
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

const programPath = (file: string): string => join(import.meta.dirname, "programs", file)
const mistaken = (name: string): string => `${name}.mistaken.ts`

/** Writes each program twice: unchanged, and followed by the mistakes. */
const writePrograms = (folder: string, names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const text = readFileSync(programPath(`${name}.ts`), "utf8")
    writeFileSync(join(folder, `${name}.ts`), text)
    writeFileSync(join(folder, mistaken(name)), `${text}${MISTAKES.join("\n")}\n`)
  }
  const files = names.flatMap((name) => [`${name}.ts`, mistaken(name)])
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }))
}

/** Compiles everything in one run; the only errors may be the mistakes, and all of them. */
const compile = async (folder: string, names: ReadonlyArray<string>): Promise<void> => {
  const report = await runTool(folder, "tsc", ["-p", "tsconfig.json"]).catch((error: Error) => error.message)
  const errors = [...report.matchAll(/^(\S+)\((\d+),\d+\): error .+$/gm)]
  const wrong = errors.filter(([, file]) => !names.map(mistaken).includes(file!))
  if (wrong.length > 0) throw new Error(wrong.map(([line]) => line).join("\n"))
  for (const name of names) {
    const found = errors.filter(([, file]) => file === mistaken(name))
    if (new Set(found.map(([, , line]) => line)).size === MISTAKES.length) continue
    throw new Error(["not every mistake is refused, only", ...found.map(([line]) => line)].join("\n"))
  }
}

export const generateClients = async (folder: string, document: string): Promise<string> => {
  symlinkSync(join(FOLDER, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const names = Object.keys(GENERATORS)
  await Promise.all(Object.values(GENERATORS).map((generate) => generate(folder, document)))
  writePrograms(folder, names)
  await compile(folder, names)
  return `${names.join(", ")}: a program compiles against each, ${MISTAKES.length} mistakes do not`
}

const EXPECTED_OUTPUT = {
  // 5 percent of $52,000 a year, per month.
  payment: 217,
  cheapest: "standard",
  refused: "400 The loans cannot be repaid under this plan.",
  verified: true
}

const runProgram = async (command: Command): Promise<void> => {
  const stdout = await run(command, { timeout: RUN_MILLIS })
  insist(isDeepStrictEqual(JSON.parse(stdout), EXPECTED_OUTPUT), `${command[1]}: ${stdout}`)
}

export const callWithClients = async (folder: string, baseUrl: string, key: string): Promise<string> => {
  for (const name of Object.keys(GENERATORS))
    await runProgram([process.execPath, join(folder, `${name}.ts`), baseUrl, key])
  return `each projects, compares, is refused and verifies; first payment $${EXPECTED_OUTPUT.payment}`
}

/**
 * Runs the Python program, which finds the service from the address of the OpenAPI document alone.
 * Skipped if there is no Python.
 */
export const callWithPython = async (base: string, key: string): Promise<string> => {
  if (spawnSync("python3", ["--version"]).error !== undefined) return "left out, for there is none here"
  await runProgram(["python3", programPath("standard_library.py"), `${base}/openapi.json`, key])
  return "the same, with nothing but the standard library and the document"
}
