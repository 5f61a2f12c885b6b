/**
 * Tests of trees, tiles, checkpoints and receipts of the log: they match RFC 6962 and C2SP, they
 * verify, and they are refused with any changed byte.
 */
import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Bytes, textOf } from "../../src/proof/bytes.ts"
import { openCheckpoint, openReceipt } from "../../src/proof/checkpoint.ts"
import { openNote } from "../../src/proof/note.ts"
import { checkConsistency, checkInclusion } from "../../src/proof/tree.ts"
import { grow } from "../../src/services/log/append.ts"
import { checkpointText, makeSigner, receiptText, signNote } from "../../src/services/log/keys.ts"
import {
  consistencyProof,
  edgeOf,
  entryBundle,
  inclusionProof,
  openTiles,
  parseTilePath,
  rootOf,
  type StoredTile,
  servedHashes,
  type Tile,
  tilePath,
  tilesAbove,
  tileWidth
} from "../../src/services/log/tiles.ts"
import { isThorough, newSeedOr, runs } from "../../test/support/random.ts"
import { type Entries, isIncluded, isSigned, leafOf, MTH, PATH, PROOF, tileOf } from "./oracle.ts"

const RUNS = runs(10, 30)
const seed = newSeedOr(20261124)
const MAX_SIZE = 700

const sha256 = (bytes: Bytes): Bytes => new Uint8Array(createHash("sha256").update(bytes).digest())
const bytesOf = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)
const all = (hashes: ReadonlyArray<Uint8Array>): ReadonlyArray<Bytes> => hashes.map(bytesOf)
const entriesOf = (count: number): Entries =>
  Array.from({ length: count }, (_, index) => createHash("sha256").update(`record ${index}`).digest())
const ENTRIES = entriesOf(MAX_SIZE)
const treeOf = (size: number) => ({ size, root: bytesOf(MTH(ENTRIES.slice(0, size))) })

const readOracle = (tile: Tile) => bytesOf(tileOf(ENTRIES, Number(tile.level), tile.n, tile.width))
const open = (size: number, read = readOracle) => openTiles(treeOf(size), read, sha256)
const isRefused = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true
  )
const size = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.constantFrom(255, 256, 257, 512),
  fc.integer({ min: 1, max: MAX_SIZE })
)
/** A size, an index below it, and an earlier size. */
const sizes = size.chain((n) =>
  fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n - 1 }), fc.integer({ min: 1, max: n }))
)
const check = <A>(one: fc.Arbitrary<A>, law: (one: A) => Promise<void>) =>
  fc.assert(fc.asyncProperty(one, law), { numRuns: RUNS, seed })

/** Copies with one flipped bit: one bit per byte, or every bit in the second tier. */
const changes = function* (bytes: Uint8Array): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 1; bit < 256; bit *= 2) {
      if (!isThorough && bit !== 1 << (at % 8)) continue
      const changed = bytesOf(bytes)
      changed[at]! ^= bit
      yield changed
    }
  }
}

/** Expects a text to be refused with any one byte changed, missing or added. */
const expectGuarded = async (text: string, open: (text: string) => Promise<unknown>) => {
  const bytes = Buffer.from(text)
  const refused = (other: Uint8Array) => isRefused(Promise.resolve(other).then((given) => open(textOf(given))))
  for (const changed of changes(bytes)) expect(await refused(changed)).toBe(true)
  for (let at = 0; at < bytes.length; at++) {
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    expect(await refused(Buffer.concat([before, after.subarray(1)]))).toBe(true)
    for (const added of [after.subarray(0, 1), Buffer.from("A")])
      expect(await refused(Buffer.concat([before, added, after]))).toBe(true)
  }
}

