/**
 * `add-checkpoint` of `repay log witness`, to the letter of C2SP tlog-witness: which request gets
 * which status, what is cosigned, and what is on disk by then.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { makeAddCheckpoint, type SeenLog } from "../../src/cli/confirm/addCheckpoint.ts"
import { logFolder } from "../../src/cli/confirm/checkpointFolder.ts"
import { sha256 } from "../../src/platform/sha256.ts"
import { toBase64, utf8 } from "../../src/proof/bytes.ts"
import { cosignatureOf } from "../../src/proof/note.ts"
import { grow } from "../../src/services/log/append.ts"
import { checkpointText, makeCosigner, makeSigner, signNote } from "../../src/services/log/keys.ts"
import { consistencyProof, openTiles, servedHashes } from "../../src/services/log/tiles.ts"
import { startFakeLog } from "../support/fakeLog.ts"
import { filesOf, repay } from "../support/repay.ts"

const ORIGIN = "log.example/log"
const { folder } = filesOf("witness")
const [log, other] = await Promise.all([1, 2].map((byte) => makeSigner(ORIGIN, new Uint8Array(32).fill(byte))))
const stranger = await makeSigner("stranger.example/log", new Uint8Array(32).fill(3))
const witness = await makeCosigner("w.example/1", new Uint8Array(32).fill(4))

/** A log of `size` entries, of which those from `forkedAt` on differ. */
const treeOf = async (size: number, forkedAt = Number.POSITIVE_INFINITY) => {
  const entries = Array.from({ length: size }, (_, at) => sha256(utf8(at < forkedAt ? `${at}` : `other ${at}`)))
  const { root, tiles } = await grow(0, [], entries, sha256)
  const read = ({ level, n }: { readonly level: number | "entries"; readonly n: number }) => {
    const tile = tiles.find((one) => one.level === level && one.n === n)!
    return servedHashes(tile.level, tile.hashes, sha256)
  }
  return { size, root, hashAt: () => openTiles({ size, root }, read, sha256) }
}
type Tree = Awaited<ReturnType<typeof treeOf>>
const noteOf = (tree: { readonly size: number; readonly root: Tree["root"] }, signers = [log!]) =>
  signNote(checkpointText({ origin: ORIGIN, ...tree }), signers)
const bodyOf = (old: number, proof: ReadonlyArray<Uint8Array>, note: string) =>
  `old ${old}\n${proof.map((hash) => `${toBase64(hash)}\n`).join("")}\n${note}`
/** The request by which a log of this tree goes on from its first `old` entries. */
const growth = async (old: number, tree: Tree) =>
  bodyOf(old, old === 0 ? [] : await consistencyProof(await tree.hashAt(), old, tree.size, sha256), await noteOf(tree))

let dir: string
let seen: SeenLog
let conflicts: Array<string>
let post: (body: string) => Promise<{ readonly status: number; readonly text: string }>
let folders = 0
beforeEach(async () => {
  dir = `${folder}/${folders++}`
  const kept = logFolder(dir, process.cwd(), { flag: "--state", keepsAll: false, mode: 0o600 })
  await Effect.runPromise(kept.make)
  seen = { keys: [log!.verifierKey], folder: kept, newest: null }
  conflicts = []
  const add = makeAddCheckpoint(
    new Map([[ORIGIN, seen]]),
    witness.cosign,
    async () => undefined,
    (_, file) => Effect.sync(() => void conflicts.push(file))
  )
  post = (body) => Effect.runPromise(add(body))
})
const statusOf = async (body: string) => (await post(body)).status

