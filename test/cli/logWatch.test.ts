/**
 * `repay log watch` on a log that misbehaves, and on one that is only busy: its files and messages.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Behavior, startFakeLog } from "../support/fakeLog.ts"
import { SHORT_DEADLINES } from "../support/hurried.ts"
import { filesOf, repay } from "../support/repay.ts"

const { folder } = filesOf("watch")
let fake: Awaited<ReturnType<typeof startFakeLog>>
beforeAll(async () => {
  fake = await startFakeLog()
  expect((await watcher(KEPT).look({ size: 300 })).code).toBe(0)
})
afterAll(() => fake.stop())

/** The folder that one look at 300 records leaves, where many tests begin. */
const KEPT = "kept 300"
const watcherSince300 = (name: string) => {
  const watching = watcher(name)
  cpSync(join(folder, KEPT), watching.dir, { recursive: true })
  return watching
}

/** A folder of its own, and a look at the log under a given behavior. */
const watcher = (name: string) => {
  const dir = join(folder, name)
  return {
    dir,
    look: async (behavior: Behavior, ...args: ReadonlyArray<string>) => {
      fake.behave(behavior)
      const watching = ["log", "watch", "--url", fake.base, "--out", dir, "--every", "0"]
      const { code, stderr } = await repay([...watching, ...args], { clock: SHORT_DEADLINES })
      return { code, stderr }
    },
    kept: () =>
      readdirSync(dir)
        .sort()
        .filter((file) => file !== "key")
        .map((file) => file.replace(/^0+(?=\d)/, "")),
    read: (file: string) => readFileSync(join(dir, file), "utf8")
  }
}

const ends = (code: number, message: RegExp) => ({ code, stderr: expect.stringMatching(message) })

const sizesIn = (text: string) => [...text.matchAll(/^fake\.example\/log\n(\d+)$/gm)].map(([, size]) => Number(size))

describe("a log that only grows", () => {
  it("is kept from size 0 on, and once for each size", async () => {
    const { kept, look } = watcher("grows")
    for (const size of [0, 300, 300, 600]) expect((await look({ size })).code).toBe(0)
    expect(kept()).toEqual(["0.checkpoint", "300.checkpoint", "600.checkpoint"])
  })
})

