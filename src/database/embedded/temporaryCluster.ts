/** A folder for a database that nobody will miss: deleted with its scope, or by the next one if its maker was killed. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { isAlive } from "./cluster.ts"

const NAME = /^repayment-pg-(\d+)-/

const remove = (path: string): void => rmSync(path, { recursive: true, force: true })

const removeAbandoned = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const maker = NAME.exec(name)?.[1]
    if (maker === undefined || isAlive(Number(maker))) continue
    const path = join(tmpdir(), name)
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path)
  }
}

export const throwAwayHome = Effect.acquireRelease(
  Effect.sync(() => {
    removeAbandoned()
    return mkdtempSync(join(tmpdir(), `repayment-pg-${process.pid}-`))
  }),
  (home) => Effect.sync(() => remove(home))
)
