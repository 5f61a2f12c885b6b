/**
 * Writes ledger/ledger.lock.json: the ledger's version, when it was released, and a hash per entry. Prints what changed
 * since the last lock, and keeps the release instant when nothing did. Run: node scripts/ledger-lock.ts
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { constants, publishedOmissions } from "../ledger/contents.ts"
import { entryHash, versionOf } from "../ledger/version.ts"

interface Lock {
  readonly version: string
  readonly releasedAtUtc: string
  readonly entries: Readonly<Record<string, string>>
}

const path = new URL("../ledger/ledger.lock.json", import.meta.url)
const none: Lock = { version: "none", releasedAtUtc: "", entries: {} }
const before: Lock = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : none

const version = versionOf(constants, publishedOmissions)
const entries = Object.fromEntries([...constants, ...publishedOmissions].map((entry) => [entry.id, entryHash(entry)]))

const changes = [
  ...Object.keys(entries).flatMap((id) => {
    if (before.entries[id] === undefined) return [`added    ${id}`]
    return before.entries[id] === entries[id] ? [] : [`changed  ${id}`]
  }),
  ...Object.keys(before.entries).flatMap((id) => (entries[id] === undefined ? [`removed  ${id}`] : []))
]
for (const change of changes) console.log(change)

if (version === before.version && changes.length === 0) {
  console.log(`unchanged: ${version}, released ${before.releasedAtUtc}`)
} else {
  const after: Lock = { version, releasedAtUtc: new Date().toISOString(), entries }
  writeFileSync(path, `${JSON.stringify(after, null, 2)}\n`)
  console.log(`${before.version} -> ${version}, released ${after.releasedAtUtc}`)
}
