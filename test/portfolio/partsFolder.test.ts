/** A run's folder of parts takes nothing away from somebody whose folder, or file, has that name. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { PortfolioProblem } from "../../src/portfolio/input/input.ts"
import { Parts } from "../../src/portfolio/parts.ts"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { filesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("parts-folder")

const RUN = ["--threads", "1", "--plans", "standard", "--start", "2027-01", "--out"]
const run = (input: string, out: string) => repay(["portfolio", "run", input, ...RUN, out], { folder })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")
const few = file("few.ndjson", linesOfBorrowers(3))

const folderWith = (name: string, ...names: ReadonlyArray<string>): void => {
  mkdirSync(join(folder, name))
  for (const one of names) file(join(name, one), "mine")
}

const expectRefused = async (input: string, out: string, said: string) => {
  const { code, stderr } = await run(input, out)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) })
  expect(existsSync(join(folder, out))).toBe(false)
}

describe("a folder that is somebody else's", () => {
  it.each(["one.csv.parts", "two.csv.parts.done"])("is refused, and what is in it stays: %s", async (name) => {
    folderWith(name, "mine.txt", "part-000000.rows")
    mkdirSync(join(folder, name, "sub"))
    await expectRefused(few, name.slice(0, "one.csv".length), `${name} holds `)
    expect(readdirSync(join(folder, name)).sort()).toEqual(["mine.txt", "part-000000.rows", "sub"])
  })

  it("is kept with what a run has not made, also where one was begun", async () => {
    folderWith("begun.csv.parts.done", "run.json", "part-000000.rows", "mine.txt")
    await expectRefused(few, "begun.csv", "begun.csv.parts.done holds mine.txt")
    expect(readdirSync(join(folder, "begun.csv.parts.done"))).toEqual(["mine.txt"])
    expect(existsSync(join(folder, "begun.csv.parts"))).toBe(false)
  })
})

describe("what is no folder", () => {
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
  ])("is refused where the folder would be: %s", async (out, make) => {
    make(`${out}.parts`)
    await expectRefused(few, out, `${out}.parts is there and no folder`)
    expect(lstatSync(join(folder, `${out}.parts`)).isDirectory()).toBe(false)
  })
})

describe("an input in a folder of parts", () => {
  it.each(["in.csv.parts", "in.csv.parts.done"])("is refused: %s", async (name) => {
    folderWith(name, "run.json")
    const input = file(join(name, "part-0.ndjson"), linesOfBorrowers(3))
    await expectRefused(input, "in.csv", `part-0.ndjson lies in`)
    expect(text(join(name, "part-0.ndjson"))).toBe(linesOfBorrowers(3))
  })
})

describe("what a killed run has left of its folder", () => {
  it("is removed", async () => {
    folderWith("left.csv.parts.done", "run.json", "part-000000.rows", "lock-1")
    expect((await run(few, "left.csv")).code).toBe(0)
    expect(readdirSync(folder).filter((name) => name.startsWith("left.csv.parts"))).toEqual([])
  })
})

it("parts that a run cannot go on with may be removed, and never where answers of record are among them", async () => {
  const parts = join(folder, "other.csv.parts")
  await Parts.open(parts, { release: "one" })
  const told = () => Parts.open(parts, { release: "two" }).catch(({ lines }: PortfolioProblem) => lines)
  const begun = `${parts} holds a run that was begun otherwise: release (one, and this is two).`
  expect(await told()).toEqual([begun, "Go on as it was begun, or remove the folder to begin anew."])
  const manifest = text(join("other.csv.parts", "run.json"))
  file(join("other.csv.parts", "run.json"), "{")
  const damaged = `${join(parts, "run.json")} is damaged: it says what the parts beside it are of.`
  expect(await told()).toEqual([damaged, "Bring it back as it was, or remove the folder to begin anew."])
  file(join("other.csv.parts", "run.json"), manifest)
  file(join("other.csv.parts", "part-000000.journal"), "")
  expect(await told()).toEqual([
    begun,
    "Go on as it was begun: it holds answers that are recorded, and what proves them is nowhere else."
  ])
})
