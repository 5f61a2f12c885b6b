/**
 * Writes ledger/ledger.lock.json: the ledger's version, when it was released, and a hash per entry. Prints what changed
 * since the last lock, and which entries are in force only later. The release instant stays when the version does, so
 * run it again when such an entry has come into force. Run: node scripts/ledger-lock.ts
 */
import { writeFileSync } from "node:fs"
import { constants, publishedOmissions } from "../ledger/index.ts"
import lock from "../ledger/ledger.lock.json" with { type: "json" }
import { entryHash, notYetInForce, versionOf } from "../ledger/version.ts"

const path = new URL("../ledger/ledger.lock.json", import.meta.url)
const before: Readonly<Record<string, string>> = lock.entries

const releasedAtUtc = new Date().toISOString()
const version = versionOf(constants, publishedOmissions, releasedAtUtc)
const entries = Object.fromEntries([...constants, ...publishedOmissions].map((entry) => [entry.id, entryHash(entry)]))

for (const id of Object.keys(entries)) {
  if (before[id] === undefined) console.log(`added    ${id}`)
  else if (before[id] !== entries[id]) console.log(`changed  ${id}`)
}
for (const id of Object.keys(before)) if (entries[id] === undefined) console.log(`removed  ${id}`)
for (const id of notYetInForce(constants, releasedAtUtc)) console.log(`later    ${id}`)

if (version === lock.version) {
  console.log(`unchanged: ${version}, released ${lock.releasedAtUtc}`)
} else {
  writeFileSync(path, `${JSON.stringify({ version, releasedAtUtc, entries }, null, 2)}\n`)
  console.log(`${lock.version} -> ${version}, released ${releasedAtUtc}`)
}
