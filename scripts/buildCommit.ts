/**
 * Writes the commit into a built package, in place of the file named by the argument: that of BUILD_COMMIT or else of the
 * checkout, marked where something is not committed. Where there is no checkout either, the package knows none.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { PROJECT } from "./programs.ts"

const DESCRIBE = ["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]

const ofCheckout = (): string | null => {
  try {
    return execFileSync("git", DESCRIBE, { cwd: PROJECT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return null
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error("name the file to write")
const commit = process.env["BUILD_COMMIT"] || ofCheckout()
writeFileSync(file, `export const buildCommit = ${JSON.stringify(commit)};\n`)
