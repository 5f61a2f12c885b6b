/**
 * The `build` task: builds the main package in dist, stamped with its commit, and the client
 * package in dist/client. Prints only to standard error, because `npm pack` runs it and prints JSON
 * itself.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DOCUMENT_STYLES, STYLES } from "../src/web/frame.ts"
import { writeClientPackage } from "./client/package.ts"
import { PROJECT, run } from "./harness.ts"

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
  cpSync(join(PROJECT, "docs"), join(DIST, "docs"), { recursive: true, filter: (name) => /docs$|\.md$/.test(name) })
  const built = `export const buildCommit = ${JSON.stringify(await commit())};\n`
  writeFileSync(join(DIST, "src/platform/buildCommit.js"), built)
  const folder = join(DIST, "client")
  console.error(`made ${await writeClientPackage(folder)}; in your own project: npm install ${folder}`)
}
