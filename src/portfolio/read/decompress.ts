/**
 * Packed bytes, unpacked to their end. A packed file may be several behind each other, as `cat a.zst b.zst` and programs that
 * pack with many threads write them: Node ends with the first of them, so what is left then begins the next one, and bytes that
 * begin none are an error. No stored byte is passed over.
 */
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import { problem } from "./problem.ts"

/** What unpacks one of them; it counts the bytes that it has taken. */
type Unpacking = Transform & { readonly bytesWritten: number }

type Unpack = () => Unpacking

const UNPACKING: ReadonlyArray<readonly [ending: string, unpack: Unpack | undefined]> = [
  [".gz", zlib.createGunzip],
  [".zst", zlib.createZstdDecompress]
]

const packingOf = (name: string) => UNPACKING.find(([ending]) => name.toLowerCase().endsWith(ending))

const take = (unpacking: Unpacking, bytes: Uint8Array): Promise<number> => {
  const before = unpacking.bytesWritten
  return new Promise((resolve, reject) => {
    unpacking.write(bytes, (cause) =>
      cause instanceof Error ? reject(cause) : resolve(unpacking.bytesWritten - before)
    )
  })
}

type Stored = AsyncIterator<Uint8Array, unknown>

const next = async (stored: Stored): Promise<Uint8Array | undefined> => {
  const read = await stored.next()
  return read.done === true ? undefined : read.value
}

/** Hands bytes to one of them until it ends. Gives those that are behind it, if there are any. */
const feed = async (unpacking: Unpacking, first: Uint8Array | undefined, stored: Stored) => {
  for (let bytes = first; bytes !== undefined; bytes = await next(stored)) {
    const taken = await take(unpacking, bytes)
    if (taken < bytes.length) return bytes.subarray(taken)
  }
  unpacking.end()
  return undefined
}

async function* allOf(unpack: Unpack, stored: Stored): AsyncGenerator<Buffer, void> {
  let left = await next(stored)
  do {
    const unpacking = unpack()
    const fed = feed(unpacking, left, stored)
    // What fails ends the reading below, and is told there.
    fed.catch((cause) => unpacking.destroy(cause))
    yield* unpacking
    left = await fed
  } while (left !== undefined)
}

/**
 * The bytes of a file that its name says to be packed, and those of any other as they are.
 * @throws PortfolioProblem where this Node cannot unpack it. What is read later fails with an error of zlib, whose code begins with Z.
 */
export const unpacked = (name: string, stored: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const packed = packingOf(name)
  if (packed === undefined) return stored
  const [ending, unpack] = packed
  if (unpack === undefined) throw problem(`${name}: this Node unpacks no ${ending}: unpack it first, or use Node 24`)
  return allOf(unpack, stored[Symbol.asyncIterator]())
}