describe("trees and proofs", () => {
  it("match RFC 6962 and verify in the oracle and in the service", () =>
    check(sizes, async ([n, index, first]) => {
      const D = ENTRIES.slice(0, n)
      const hashAt = await open(n)
      expect(await rootOf(hashAt, first, sha256)).toEqual(treeOf(first).root)
      const inclusion = await inclusionProof(hashAt, index, n, sha256)
      expect(inclusion).toEqual(all(PATH(index, D)))
      expect(isIncluded(index, n, leafOf(D[index]!), inclusion, MTH(D))).toBe(true)
      await checkInclusion(treeOf(n), index, bytesOf(leafOf(D[index]!)), inclusion)
      const consistency = await consistencyProof(hashAt, first, n, sha256)
      expect(consistency).toEqual(all(PROOF(first, D)))
      await checkConsistency(treeOf(first), treeOf(n), consistency)
    }))

  it("from a size need only the tiles at its edge and at the edge of the tree, as the service sends witnesses", () =>
    check(sizes, async ([n, _, first]) => {
      const edges = [...tilesAbove(n), ...tilesAbove(first)].map(({ level, n }) => `${level}/${n}`)
      const read = (tile: Tile) => {
        expect(edges).toContain(`${tile.level}/${tile.n}`)
        return readOracle(tile)
      }
      const consistency = await consistencyProof(await open(n, read), first, n, sha256)
      await checkConsistency(treeOf(first), treeOf(n), consistency)
    }))

  it("are refused with another entry, index, size or root, and with an added, missing or changed hash", () =>
    check(fc.tuple(sizes, fc.nat(), fc.integer({ min: 0, max: 255 })), async ([[n, index, first], place, byte]) => {
      const D = ENTRIES.slice(0, n)
      const leaf = bytesOf(leafOf(D[index]!))
      const [path, proof] = [all(PATH(index, D)), all(PROOF(first, D))]
      const refusedInclusion = (at: number, of: Bytes, hashes: ReadonlyArray<Bytes>, tree = treeOf(n)) =>
        isRefused(checkInclusion(tree, at, of, hashes))
      const changed = (hashes: ReadonlyArray<Bytes>) =>
        hashes.map((hash, at) => {
          const other = bytesOf(hash)
          if (at === place % hashes.length) other[byte % 32]! ^= 1 + (byte % 255)
          return other
        })
      expect(await refusedInclusion(index, bytesOf(leafOf(Buffer.from("another"))), path)).toBe(true)
      expect(await refusedInclusion(index, leaf, [...path, leaf])).toBe(true)
      expect(await refusedInclusion(n, leaf, path)).toBe(true)
      if (n > 1) {
        expect(await refusedInclusion((index + 1) % n, leaf, path)).toBe(true)
        expect(await refusedInclusion(index, leaf, path.slice(1))).toBe(true)
        expect(await refusedInclusion(index, leaf, changed(path))).toBe(true)
        expect(await refusedInclusion(index, leaf, path, treeOf(n - 1))).toBe(true)
      }
      const refusedConsistency = (hashes: ReadonlyArray<Bytes>, earlier = treeOf(first)) =>
        isRefused(checkConsistency(earlier, treeOf(n), hashes))
      expect(await refusedConsistency([...proof, leaf])).toBe(true)
      expect(await refusedConsistency(proof, { size: first, root: leaf.map((one) => one ^ 1) })).toBe(true)
      expect(await refusedConsistency(proof, { ...treeOf(first), size: n + 1 })).toBe(true)
      if (proof.length > 0) {
        expect(await refusedConsistency(proof.slice(1))).toBe(true)
        expect(await refusedConsistency(changed(proof))).toBe(true)
      }
    }))
})

describe("tiles", () => {
  it("match C2SP for any growth of the tree", () =>
    check(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 4 }), async (steps) => {
      const stored = new Map<string, StoredTile>()
      let from = 0
      for (const step of steps) {
        const to = Math.min(MAX_SIZE, from + step)
        const edge = edgeOf(from).map(({ level, n }) => stored.get(`${level}/${n}`)!)
        const { root, tiles } = await grow(from, edge, all(ENTRIES.slice(from, to)), sha256)
        for (const tile of tiles) stored.set(`${tile.level}/${tile.n}`, tile)
        from = to
        expect(root).toEqual(treeOf(from).root)
      }
      for (const { hashes, level, n } of stored.values()) {
        const width = tileWidth(from, level, n)
        expect(await servedHashes(level, hashes, sha256)).toEqual(bytesOf(tileOf(ENTRIES, level, n, width)))
      }
      const widths = [0, 1, 2].flatMap((level) => [0, 1, 2].map((n) => tileWidth(from, level, n)))
      expect(stored.size).toBe(widths.filter((width) => width > 0).length)
    }))

  it("have the paths of C2SP, one path per tile and one tile per path", () => {
    const path = (level: Tile["level"], n: number, width = 256) => tilePath({ level, n, width })
    expect(path(0, 1_234_067)).toBe("tile/0/x001/x234/067")
    expect(path(1, 0, 17)).toBe("tile/1/000.p/17")
    expect(path("entries", 273, 112)).toBe("tile/entries/273.p/112")
    const widths = [0, 1, 2].map((level) => tileWidth(70_000, level, [273, 1, 0][level]!))
    expect(widths).toEqual([112, 17, 1])
    const tile = fc.tuple(fc.constantFrom(0, 5, 63, "entries" as const), fc.nat(), fc.integer({ min: 1, max: 256 }))
    fc.assert(
      fc.property(tile, ([level, n, width]) => {
        expect(parseTilePath(path(level, n, width))).toEqual({ level, n, width })
      })
    )
    const none =
      "0/0 0/0000 00/000 64/000 0/x000/001 0/000.p/0 0/000.p/256 0/000.p/01 0/001/ 8/0/000 -1/000 0/000.p/300"
    for (const one of none.split(" ")) expect([one, parseTilePath(`tile/${one}`)]).toEqual([one, undefined])
  })

  it("of entries are bundles of length-prefixed entries", () => {
    const bundle = Buffer.concat(ENTRIES.slice(0, 3).flatMap((entry) => [Buffer.of(0, 32), entry]))
    expect(entryBundle(Buffer.concat(ENTRIES.slice(0, 3)))).toEqual(bytesOf(bundle))
  })

  it("are refused with a changed byte", async () => {
    const n = 258
    for (const [level, width] of [
      [0, 2],
      [1, 1]
    ] as const) {
      const at = level === 0 ? 1 : 0
      for (const changed of changes(tileOf(ENTRIES, level, at, width))) {
        expect(
          await isRefused(open(n, (tile) => (tile.level === level && tile.n === at ? changed : readOracle(tile))))
        ).toBe(true)
      }
    }
    // The full tile is not needed for the root, so the change shows only when one of its hashes is
    // read.
    const full = tileOf(ENTRIES, 0, 0, 256)
    for (let place = 0; place < full.length; place += isThorough ? 7 : 63) {
      const changed = bytesOf(full)
      changed[place]! ^= 1 << (place % 8)
      const hashAt = await open(n, (tile) => (tile.level === 0 && tile.n === 0 ? changed : readOracle(tile)))
      expect(await isRefused(Promise.resolve(hashAt(0, 255)))).toBe(true)
    }
  })
})

