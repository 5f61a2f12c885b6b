/**
 * The generator of ledger/release.ts (version and release time) and ledger/ledger.lock.json (a hash
 * per entry). It reports changes since the last lock and entries not yet in force. The release time
 * changes only with the version. Run this step again when an entry comes into force.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { constants, engineRevision, publishedOmissions } from "../../ledger/index.ts"
import lock from "../../ledger/ledger.lock.json" with { type: "json" }
import { entryHash, notYetInForce, versionOf } from "../../ledger/version.ts"
import { PROJECT, say } from "../harness.ts"

const RELEASE = "ledger/release.ts"

/** Prints what changed since the last lock. */
const reportChanges = (entries: Readonly<Record<string, string>>, now: string): void => {
  const before: Readonly<Record<string, string>> = lock.entries
  for (const id of Object.keys(entries)) {
    if (before[id] === undefined) say(`added    ${id}`)
    else if (before[id] !== entries[id]) say(`changed  ${id}`)
  }
  for (const id of Object.keys(before)) if (entries[id] === undefined) say(`removed  ${id}`)
  if (engineRevision !== lock.engineRevision) say(`engine   ${lock.engineRevision} -> ${engineRevision}`)
  for (const id of notYetInForce(constants, now)) say(`later    ${id}`)
}

export const lockFiles = (): Readonly<Record<string, string>> => {
  const now = new Date().toISOString()
  const all = [...constants, ...publishedOmissions]
  const entries = Object.fromEntries(all.map((entry) => [entry.id, entryHash(entry)]))
  const version = versionOf(constants, publishedOmissions, now, engineRevision)
  reportChanges(entries, now)
  const isNew = version !== lock.version
  const releasedAtUtc = isNew ? now : lock.releasedAtUtc
  say(`${lock.version} -> ${version}, released ${releasedAtUtc}`)
  const locked = isNew ? { version, releasedAtUtc, engineRevision, entries } : lock
  return {
    [RELEASE]: readFileSync(join(PROJECT, RELEASE), "utf8")
      .replace(/(ruleVersion = )".*"/, `$1"${version}"`)
      .replace(/(releasedAtUtc = )".*"/, `$1"${releasedAtUtc}"`),
    "ledger/ledger.lock.json": `${JSON.stringify(locked, null, 2)}\n`
  }
}
