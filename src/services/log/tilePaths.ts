/** What C2SP tlog-tiles has served under which path, as the server of it reads and writes it. Knows no database. */
import { type Bytes, concat } from "../../proof/bytes.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { TILE_WIDTH, type Tile, tilePath } from "./tiles.ts"

const TILE_PATH = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** The tile at a path; undefined if it is none, or not the one path of its tile. */
export const parseTilePath = (path: string): Tile | undefined => {
  const [, level, digits, width] = TILE_PATH.exec(path) ?? []
  if (level === undefined || digits === undefined) return undefined
  const n = Number(digits.replaceAll(/[x/]/g, ""))
  const tile: Tile = { level: level === "entries" ? level : Number(level), n, width: Number(width ?? TILE_WIDTH) }
  return tile.width <= TILE_WIDTH && tilePath(tile) === path ? tile : undefined
}

/** Entries as a bundle: each behind its length, in two bytes. */
export const entryBundle = (entries: Uint8Array): Bytes =>
  concat(
    ...Array.from({ length: entries.length / HASH_BYTES }, (_, at) =>
      concat([0, HASH_BYTES], entries.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
    )
  )
