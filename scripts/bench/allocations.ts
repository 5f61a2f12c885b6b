/**
 * What a process allocates on the heap of V8, read off what it says of its garbage collections: all that it has before one
 * beyond what the one before left. Exact to the part of the young generation that is filled when somebody asks.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** For the process to be heard. */
export const TRACED = { NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "traceGc.ts"))}` }

/** `ms: Scavenge 37.5 (50.0) -> 33.9 (53.7) MB`: what is used before and after, in brackets what is reserved. */
const COLLECTION = /ms: [^\n]*? (\d+\.\d) \(\d+\.\d\) -> (\d+\.\d) \(\d+\.\d\) MB[^\n]*\n/g
const MEBIBYTE = 1024 * 1024

export interface Allocations {
  readonly hear: (words: string) => void
  /** Since the start. */
  readonly bytes: () => number
}

export const makeAllocations = (): Allocations => {
  let rest = ""
  let left = 0
  let mebibytes = 0
  return {
    hear: (words) => {
      rest += words
      let end = 0
      for (const { 0: said, 1: before, 2: after, index } of rest.matchAll(COLLECTION)) {
        mebibytes += Number(before) - left
        left = Number(after)
        end = index + said.length
      }
      rest = rest.slice(Math.max(end, rest.lastIndexOf("\n") + 1))
    },
    bytes: () => mebibytes * MEBIBYTE
  }
}
