/** One run at a time in a folder: a second one is refused, and what a killed one has left keeps nobody waiting. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { FolderLock } from "../../../src/portfolio/store/lock.ts"
import { leftLock } from "../../support/locks.ts"
import { filesOf } from "../../support/repay.ts"

const { folder } = filesOf("lock")

describe("a folder of parts", () => {
  it("goes to one alone of many that find it left by a process that was killed", async () => {
    const parts = join(folder, "dead.parts")
    leftLock(parts)
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(parts)))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  it("stays a process's on another machine that shows itself, and is taken over when that has been silent", async () => {
    const parts = join(folder, "elsewhere.parts")
    const lock = leftLock(parts, { place: "another", host: "other.example" })
    await expect(FolderLock.take(parts)).rejects.toMatchObject({
      lines: [expect.stringContaining("of other.example")]
    })
    const earlier = new Date(Date.now() - 31_000)
    utimesSync(lock, earlier, earlier)
    await (await FolderLock.take(parts)).release()
    expect(existsSync(parts)).toBe(false)
  })

  it.each(["", "{"])("is taken over where its lock, and the lock of a takeover, were cut: %j", async (text) => {
    const parts = join(folder, "cut.parts")
    const lock = leftLock(parts)
    const earlier = new Date(Date.now() - 31_000)
    for (const file of [lock, join(parts, "takeover")]) {
      writeFileSync(file, text)
      await expect(FolderLock.take(parts)).rejects.toMatchObject({ lines: [expect.stringContaining("another run")] })
      utimesSync(file, earlier, earlier)
    }
    await (await FolderLock.take(parts)).release()
    expect(existsSync(parts)).toBe(false)
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

  it("is no longer held by a run that was suspended while another took over, whose lock stays", async () => {
    const parts = join(folder, "suspended.parts")
    const suspended = await FolderLock.take(parts)
    await suspended.expectHeld()
    rmSync(join(parts, "lock"))
    const other = await FolderLock.take(parts)
    await expect(suspended.expectHeld()).rejects.toMatchObject({ lines: [expect.stringContaining("was suspended")] })
    const text = readFileSync(join(parts, "lock"), "utf8")
    await suspended.release()
    expect(readFileSync(join(parts, "lock"), "utf8")).toBe(text)
    await other.release()
  })
})
