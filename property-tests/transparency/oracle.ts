/**
 * The oracle of the transparency log: a slow, literal implementation of RFC 6962, RFC 9162 and the
 * C2SP pages over all entries at once. Node's crypto verifies the notes. It shares no code with the
 * service.
 */
import { createHash, createPublicKey, verify } from "node:crypto"

export type Entries = ReadonlyArray<Buffer>

const sha256 = (...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const leafOf = (entry: Uint8Array): Buffer => sha256(Buffer.of(0), entry)
const nodeOf = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.of(1), left, right)

/** k, the largest power of two smaller than n. */
const k = (n: number): number => 2 ** (Math.ceil(Math.log2(n)) - 1)

/** RFC 6962, 2.1: MTH(D[n]). */
export const MTH = (D: Entries): Buffer => {
  if (D.length === 0) return sha256()
  if (D.length === 1) return leafOf(D[0]!)
  return nodeOf(MTH(D.slice(0, k(D.length))), MTH(D.slice(k(D.length))))
}

/** RFC 6962, 2.1.1: PATH(m, D[n]). */
export const PATH = (m: number, D: Entries): ReadonlyArray<Buffer> => {
  const n = D.length
  if (n === 1) return []
  if (m < k(n)) return [...PATH(m, D.slice(0, k(n))), MTH(D.slice(k(n)))]
  return [...PATH(m - k(n), D.slice(k(n))), MTH(D.slice(0, k(n)))]
}

const SUBPROOF = (m: number, D: Entries, b: boolean): ReadonlyArray<Buffer> => {
  const n = D.length
  if (m === n) return b ? [] : [MTH(D)]
  if (m <= k(n)) return [...SUBPROOF(m, D.slice(0, k(n)), b), MTH(D.slice(k(n)))]
  return [...SUBPROOF(m - k(n), D.slice(k(n)), false), MTH(D.slice(0, k(n)))]
}

/** RFC 6962, 2.1.2: PROOF(m, D[n]). */
export const PROOF = (m: number, D: Entries): ReadonlyArray<Buffer> => SUBPROOF(m, D, true)

/** Verification of an inclusion proof: RFC 9162, 2.1.3.2. */
export const isIncluded = (
  leafIndex: number,
  treeSize: number,
  leaf: Uint8Array,
  path: ReadonlyArray<Uint8Array>,
  root: Uint8Array
) => {
  if (leafIndex >= treeSize) return false
  let [fn, sn] = [leafIndex, treeSize - 1]
  let r: Uint8Array = leaf
  for (const p of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = nodeOf(p, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else r = nodeOf(r, p)
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return sn === 0 && Buffer.from(r).equals(root)
}

/** A tile of tlog-tiles: MTH(D[(n * 256 + i) * 256**l : (n * 256 + i + 1) * 256**l]) for each i. */
export const tileOf = (D: Entries, level: number, n: number, width: number): Buffer =>
  Buffer.concat(
    Array.from({ length: width }, (_, i) =>
      MTH(D.slice((n * 256 + i) * 256 ** level, (n * 256 + i + 1) * 256 ** level))
    )
  )

/** Whether a note has exactly one signature, by this key, in the format of signed-note. */
export const isSigned = (note: string, verifierKey: string): boolean => {
  const end = note.lastIndexOf("\n\n")
  const [, name, signed] = /^— (\S+) (\S+)\n$/.exec(note.slice(end + 2)) ?? []
  const [keyName, id, key] = verifierKey.split("+", 2).concat(verifierKey.split("+").slice(2).join("+"))
  const [keyBytes, signature] = [Buffer.from(key!, "base64"), Buffer.from(signed ?? "", "base64")]
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), keyBytes.subarray(1)])
  const ownId = sha256(Buffer.from(`${keyName}\n`), keyBytes).subarray(0, 4)
  return (
    name === keyName &&
    keyBytes[0] === 1 &&
    ownId.toString("hex") === id &&
    signature.subarray(0, 4).equals(ownId) &&
    verify(
      null,
      Buffer.from(note.slice(0, end + 1)),
      createPublicKey({ key: spki, format: "der", type: "spki" }),
      signature.subarray(4)
    )
  )
}
