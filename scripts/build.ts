/**
 * Makes both packages: the main one in dist, with the commit that it was built from, and that of
 * the small client in dist/client. Prints to standard error alone: npm pack, which builds, prints
 * what it packed as JSON.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeClientPackage } from "./client/package.ts"
import { PROJECT, run } from "./harness.ts"

const DIST = join(PROJECT, "dist")
const DESCRIBE = ["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]

/**
 * That of BUILD_COMMIT or else of the checkout, marked where something is not committed; null where
 * neither is known.
 */
const commit = async (): Promise<string | null> =>
  process.env["BUILD_COMMIT"] ||
  run(["git", ...DESCRIBE]).then(
    (said) => said.trim(),
    () => null
  )

export default async () => {
  rmSync(DIST, { recursive: true, force: true })
  await run([process.execPath, "node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"])
  for (const file of ["src/web/generated", "src/web/page.css"])
    cpSync(join(PROJECT, file), join(DIST, file), { recursive: true })
  const built = `export const buildCommit = ${JSON.stringify(await commit())};\n`
  writeFileSync(join(DIST, "src/platform/buildCommit.js"), built)
  const folder = join(DIST, "client")
  console.error(`made ${await writeClientPackage(folder)}; in your own project: npm install ${folder}`)
}
