/**
 * Heap allocations of a V8 process, derived from its garbage-collection trace. Each collection adds
 * the heap before it, less the heap that the previous one left. Exact up to the part of the young
 * generation that is filled when it is read.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** Environment that turns the trace on in the measured process. */
export const TRACED = { NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "traceGc.ts"))}` }

/**
 * `ms: Scavenge 37.5 (50.0) -> 33.9 (53.7) MB`: heap used before and after; reserved in brackets.
 */
const COLLECTION = /ms: [^\n]*? (\d+\.\d) \(\d+\.\d\) -> (\d+\.\d) \(\d+\.\d\) MB[^\n]*\n/g
const MEBIBYTE = 1024 * 1024

export interface Allocations {
  readonly read: (output: string) => void
  readonly bytes: () => number
}

export const makeAllocations = (): Allocations => {
  let rest = ""
  let left = 0
  let mebibytes = 0
  return {
    read: (output) => {
      rest += output
      let end = 0
      for (const { 0: line, 1: before, 2: after, index } of rest.matchAll(COLLECTION)) {
        mebibytes += Number(before) - left
        left = Number(after)
        end = index + line.length
      }
      rest = rest.slice(Math.max(end, rest.lastIndexOf("\n") + 1))
    },
    bytes: () => mebibytes * MEBIBYTE
  }
}
