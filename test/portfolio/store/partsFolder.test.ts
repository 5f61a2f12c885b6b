/** The folder of parts: private to its account, and harmless to anything else of that name. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { PortfolioProblem } from "../../../src/portfolio/read/problem.ts"
import { Parts } from "../../../src/portfolio/store/parts.ts"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf, repay } from "../../support/repay.ts"

const { file, folder } = filesOf("parts-folder")

const RUN = ["--threads", "1", "--plans", "standard", "--start", "2027-01", "--out"]
const run = (input: string, out: string, how: { readonly before?: () => void } = {}, ...more: ReadonlyArray<string>) =>
  repay(["portfolio", "run", input, ...RUN, out, ...more], { folder, ...how })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")
const few = file("few.ndjson", linesOfBorrowers(3))

const folderWith = (name: string, ...names: ReadonlyArray<string>): void => {
  mkdirSync(join(folder, name))
  for (const one of names) file(join(name, one), "mine")
}

const expectRefused = async (input: string, out: string, message: string) => {
  const { code, stderr } = await run(input, out)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  expect(existsSync(join(folder, out))).toBe(false)
  return stderr
}

/** Leaves a run that has computed everything and written no results; returns its input. */
const leaveRun = async (out: string): Promise<string> => {
  const input = file(`${out}.ndjson`, `${linesOfBorrowers(3)}nothing\n`)
  const { code, stderr } = await run(input, out, { before: () => void file(out, "mine") })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("The computed parts stay") })
  rmSync(join(folder, out))
  return input
}

describe("a folder with foreign files", () => {
  it("is refused, and its files stay", async () => {
    folderWith("one.csv.parts", "mine.txt", "part-000000.rows")
    mkdirSync(join(folder, "one.csv.parts", "sub"))
    await expectRefused(few, "one.csv", "one.csv.parts contains ")
    expect(readdirSync(join(folder, "one.csv.parts")).sort()).toEqual(["mine.txt", "part-000000.rows", "sub"])
  })

  it("keeps files that no run created, even after a run in it", async () => {
    const mine = () => void file(join("begun.csv.parts", "mine.txt"), "mine")
    expect((await run(few, "begun.csv", { before: mine })).code).toBe(0)
    expect(readdirSync(join(folder, "begun.csv.parts"))).toEqual(["mine.txt"])
  })
})

/** Only root can change the owner; under another account the folder becomes world-writable. */
const NOBODY = 65_534
const changeOwner = (path: string): void =>
  process.geteuid?.() === 0 ? chownSync(path, NOBODY, NOBODY) : chmodSync(path, 0o777)

describe("a folder that another account has created before the run", () => {
  it.each([
    ["another's", changeOwner],
    ["another's to write", (path: string) => chmodSync(path, 0o777)],
    ["a group's to write", (path: string) => chmodSync(path, 0o770)]
  ])("is refused and receives no rows: %s", async (name, prepare) => {
    const parts = join(folder, `${name}.csv.parts`)
    mkdirSync(parts)
    chmodSync(parts, 0o777)
    prepare(parts)
    await expectRefused(few, `${name}.csv`, `${name}.csv.parts ${name === "another's" ? "" : "is writable by other"}`)
    expect(readdirSync(parts)).toEqual([])
  })

  it("is refused even if it contains a complete run with forged rows", async () => {
    const parts = join(folder, "planted.csv.parts")
    const left = await leaveRun("planted.csv")
    file(join("planted.csv.parts", "part-000000.rows"), "B0,forged\n")
    changeOwner(parts)
    await expectRefused(left, "planted.csv", "planted.csv.parts ")
  })
})

describe("a folder in which others could replace the run's", () => {
  it("is refused if anyone may rename what is in it", async () => {
    const open = join(folder, "open")
    mkdirSync(open)
    chmodSync(open, 0o777)
    await expectRefused(few, "open/own.csv", "open is writable by everyone")
    expect(readdirSync(open)).toEqual([])
    chmodSync(open, 0o1777)
    expect((await run(few, "open/own.csv")).code).toBe(0)
  })

  it("is refused if a file of the run is a link, as another account's would be", async () => {
    const left = await leaveRun("relinked.csv")
    const part = join(folder, "relinked.csv.parts", "part-000000.rows")
    renameSync(part, join(folder, "elsewhere.rows"))
    symlinkSync(join(folder, "elsewhere.rows"), part)
    await expectRefused(left, "relinked.csv", "part-000000.rows was not made by this account")
  })
})

