/**
 * What the packages of one module share: the fields of the main package's manifest that are theirs
 * too, the license, and the compiler that writes their types.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { PROJECT } from "../harness.ts"

const SHARED = ["version", "license", "repository", "homepage", "bugs", "type", "sideEffects", "publishConfig"]

interface Parts {
  readonly name: string
  readonly description: string
  readonly node: string
  /** The path of its README in the project. */
  readonly readme: string
  readonly code: string
  /** Declarations by their paths in the package, the entry first. */
  readonly types: ReadonlyMap<string, string>
}

/** Writes a package into a folder; returns its name and version. */
export const writePackage = (folder: string, { code, description, name, node, readme, types }: Parts): string => {
  const [entry] = types.keys()
  const manifest = {
    name,
    description,
    ...Object.fromEntries(Object.entries(packageJson).filter(([field]) => SHARED.includes(field))),
    engines: { node },
    exports: { ".": { types: `./${entry}`, default: "./index.js" } },
    files: ["index.js", "**/*.d.ts"]
  }
  const files = new Map([...types, ["package.json", `${JSON.stringify(manifest, undefined, 2)}\n`], ["index.js", code]])
  for (const [path, text] of files) {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  copyFileSync(join(PROJECT, readme), join(folder, "README.md"))
  copyFileSync(join(PROJECT, "LICENSE"), join(folder, "LICENSE"))
  return `${name} ${packageJson.version}`
}

/**
 * The compiler's declarations, by their paths below the root of what is compiled.
 * @param sources modules that are compiled, too, with their texts by name
 */
export const declarationsOf = (
  options: object,
  files: ReadonlyArray<string>,
  sources: ReadonlyMap<string, string> = new Map()
): ReadonlyMap<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), "repay-types-"))
  try {
    for (const [name, text] of sources) writeFileSync(join(folder, name), text)
    const compilerOptions = { ...options, outDir: folder, strict: true, declaration: true, emitDeclarationOnly: true }
    const config = { compilerOptions, files: [...files, ...sources.keys()] }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    execFileSync(process.execPath, [join(PROJECT, "node_modules/typescript/bin/tsc"), "-p", folder])
    const made = globSync("**/*.d.ts", { cwd: folder })
    return new Map(made.map((path) => [path, readFileSync(join(folder, path), "utf8")]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
