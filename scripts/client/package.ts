/**
 * The builder of the small client's package: one module, one file of types and no dependency. `npm
 * run build` writes it into dist/client. Its types are compiled against those of browsers, without
 * Node's.
 */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { formatted } from "../formatted.ts"
import { PROJECT } from "../harness.ts"
import { declarationsOf, writePackage } from "../pack/write.ts"

const SOURCE = join(PROJECT, "src", "client", "plain")
const TARGET = "es2022"

/** The declaration files in reading order: what a user needs first comes first. */
const DECLARED = ["createClient", "generated/contract", "failures"]

/** The maximum size of the client in a page that minifies and compresses its script. */
export const MAX_GZIPPED_BYTES = 4352

export const CLIENT_NAME = "@repayment-of-record/client"

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
  ...{ target: TARGET, lib: [TARGET, "dom", "dom.iterable"], types: [], module: "nodenext" },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true },
  rewriteRelativeImportExtensions: true
}

const HEADER = "/** The typed client of repayment-of-record: `createClient` makes one. */\n\n"

/** Parts to remove when files are joined: imports, empty export, and the comment before imports. */
const IMPORTS_AND_HEADER = /^\/\*\*[\s\S]*?\*\/\n(?=import )|^(?:import .*|export \{\};?)\n/gm

/** One file of types, joined from the compiler's declaration files. */
const clientTypes = (): string => {
  const declarations = declarationsOf({ ...COMPILER_OPTIONS, rootDir: SOURCE }, [join(SOURCE, "index.ts")])
  const parts = DECLARED.map((name) => declarations.get(`${name}.d.ts`)!.replace(IMPORTS_AND_HEADER, ""))
  return formatted("index.d.ts", `${HEADER}${parts.join("\n")}\nexport {}\n`)
}

/** Writes the package into a folder; resolves with its name and version. */
export const writeClientPackage = async (folder: string): Promise<string> =>
  writePackage(folder, {
    name: CLIENT_NAME,
    description: "The typed client of repayment-of-record: federal student-loan repayment calculations over fetch.",
    node: ">=18.17",
    readme: "src/client/plain/README.md",
    code: await clientModule({ minify: false, format: "esm" }),
    types: new Map([["index.d.ts", clientTypes()]])
  })
