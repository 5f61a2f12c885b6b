/**
 * A guard for features that compress with zstd (recorded answers, chunks for workers). Node has it
 * since 22.15.
 */
import * as zlib from "node:zlib"
import { Effect } from "effect"
import { badInput, type CommandFailed } from "./failures.ts"

/** @param what the flag or command that needs it */
export const needsZstd = (what: string): Effect.Effect<void, CommandFailed> =>
  "createZstdCompress" in zlib
    ? Effect.void
    : Effect.fail(badInput(`${what}: needs Node 22.15 or newer, and this is ${process.versions.node}`))
