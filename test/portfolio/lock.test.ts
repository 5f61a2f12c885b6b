/** One run at a time in a folder: a second one is refused, and what a killed one has left keeps nobody waiting. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Holder, thisProcess } from "../../src/portfolio/holder.ts"
import { FolderLock } from "../../src/portfolio/lock.ts"
import { filesOf } from "../support/repay.ts"

const { file, folder } = filesOf("lock")

/** A folder with the lock of such a process, which is not this one. */
const heldBy = (name: string, holder: Partial<Holder>) => {
  const parts = join(folder, name)
  mkdirSync(parts)
  return { parts, lock: file(join(name, "lock-1"), { ...thisProcess(), ...holder }) }
}

describe("a folder of parts", () => {
  it("goes to one alone of many that find it left by a process that was killed", async () => {
    const { parts } = heldBy("dead.parts", { began: "1" })
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(parts)))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  it.each(["lock-007", "lock-0"])("is not taken for a run's where %s is in it, which no run makes", async (name) => {
    const of = join(folder, `${name}.parts`)
    mkdirSync(of)
    file(join(`${name}.parts`, name), {})
    await expect(FolderLock.take(of)).rejects.toMatchObject({ lines: [expect.stringContaining(`holds ${name}`)] })
  })

  it("is free again when the lock is given up, and gone with it where nothing is in it", async () => {
    const parts = join(folder, "free.parts")
    await (await FolderLock.take(parts)).release()
    expect(existsSync(parts)).toBe(false)
    const lock = await FolderLock.take(parts)
    writeFileSync(join(parts, "some"), "")
    await lock.release()
    expect(readdirSync(parts)).toEqual(["some"])
  })
})
