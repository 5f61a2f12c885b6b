/** Tests of the Node that the npm scripts run under, including an install without npm's Node. */
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

const nodes: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("scripts/node/package.json", "utf8")
).optionalDependencies

describe("the lock file", () => {
  it("contains the Node that runs npm's scripts, if npm has one for this system", () => {
    const name = `node-${process.platform}-${process.arch}`
    const isOffered = Object.hasOwn(nodes, name)
    // Not the link in node_modules/.bin, which npm 10 does not keep.
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
    const used = spawnSync("sh", ["scripts/with-node", "node", "-p", "process.execPath"], { env, encoding: "utf8" })
    const expected = isOffered ? resolve("node_modules", name, "bin", "node") : process.execPath
    expect(used.stdout.trim()).toBe(realpathSync(expected))
  })
})
describe("a script without npm's Node", () => {
  const project = mkdtempSync(join(tmpdir(), "with-node-"))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  mkdirSync(join(project, "scripts"))
  copyFileSync("scripts/with-node", join(project, "scripts", "with-node"))

  /** Runs the script on a system whose Node claims this version. */
  const runUnder = (version: string) => {
    const fakeVersion = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`
    const start = `#!/bin/sh\nexec ${process.execPath} '--import=data:text/javascript,${encodeURIComponent(fakeVersion)}' "$@"\n`
    writeFileSync(join(project, "node"), start, { mode: 0o755 })
    const args = [join(project, "scripts", "with-node"), "node", "-p", "process.versions.node"]
    const { status, stderr, stdout } = spawnSync("sh", args, {
      env: { PATH: `${project}:/usr/bin:/bin` },
      encoding: "utf8"
    })
    return { status, stdout: stdout.trim(), lines: stderr.split("\n").filter((line) => line !== "") }
  }

  it.each(["20.20.2", "22.18.0", "24.1.0"])("is refused under %s in one line that says what to do", (version) => {
    const { lines, status, stdout } = runUnder(version)
    expect([status, stdout]).toEqual([1, ""])
    expect(lines).toEqual([expect.stringMatching(`24\\.2.*${version}.*npm ci.*install Node 24`)])
  })

  it.each(["24.2.0", "26.0.0"])("runs under %s", (version) => {
    expect(runUnder(version)).toEqual({ status: 0, stdout: version, lines: [] })
  })
})
