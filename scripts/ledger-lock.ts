/**
 * Writes ledger/release.ts, the ledger's version and when it was released, and ledger/ledger.lock.json, a hash per entry
 * beside them. Prints what changed since the last lock, and which entries are in force only later. The release instant
 * stays when the version does, so run it again when such an entry has come into force. The version of the golden corpus
 * must follow: npm run golden. Run: npm run lock
 */
import { readFileSync, writeFileSync } from "node:fs"
import { constants, engineRevision, publishedOmissions } from "../ledger/index.ts"
import lock from "../ledger/ledger.lock.json" with { type: "json" }
import { entryHash, notYetInForce, versionOf } from "../ledger/version.ts"

const lockFile = new URL("../ledger/ledger.lock.json", import.meta.url)
const releaseFile = new URL("../ledger/release.ts", import.meta.url)
const before: Readonly<Record<string, string>> = lock.entries

const releasedAtUtc = new Date().toISOString()
const version = versionOf(constants, publishedOmissions, releasedAtUtc, engineRevision)
const entries = Object.fromEntries([...constants, ...publishedOmissions].map((entry) => [entry.id, entryHash(entry)]))

for (const id of Object.keys(entries)) {
  if (before[id] === undefined) console.log(`added    ${id}`)
  else if (before[id] !== entries[id]) console.log(`changed  ${id}`)
}
for (const id of Object.keys(before)) if (entries[id] === undefined) console.log(`removed  ${id}`)
if (engineRevision !== lock.engineRevision) console.log(`engine   ${lock.engineRevision} -> ${engineRevision}`)
for (const id of notYetInForce(constants, releasedAtUtc)) console.log(`later    ${id}`)

/** Writes what the service reads: its version and the instant whose law it is. */
const release = (instant: string): void =>
  writeFileSync(
    releaseFile,
    readFileSync(releaseFile, "utf8")
      .replace(/(ruleVersion = )".*"/, `$1"${version}"`)
      .replace(/(releasedAtUtc = )".*"/, `$1"${instant}"`)
  )

if (version === lock.version) {
  release(lock.releasedAtUtc)
  console.log(`unchanged: ${version}, released ${lock.releasedAtUtc}`)
} else {
  release(releasedAtUtc)
  writeFileSync(lockFile, `${JSON.stringify({ version, releasedAtUtc, engineRevision, entries }, null, 2)}\n`)
  console.log(`${lock.version} -> ${version}, released ${releasedAtUtc}`)
}