describe("add-checkpoint", () => {
  it("cosigns a log that only grows, and has the checkpoint on disk by then, for its owner alone", async () => {
    let old = 0
    for (const size of [0, 1, 7, 7, 300]) {
      const tree = await treeOf(size)
      const { status, text } = await post(await growth(old, tree))
      expect(status).toBe(200)
      const note = await noteOf(tree)
      const cosigned = await cosignatureOf(note + text, witness.verifierKey)
      expect(Math.abs(cosigned!.at.getTime() - Date.now())).toBeLessThan(60_000)
      const files = readdirSync(dir)
      expect(files).toEqual([`${String(size).padStart(16, "0")}.checkpoint`])
      expect(readFileSync(join(dir, files[0]!), "utf8")).toBe(note)
      expect(statSync(join(dir, files[0]!)).mode & 0o777).toBe(0o600)
      old = size
    }
  })

  it("answers 400 for a request that is none, and for an old size above that of the checkpoint", async () => {
    const note = await noteOf(await treeOf(3))
    const hash = toBase64(new Uint8Array(32))
    for (const body of [
      "",
      note,
      `old 00\n\n${note}`,
      `old 0\n${hash.slice(4)}\n\n${note}`,
      `old 0\n${"A".repeat(44)}\n\n${note}`,
      `old 0\n${`${hash}\n`.repeat(64)}\n${note}`,
      "old 0\n\n",
      `old 4\n\n${note}`,
      `old 0\n\n${await signNote(`${ORIGIN}\n3\n`, [log!])}`
    ])
      expect(await statusOf(body), body).toBe(400)
    expect(await statusOf(`old 0\n${`${hash}\n`.repeat(63)}\n${note}`)).toBe(422)
  })

  it("answers 404 for a log that it does not know", async () => {
    const note = await signNote(checkpointText({ ...(await treeOf(3)), origin: "stranger.example/log" }), [stranger])
    expect(await statusOf(bodyOf(0, [], note))).toBe(404)
  })

  it("answers 403 without a signature by a key that it believes, and for a wrong one by such a key", async () => {
    const tree = await treeOf(3)
    expect(await statusOf(bodyOf(0, [], await noteOf(tree, [other!])))).toBe(403)
    const forged = (await noteOf(tree, [other!])) + (await log!.sign("another text\n"))
    expect(await statusOf(bodyOf(0, [], forged))).toBe(403)
    expect(await statusOf(bodyOf(0, [], await noteOf(tree, [other!, log!])))).toBe(200)
  })

  it("answers 409 with the size that it cosigned last if the old size is another", async () => {
    expect(await post(await growth(3, await treeOf(5)))).toEqual({ status: 409, text: "0\n" })
    await post(await growth(0, await treeOf(5)))
    for (const old of [0, 4, 6])
      expect(await post(await growth(old, await treeOf(9)))).toEqual({ status: 409, text: "5\n" })
  })

  it("answers 422 for a proof that does not verify, and for any proof from an empty log", async () => {
    const tree = await treeOf(9)
    await post(await growth(0, await treeOf(5)))
    const proof = await consistencyProof(await tree.hashAt(), 5, 9, sha256)
    const note = await noteOf(tree)
    for (const wrong of [[], proof.slice(1), [...proof, proof[0]!], [...proof].reverse()])
      expect(await statusOf(bodyOf(5, wrong, note))).toBe(422)
    expect(await statusOf(bodyOf(5, proof, note))).toBe(200)
    expect(readdirSync(dir)).toHaveLength(1)
  })

  it("answers 422 for an empty log with a root that is not that of the empty tree", async () => {
    expect(await statusOf(bodyOf(0, [], await noteOf({ size: 0, root: new Uint8Array(32) })))).toBe(422)
  })

  it("never cosigns a fork, and keeps two signed trees of one size as evidence, once", async () => {
    await post(await growth(0, await treeOf(5)))
    expect(await statusOf(await growth(5, await treeOf(9, 4)))).toBe(422)
    for (const forkedAt of [4, 3])
      expect(await post(await growth(5, await treeOf(5, forkedAt)))).toEqual({ status: 409, text: "5\n" })
    expect(conflicts).toEqual([join(dir, "conflict-5.txt")])
    expect(readFileSync(conflicts[0]!, "utf8").split(ORIGIN)).toHaveLength(5)
    expect(await statusOf(await growth(5, await treeOf(9)))).toBe(200)
  })

  it("lets one of many that race go on from a size, and never goes back", async () => {
    await post(await growth(0, await treeOf(5)))
    const sizes = [6, 9, 7, 12, 8]
    const bodies = await Promise.all(sizes.map(async (size) => growth(5, await treeOf(size))))
    const replies = await Promise.all(bodies.map(post))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(4)
    expect(seen.newest!.size).toBe(sizes[replies.findIndex(({ status }) => status === 200)])
  })
})

describe("the logs of a witness", () => {
  /** A start that ends because its port is taken, after it has read its logs. */
  const started = (state: string, port: string, ...logs: ReadonlyArray<string>) =>
    repay([
      ...["log", "witness", "--name", "w.example/1", "--state", join(folder, state), "--port", port],
      ...logs.flatMap((one) => ["--log", one])
    ])

  it("are read once from an address, kept for their owner alone, and never replaced", async () => {
    const fake = await startFakeLog()
    const port = new URL(fake.base).port
    const state = join(folder, "by address")
    fake.behave({ size: 0, keys: [1] })
    const first = await started("by address", port, fake.base)
    expect([first.code, first.stderr]).toEqual([3, expect.stringContaining("cannot listen")])
    const kept = join(state, readdirSync(state).find((name) => name.startsWith("keys-"))!, "key")
    const before = readFileSync(kept, "utf8")
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    expect(statSync(join(state, "witness-key")).mode & 0o777).toBe(0o600)
    fake.behave({ size: 0, keys: [2] })
    expect((await started("by address", port, fake.base)).code).toBe(3)
    expect(readFileSync(kept, "utf8")).toBe(before)
    fake.stop()
  })

  it("are refused if an address names a log that another argument names too", async () => {
    const fake = await startFakeLog()
    const port = new URL(fake.base).port
    fake.behave({ size: 0, keys: [2] })
    const { verifierKey } = await makeSigner("fake.example/log", new Uint8Array(32).fill(1))
    for (const logs of [
      [verifierKey, fake.base],
      [fake.base, verifierKey]
    ])
      expect(await started("named twice", port, ...logs)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("fake.example/log")
      })
    expect((await started("no key", port, "fake.example/log")).code).toBe(2)
    fake.stop()
  })
})
