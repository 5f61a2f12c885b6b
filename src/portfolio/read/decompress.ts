/**
 * Decompression of .gz and .zst files to their last byte. Such a file may consist of several
 * members (complete compressed streams), as `cat a.zst b.zst` and multithreaded compressors write
 * them. Node stops after the first member, so the rest is fed to a new decompressor. Bytes that
 * start no member are an error.
 */
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import { problem } from "./problem.ts"

/** A decompressor of one member, which counts the bytes that it has consumed. */
type Decompressor = Transform & { readonly bytesWritten: number }

type Unpack = () => Decompressor

const DECOMPRESSORS: ReadonlyArray<readonly [ending: string, unpack: Unpack | undefined]> = [
  [".gz", zlib.createGunzip],
  [".zst", zlib.createZstdDecompress]
]

const decompressorFor = (name: string) => DECOMPRESSORS.find(([ending]) => name.toLowerCase().endsWith(ending))

const consume = (decompressor: Decompressor, bytes: Uint8Array): Promise<number> => {
  const before = decompressor.bytesWritten
  return new Promise((resolve, reject) => {
    decompressor.write(bytes, (cause) =>
      cause instanceof Error ? reject(cause) : resolve(decompressor.bytesWritten - before)
    )
  })
}

type Stored = AsyncIterator<Uint8Array, unknown>

const next = async (stored: Stored): Promise<Uint8Array | undefined> => {
  const read = await stored.next()
  return read.done === true ? undefined : read.value
}

/** Feeds a decompressor until its member ends, and returns the bytes after it, if any. */
const feed = async (decompressor: Decompressor, first: Uint8Array | undefined, stored: Stored) => {
  for (let bytes = first; bytes !== undefined; bytes = await next(stored)) {
    const taken = await consume(decompressor, bytes)
    if (taken < bytes.length) return bytes.subarray(taken)
  }
  decompressor.end()
  return undefined
}

async function* decompress(unpack: Unpack, stored: Stored): AsyncGenerator<Buffer, void> {
  let rest = await next(stored)
  do {
    const decompressor = unpack()
    const fed = feed(decompressor, rest, stored)
    // A failure also fails the iteration below, which reports it.
    fed.catch((cause) => decompressor.destroy(cause))
    yield* decompressor
    rest = await fed
  } while (rest !== undefined)
}

/**
 * Decompresses a file if its name ends in .gz or .zst; otherwise returns its bytes as they are.
 * Corrupt data fail during reading, with a zlib error whose code begins with Z.
 * @throws PortfolioProblem if this version of Node cannot decompress it
 */
export const unpacked = (name: string, stored: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const packed = decompressorFor(name)
  if (packed === undefined) return stored
  const [ending, unpack] = packed
  if (unpack === undefined)
    throw problem(`${name}: this version of Node cannot unpack ${ending}: unpack it first, or use Node 24`)
  return decompress(unpack, stored[Symbol.asyncIterator]())
}
