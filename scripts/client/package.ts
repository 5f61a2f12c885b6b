/**
 * The builder of the small client's package: one module, one file of types and no dependency. `npm
 * run build` writes it into dist/client. Its types are compiled against those of browsers, without
 * Node's.
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

/** The declaration files in reading order: what a user needs first comes first. */
const DECLARED = ["createClient", "generated/contract", "failures"]

/** The maximum size of the client in a page that minifies and compresses its script. */
export const MAX_GZIPPED_BYTES = 4352

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

/** The bytes that the client adds to a page that bundles it. */
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

/** Parts to remove when files are joined: imports, empty export, and the comment before imports. */
const IMPORTS_AND_HEADER = /^\/\*\*[\s\S]*?\*\/\n(?=import )|^(?:import .*|export \{\};?)\n/gm

/** One file of types, joined from the compiler's declaration files. */
const clientTypes = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "repay-client-types-"))
  try {
    const options = { ...COMPILER_OPTIONS, rootDir: SOURCE, outDir: folder }
    const config = join(folder, "tsconfig.json")
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [join(SOURCE, "index.ts")] }))
    execFileSync(process.execPath, [join(PROJECT, "node_modules", "typescript", "bin", "tsc"), "-p", config])
    const parts = DECLARED.map((name) =>
      readFileSync(join(folder, `${name}.d.ts`), "utf8").replace(IMPORTS_AND_HEADER, "")
    )
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