describe("the folder of a run", () => {
  it("is private to its account, even if it existed before", async () => {
    const modes: Array<number> = []
    const look = () => void modes.push(statSync(join(folder, "private.csv.parts")).mode & 0o777)
    await run(few, "private.csv", { before: look })
    mkdirSync(join(folder, "private.csv.parts"))
    expect((await run(few, "private.csv", { before: look }, "--overwrite")).code).toBe(0)
    expect(modes).toEqual([0o700, 0o700])
  })
})

describe("an altered part", () => {
  const forged = (path: string): string => `${readFileSync(path, "latin1").replace(/\d/, "9")} `

  it.each([
    ["csv", "rows"],
    ["csv", "rejected"],
    ["csv", "ids"],
    ["csv", "json"],
    ["parquet", "rows"]
  ])("never enters results, and is recomputed once its marker is removed: %s, %s", async (format, kind) => {
    const out = `altered-${kind}.${format}`
    const input = await leaveRun(out)
    const whole = `whole-${kind}.${format}`
    expect((await run(input, whole)).code).toBe(0)
    const part = join(folder, `${out}.parts`, `part-000000.${kind}`)
    writeFileSync(part, forged(part), "latin1")
    const message = await expectRefused(input, out, `part-000000.${kind} is not as the run wrote it`)
    expect(message).toContain(`Remove ${out}.parts/part-000000.json and run the same command again`)
    rmSync(join(folder, `${out}.parts`, "part-000000.json"))
    expect((await run(input, out)).code).toBe(0)
    expect(readFileSync(join(folder, out)).equals(readFileSync(join(folder, whole)))).toBe(true)
    expect(text(`${out}.rejected.ndjson`)).toBe(text(`${whole}.rejected.ndjson`))
  })

  it("is reported if it is missing", async () => {
    const input = await leaveRun("gone.csv")
    rmSync(join(folder, "gone.csv.parts", "part-000000.rows"))
    await expectRefused(input, "gone.csv", "part-000000.rows is not as the run wrote it")
  })
})

describe("a file or link", () => {
  it.each([
    ["file.csv", (name: string) => void file(name, "mine")],
    ["dangling.csv", (name: string) => symlinkSync(join(folder, "nowhere"), join(folder, name))],
    [
      "linked.csv",
      (name: string) => {
        folderWith("elsewhere")
        symlinkSync(join(folder, "elsewhere"), join(folder, name))
      }
    ]
  ])("is refused in place of the folder: %s", async (out, make) => {
    make(`${out}.parts`)
    await expectRefused(few, out, `${out}.parts is not a folder`)
    expect(lstatSync(join(folder, `${out}.parts`)).isDirectory()).toBe(false)
  })
})

describe("a folder that a killed run has partly removed", () => {
  it("is used again and then removed", async () => {
    const manifest = join("left.csv.parts", "run.json")
    let kept = ""
    const keep = () => {
      kept = text(manifest)
    }
    expect((await run(few, "left.csv", { before: keep })).code).toBe(0)
    const results = text("left.csv")
    folderWith("left.csv.parts", "part-000000.rows")
    file(manifest, kept)
    expect((await run(few, "left.csv", {}, "--overwrite")).code).toBe(0)
    expect(text("left.csv")).toBe(results)
    expect(readdirSync(folder).filter((name) => name.startsWith("left.csv.parts"))).toEqual([])
  })
})

it("the advice for parts of another run is removal, except if answers are recorded", async () => {
  const parts = join(folder, "other.csv.parts")
  mkdirSync(parts)
  await Parts.open(parts, { release: "one" })
  const messages = () => Parts.open(parts, { release: "two" }).catch(({ lines }: PortfolioProblem) => lines)
  const begun = `${parts} contains a run started with different options: release (one before, two now).`
  expect(await messages()).toEqual([begun, "Continue it as it was started, or remove the folder to start over."])
  const manifest = text(join("other.csv.parts", "run.json"))
  file(join("other.csv.parts", "run.json"), "{")
  const damaged = `${join(parts, "run.json")} is damaged. It describes the run whose parts are next to it.`
  expect(await messages()).toEqual([damaged, "Restore it, or remove the folder to start over."])
  file(join("other.csv.parts", "run.json"), manifest)
  file(join("other.csv.parts", "part-000000.journal"), "")
  expect(await messages()).toEqual([
    begun,
    "Continue it as it was started. Do not remove the folder: it contains recorded answers and the only proof of them."
  ])
})
