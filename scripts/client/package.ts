/**
 * Puts the small client together as a package of its own: one module, one file of types, and
 * nothing that it needs. `npm run build` puts it into dist/client; the types are checked against
 * what browsers have, without Node's.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import packageJson from "../../package.json" with { type: "json" }
import { formatted } from "../formatted.ts"
import { PROJECT } from "../harness.ts"

const SOURCE = join(PROJECT, "src", "client", "plain")
const TARGET = "es2022"

/** Its parts, each after what it refers to most, for whoever reads the types from the top. */
const DECLARED = ["createClient", "generated/contract", "failures"]

/** What it may add to a page that minifies and compresses its script. */
export const MAX_GZIPPED_BYTES = 4096

export const CLIENT_NAME = "@repayment-of-record/client"

const MANIFEST = {
  name: CLIENT_NAME,
  version: packageJson.version,
  description: "The typed client of repayment-of-record: federal student-loan repayment calculations over fetch.",
  license: packageJson.license,
  type: "module",
  sideEffects: false,
  engines: { node: ">=18.17" },
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  files: ["index.js", "index.d.ts"]
}

/** The client as one module of JavaScript. */
export const clientModule = async (form: { readonly minify: boolean; readonly format: "esm" | "iife" }) => {
  const build = await rolldown({
    input: join(SOURCE, "index.ts"),
    platform: "browser",
    transform: { target: TARGET }
  })
  const { output } = await build.generate({ ...form, name: "client" })
  await build.close()
  return output[0].code
}

/** What it adds to a page that bundles it, in bytes. */
export const clientBytes = async () => {
  const code = await clientModule({ minify: true, format: "esm" })
  return { bytes: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).byteLength }
}

const COMPILER_OPTIONS = {
  ...{ target: TARGET, lib: [TARGET, "dom", "dom.iterable"], types: [], module: "nodenext", strict: true },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true },
  ...{ declaration: true, emitDeclarationOnly: true, rewriteRelativeImportExtensions: true }
}

const HEADER = "/** The typed client of repayment-of-record: `createClient` makes one. */\n\n"

/** What ties a part to the others, and what it says of itself. */
const TIES = /^\/\*\*[\s\S]*?\*\/\n(?=import )|^(?:import .*|export \{\};?)\n/gm

/** One file of types out of those that the compiler writes. */
const clientTypes = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "repay-client-types-"))
  try {
    const options = { ...COMPILER_OPTIONS, rootDir: SOURCE, outDir: folder }
    const config = join(folder, "tsconfig.json")
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [join(SOURCE, "index.ts")] }))
    execFileSync(process.execPath, [join(PROJECT, "node_modules", "typescript", "bin", "tsc"), "-p", config])
    const parts = DECLARED.map((name) => readFileSync(join(folder, `${name}.d.ts`), "utf8").replace(TIES, ""))
    return formatted("index.d.ts", `${HEADER}${parts.join("\n")}\nexport {}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes the package into a folder; resolves with its name and version. */
export const writeClientPackage = async (folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(MANIFEST, undefined, 2)}\n`)
  writeFileSync(join(folder, "index.js"), await clientModule({ minify: false, format: "esm" }))
  writeFileSync(join(folder, "index.d.ts"), clientTypes())
  copyFileSync(join(SOURCE, "README.md"), join(folder, "README.md"))
  copyFileSync(join(PROJECT, "LICENSE"), join(folder, "LICENSE"))
  return `${CLIENT_NAME} ${MANIFEST.version}`
}
