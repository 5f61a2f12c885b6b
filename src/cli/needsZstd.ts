/** Answers of record, and chunks for other machines, are packed by zstd, which Node has since 22.15. All else runs without. */
import * as zlib from "node:zlib"
import { Effect } from "effect"
import { badInput, type CommandFailed } from "./failures.ts"

/** @param what that packs */
export const needsZstd = (what: string): Effect.Effect<void, CommandFailed> =>
  "createZstdCompress" in zlib
    ? Effect.void
    : Effect.fail(badInput(`${what}: needs Node 22.15 or newer, and this is ${process.versions.node}`))