const ORIGIN = "example.org/log"
const signer = await makeSigner(ORIGIN, sha256(new Uint8Array([1])))
const other = await makeSigner(ORIGIN, sha256(new Uint8Array([2])))
const checkpointOf = (n: number, signers = [signer]) =>
  signNote(checkpointText({ origin: ORIGIN, ...treeOf(n) }), signers)

describe("checkpoints", () => {
  it("are notes that the oracle verifies", () =>
    check(size, async (n) => {
      const note = await checkpointOf(n)
      expect(isSigned(note, signer.verifierKey)).toBe(true)
      expect(await openCheckpoint(note, [signer.verifierKey])).toEqual({ origin: ORIGIN, ...treeOf(n) })
    }))

  it("are refused with a changed, missing or added byte", async () =>
    expectGuarded(await checkpointOf(258), (text) => openCheckpoint(text, [signer.verifierKey])))

  it("need a signature by one trusted key, ignore unknown keys, and are refused with a wrong signature", async () => {
    const [one, both] = [await checkpointOf(9), await checkpointOf(9, [other, signer])]
    for (const key of [signer, other]) await openCheckpoint(both, [key.verifierKey])
    expect(await isRefused(openCheckpoint(one, [other.verifierKey]))).toBe(true)
    expect(await isRefused(openCheckpoint(one, []))).toBe(true)
    const elsewhere = await makeSigner("example.org/other", sha256(new Uint8Array([1])))
    const foreign = await signNote(checkpointText({ origin: ORIGIN, ...treeOf(9) }), [elsewhere])
    expect(await isRefused(openCheckpoint(foreign, [elsewhere.verifierKey]))).toBe(true)
    const wrong = one + (await other.sign("another text\n"))
    await openCheckpoint(wrong, [signer.verifierKey])
    expect(await isRefused(openCheckpoint(wrong, [signer.verifierKey, other.verifierKey]))).toBe(true)
    const many = one + (await other.sign("another text\n")).repeat(20)
    await openCheckpoint(many, [signer.verifierKey])
  })

  it("verify like the example of signed-note", async () => {
    const note =
      "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
    const key = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    expect(await openNote(note, [key])).toBe("This is an example message.\n")
    expect(await isRefused(openNote(note, [key.replace("530d903a", "530d903b")]))).toBe(true)
  })
})

describe("receipts", () => {
  const record = Buffer.from('{"answerId":"00000000-0000-4000-8000-000000000000","endpoint":"POST /v1/projection"}')
  const entries = [...ENTRIES.slice(0, 70), sha256(bytesOf(record)), ...ENTRIES.slice(71, 100)].map((entry) =>
    Buffer.from(entry)
  )
  const tree = { size: entries.length, root: bytesOf(MTH(entries)) }
  const make = async () =>
    receiptText(
      bytesOf(record),
      70,
      all(PATH(70, entries)),
      await signNote(checkpointText({ origin: ORIGIN, ...tree }), [signer])
    )

  it("have the format of tlog-proof and prove their record", async () => {
    const receipt = await make()
    const lines = receipt.split("\n")
    expect(lines.slice(0, 3)).toEqual(["c2sp.org/tlog-proof@v1", `extra ${record.toString("base64")}`, "index 70"])
    expect(lines.slice(3, 10)).toEqual(PATH(70, entries).map((hash) => hash.toString("base64")))
    expect(lines.slice(10, 13)).toEqual(["", ORIGIN, "100"])
    const opened = await openReceipt(receipt, [signer.verifierKey])
    expect(opened).toEqual({ record: record.toString(), index: 70, checkpoint: { origin: ORIGIN, ...tree } })
  })

  it("are refused with a changed, missing or added byte", async () =>
    expectGuarded(await make(), (text) => openReceipt(text, [signer.verifierKey])))
})
