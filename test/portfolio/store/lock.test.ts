/** The lock of a folder of parts: a second run is refused, and a stale lock is taken over. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { FolderLock } from "../../../src/portfolio/store/lock.ts"
import { leftLock } from "../../support/locks.ts"
import { filesOf } from "../../support/repay.ts"

const { folder } = filesOf("lock")

describe("a folder of parts", () => {
  it("goes to exactly one of many contenders if a killed process left its lock", async () => {
    const parts = join(folder, "dead.parts")
    leftLock(parts)
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(parts)))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  it("stays with a process on another machine until its heartbeat is old", async () => {
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

  it.each(["", "{"])("is taken over after a timeout if its lock and takeover files are truncated: %j", async (text) => {
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

  it("is free after the release of its lock, and removed if empty", async () => {
    const parts = join(folder, "free.parts")
    await (await FolderLock.take(parts)).release()
    expect(existsSync(parts)).toBe(false)
    const lock = await FolderLock.take(parts)
    writeFileSync(join(parts, "some"), "")
    await lock.release()
    expect(readdirSync(parts)).toEqual(["some"])
  })

  it("is lost to a suspended run after a takeover, and the new lock stays", async () => {
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
