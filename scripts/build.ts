/**
 * The `build` task: builds the main package in dist, stamped with its commit and with its guides
 * rendered, and the packages of client and engine in dist/client and dist/engine. Prints only to
 * standard error, because `npm pack` runs it and prints JSON itself.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { guides } from "../src/http/pages/guides/files.ts"
import { render } from "../src/http/pages/guides/render.ts"
import { DOCUMENT_STYLES, STYLES } from "../src/web/index.ts"
import { writeClientPackage } from "./client/package.ts"
import { PROJECT, run } from "./harness.ts"
import { writeEnginePackage } from "./pack/engine.ts"

const DIST = join(PROJECT, "dist")
const DESCRIBE = ["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]

/**
 * BUILD_COMMIT, or else the commit of the checkout, marked if something is not committed. Null if
 * neither is known.
 */
const commit = async (): Promise<string | null> =>
  process.env["BUILD_COMMIT"] ||
  run(["git", ...DESCRIBE]).then(
    (output) => output.trim(),
    () => null
  )

export default async () => {
  rmSync(DIST, { recursive: true, force: true })
  await run([process.execPath, "node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"])
  for (const file of new Set(
    ["generated", "favicon.svg", ...STYLES, ...DOCUMENT_STYLES].map((name) => `src/web/${name}`)
  ))
    cpSync(join(PROJECT, file), join(DIST, file), { recursive: true })
  for (const { file } of guides) cpSync(join(PROJECT, "docs", file), join(DIST, "docs", file))
  const articles = JSON.stringify(Object.fromEntries(guides.map((guide) => [guide.file, render(guide)])))
  const rendered = `const articles = ${articles};\nexport const rendered = ({ file }) => articles[file];\n`
  writeFileSync(join(DIST, "src/http/pages/guides/rendered.js"), rendered)
  const built = `export const buildCommit = ${JSON.stringify(await commit())};\n`
  writeFileSync(join(DIST, "src/platform/buildCommit.js"), built)
  const folders = ["client", "engine"].map((name) => join(DIST, name)) as [string, string]
  const made = [await writeClientPackage(folders[0]), await writeEnginePackage(folders[1], DIST)]
  for (const [index, folder] of folders.entries())
    console.error(`made ${made[index]}; in your own project: npm install ${folder}`)
}