describe("a smaller checkpoint from a cache", () => {
  it("is harmless, and the current checkpoint is kept", async () => {
    const { kept, look } = watcherSince300("stale")
    for (const size of [300, 400]) {
      expect(await look({ size, cached: { size: 290 } })).toEqual({ code: 0, stderr: "" })
    }
    expect(kept()).toEqual(["300.checkpoint", "400.checkpoint"])
  })

  it("is reported if the log never had it, though it disappears again", async () => {
    const { kept, look, read } = watcherSince300("stale fork")
    expect(await look({ size: 400, cached: { size: 290, forkedAt: 200 } })).toEqual(
      ends(1, /TWO HISTORIES: its checkpoint over 290 .*does not agree with the one over 400 that came next/)
    )
    expect(kept()).toEqual(["300.checkpoint", "conflict-290.txt"])
    expect(sizesIn(read("conflict-290.txt"))).toEqual([400, 290])
  })

  it("does not hide a fork or a failing service", async () => {
    const { kept, look } = watcherSince300("stale and forked")
    expect((await look({ size: 400, tileStatus: 503, cached: { size: 290 } })).code).toBe(3)
    expect(kept()).toEqual(["300.checkpoint", "unchecked.note"])
    // The checkpoint from before the tiles failed is checked too, and the forked log cannot prove it.
    expect(await look({ size: 400, forkedAt: 295, cached: { size: 290 } })).toEqual(
      ends(1, /CANNOT PROVE.*over 290 .*over 400 that came next/)
    )
    expect(await look({ size: 400, forkedAt: 295, cached: { size: 290 } })).toEqual(
      ends(1, /TWO HISTORIES.*over 400 .*over 300 that was kept/)
    )
    expect(kept()).toEqual(["300.checkpoint", "conflict-290.txt", "conflict-400.txt", "unchecked.note"])
  })

  it("leads to another fetch, which reports a fork signed meanwhile", async () => {
    const { kept, look, read } = watcherSince300("passing fork")
    const fork = { size: 295, forkedAt: 200 }
    expect(await look({ size: 400, cached: { size: 290 }, passing: [fork] })).toEqual(
      ends(1, /TWO HISTORIES: its checkpoint over 295 .*does not agree with the one over 400 that came next/)
    )
    expect(sizesIn(read("conflict-295.txt"))).toEqual([400, 295])
    expect((await look({ size: 400 })).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint", "400.checkpoint", "conflict-295.txt"])
  })

  it("is kept with all later ones if tiles fail, and all are checked at the next look", async () => {
    const { kept, look, read } = watcherSince300("passing fork, busy")
    const passing = [{ size: 295, forkedAt: 200 }]
    expect((await look({ size: 400, tileStatus: 503, cached: { size: 290 }, passing })).code).toBe(3)
    expect(sizesIn(read("unchecked.note"))).toEqual([290, 295, 400])
    expect(await look({ size: 500 })).toEqual(ends(1, /TWO HISTORIES.*over 295 .*over 400/))
    expect(kept()).toEqual(["300.checkpoint", "conflict-295.txt", "unchecked.note"])
    expect((await look({ size: 500 })).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint", "500.checkpoint", "conflict-295.txt"])
  })

  it("is reported with all other smaller ones if none as long follows", async () => {
    const { kept, look, read } = watcherSince300("back and forked")
    expect(await look({ size: 290, passing: [{ size: 280, forkedAt: 100 }] })).toEqual(
      ends(1, /ROLLBACK\): its checkpoint over 290 .*All of them/)
    )
    expect(kept()).toEqual(["300.checkpoint", "conflict-290.txt"])
    expect(sizesIn(read("conflict-290.txt"))).toEqual([300, 290, 280])
  })
})

describe("a log that changes its history [F27]", () => {
  const twoHistories = (size: number) =>
    new RegExp(`THE LOG HAS TWO HISTORIES.*over ${size} .*does not agree.*over 300`)
  const UNPROVEN = /CANNOT PROVE THAT IT ONLY GREW \(tile\/.* is not served\)/

  it.each<[string, Behavior, RegExp]>([
    ["at the same size", { size: 300, forkedAt: 200 }, twoHistories(300)],
    ["and has grown", { size: 400, forkedAt: 200 }, twoHistories(400)],
    ["and serves no tiles", { size: 400, forkedAt: 200, tileStatus: 404 }, UNPROVEN],
    ["and refuses tiles", { size: 400, forkedAt: 200, tileStatus: 403 }, UNPROVEN],
    ["by going back", { size: 290 }, /GONE BACK \(ROLLBACK\): its checkpoint over 290 .*over 300 that was kept/],
    ["by going back to nothing", { size: 0 }, /GONE BACK \(ROLLBACK\): its checkpoint over 0 /]
  ])("%s is reported, and both checkpoints are kept", async (how, behavior, message) => {
    const { kept, look, read } = watcherSince300(how)
    const file = `conflict-${behavior.size}.txt`
    for (const _ of [1, 2]) {
      expect(await look(behavior)).toEqual(ends(1, message))
      expect(kept()).toEqual(["300.checkpoint", file])
      expect(sizesIn(read(file))).toEqual([300, behavior.size])
    }
  })

  it("twice leaves two conflict files, and overwrites no evidence", async () => {
    const { kept, look, read } = watcherSince300("twice")
    await look({ size: 400, forkedAt: 200 })
    const first = read("conflict-400.txt")
    expect((await look({ size: 400, forkedAt: 100 })).code).toBe(1)
    expect(read("conflict-400.txt")).toBe(first)
    expect(kept()).toEqual([
      "300.checkpoint",
      expect.stringMatching(/^conflict-400-[0-9a-f]{8}\.txt$/),
      "conflict-400.txt"
    ])
  })

  it("while its tiles fail is reported later, though it shows the true history again", async () => {
    const { kept, look, read } = watcherSince300("busy fork")
    expect((await look({ size: 400, forkedAt: 200, tileStatus: 503 })).code).toBe(3)
    expect(await look({ size: 500 })).toEqual(ends(1, /THE LOG CANNOT PROVE THAT IT ONLY GREW/))
    expect(sizesIn(read("conflict-400.txt"))).toEqual([300, 400])
    expect((await look({ size: 500 })).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint", "500.checkpoint", "conflict-400.txt"])
  })
})

describe("a checkpoint signed by another key", () => {
  it("is not trusted, and is kept as evidence", async () => {
    const { kept, look, read } = watcherSince300("key")
    expect(await look({ size: 310, keys: [2] })).toEqual(ends(1, /cannot be trusted: no trusted key.*refused-310\.txt/))
    expect(kept()).toEqual(["300.checkpoint", "refused-310.txt"])
    expect(sizesIn(read("refused-310.txt"))).toEqual([310])
  })

  it("is accepted if the trusted key signs too, or once its own key is named", async () => {
    const { kept, look } = watcherSince300("rotation")
    expect((await look({ size: 310, keys: [2, 1] })).code).toBe(0)
    expect((await look({ size: 320, keys: [2] })).code).toBe(1)
    const named = (await (await fetch(`${fake.base}/log/key`)).text()).trim()
    expect((await look({ size: 320, keys: [2] }, "--key", named)).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint", "310.checkpoint", "320.checkpoint", "refused-320.txt"])
  })
})

describe("a temporary failure", () => {
  it.each([429, 503])("of a tile, %i, exits with 3, and the checkpoint is checked at the next look", async (status) => {
    const { kept, look } = watcherSince300(`tile ${status}`)
    expect(await look({ size: 400, tileStatus: status })).toEqual(ends(3, new RegExp(`has status ${status}`)))
    expect(kept()).toEqual(["300.checkpoint", "unchecked.note"])
    expect((await look({ size: 500 })).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint", "400.checkpoint", "500.checkpoint"])
  })

  it("of the first look leaves nothing that is trusted later", async () => {
    const { dir, kept, look } = watcher("first")
    expect((await look({ size: 300, keyStatus: 503 })).code).toBe(3)
    expect((await look({ size: 300, keys: [] })).code).toBe(3)
    expect(readdirSync(dir)).toEqual([])
    expect((await look({ size: 300, checkpointStatus: 503 })).code).toBe(3)
    const page = { size: 300, checkpoint: "<html>Sign in</html>" }
    expect(await look(page)).toEqual(ends(3, /did not send a checkpoint/))
    expect((await look({ size: 300 })).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint"])
  })
})

describe("a damaged folder", () => {
  it("is refused with the name of a torn checkpoint, and works once that is removed", async () => {
    const { dir, kept, look } = watcherSince300("torn")
    await look({ size: 310 })
    const torn = join(dir, "0000000000000310.checkpoint")
    writeFileSync(torn, "")
    expect(await look({ size: 320 })).toEqual(ends(2, /0310\.checkpoint: is damaged, or signed by.*move it away/s))
    rmSync(torn)
    expect((await look({ size: 320 })).code).toBe(0)
    expect(kept()).toEqual(["300.checkpoint", "320.checkpoint"])
  })

  it("is refused if its key file is empty, and no other key is trusted", async () => {
    const { dir, kept, look } = watcher("emptied")
    mkdirSync(dir)
    writeFileSync(join(dir, "key"), "\n")
    expect(await look({ size: 300, keys: [2] })).toEqual(ends(2, /key: is empty, but should contain the trusted keys/))
    expect(kept()).toEqual([])
  })
})
