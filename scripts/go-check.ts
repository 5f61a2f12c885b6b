/**
 * The `go-check` task: Go's own packages (golang.org/x/mod/sumdb) verify logs written as tlog-tiles
 * files, and the cosignatures of witnesses. Needs Go and those packages (Debian: `golang-go`,
 * `golang-golang-x-mod-dev`). GO names another `go`, GOPATH another folder of the packages.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Bytes, toBase64 } from "../src/proof/bytes.ts"
import { openCheckpoint } from "../src/proof/checkpoint.ts"
import { cosignatureOf } from "../src/proof/note.ts"
import { checkpointText, grow, makeSigner, signNote } from "../src/services/log/index.ts"
import {
  consistencyProof,
  edgeOf,
  entryBundle,
  inclusionProof,
  openTiles,
  rootOf,
  type StoredTile,
  servedHashes,
  tilePath,
  tileWidth
} from "../src/services/log/tiles.ts"
import { makeCosigner } from "../test/support/witness.ts"
import { insist, run, step, temporaryFolder } from "./harness.ts"

/** One entry, tile boundaries, and a tree with two levels of tiles. */
const SIZES = [1, 2, 255, 256, 257, 1000, 65_536 + 300]
/** Proofs cover the first and last ENDS entries (and sizes), and every EVERY-th in between. */
const EVERY = 97
const ENDS = 20
const ORIGIN = "log.example/repayment/log"

const sha256 = (bytes: Bytes): Bytes => new Uint8Array(createHash("sha256").update(bytes).digest())
const entryAt = (index: number): Bytes => sha256(new TextEncoder().encode(`record ${index}`))

const signer = await makeSigner(ORIGIN, sha256(new Uint8Array(1)))
const SEEN_AT = 1_800_000_000
const witnesses = await Promise.all(
  [2, 3].map((bytes) => makeCosigner(`witness.example/w${bytes}`, sha256(new Uint8Array(bytes))))
)

const writeLog = async (folder: string, size: number) => {
  const write = (path: string, data: Uint8Array | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), data)
  }
  const stored = new Map<string, StoredTile>()
  let root: Bytes = sha256(new Uint8Array())
  // In two steps, so that appending to an existing tree is checked too.
  for (const [from, to] of [
    [0, size >> 1],
    [size >> 1, size]
  ] as const) {
    const entries = Array.from({ length: to - from }, (_, at) => entryAt(from + at))
    const grown = await grow(
      from,
      edgeOf(from).map(({ level, n }) => stored.get(`${level}/${n}`)!),
      entries,
      sha256
    )
    for (const tile of grown.tiles) stored.set(`${tile.level}/${tile.n}`, tile)
    root = grown.root
  }
  for (const { hashes, level, n } of stored.values()) {
    const width = tileWidth(size, level, n)
    write(tilePath({ level, n, width }), await servedHashes(level, hashes, sha256))
    if (level === 0) write(tilePath({ level: "entries", n, width }), entryBundle(hashes))
  }
  const read = ({ level, n }: { readonly level: number | "entries"; readonly n: number }) =>
    servedHashes(Number(level), stored.get(`${level}/${n}`)!.hashes, sha256)
  const hashAt = await openTiles({ size, root }, read, sha256)
  const proven = Array.from({ length: size }, (_, index) => index).filter(
    (index) => index < ENDS || index % EVERY === 0 || size - index < ENDS
  )
  const inclusion = await Promise.all(
    proven.map(async (index) => ({
      index,
      proof: (await inclusionProof(hashAt, index, size, sha256)).map(toBase64)
    }))
  )
  const consistency = await Promise.all(
    proven.map(async (index) => ({
      first: index + 1,
      root: toBase64(await rootOf(hashAt, index + 1, sha256)),
      proof: (await consistencyProof(hashAt, index + 1, size, sha256)).map(toBase64)
    }))
  )
  write("proofs.json", JSON.stringify({ inclusion, consistency }))
  write("key", signer.verifierKey)
  const text = checkpointText({ origin: ORIGIN, size, root })
  const cosignatures = await Promise.all(witnesses.map(({ cosign }) => cosign(text, SEEN_AT)))
  const checkpoint = await signNote(text, [signer])
  write("checkpoint", checkpoint)
  write("cosigned", checkpoint + cosignatures.join(""))
  write("witnesses", witnesses.map(({ verifierKey }) => `${verifierKey}\n`).join(""))
}

export default async () => {
  const folder = temporaryFolder("go-check")
  const program = join(folder, "judge")
  const sources = ["main.go", "cosignature.go"].map((name) => join(import.meta.dirname, "go-check", name))
  const { GOPATH = "/usr/share/gocode", GO = "go" } = process.env
  await run([GO, "build", "-o", program, ...sources], {
    env: { GOPATH, GO111MODULE: "off", GOCACHE: join(folder, "cache") }
  })
  for (const size of SIZES) {
    const log = join(folder, String(size))
    const read = (name: string) => readFileSync(join(log, name), "utf8")
    await step(`Go verifies a log of ${size} entries, and Go's checkpoint of it verifies here`, async () => {
      await writeLog(log, size)
      const output = await run([program, log])
      const checkpoint = await openCheckpoint(read("go-checkpoint"), [read("go-key")])
      const seen = await cosignatureOf(read("go-cosigned"), read("go-witness"))
      insist(seen?.at.getTime() === SEEN_AT * 1000, "the cosignature of Go's witness has another time")
      insist(checkpoint.size === size, `Go signs ${checkpoint.size} entries`)
      return output.trim()
    })
  }
}
