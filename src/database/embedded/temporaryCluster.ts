/** The folder of a temporary cluster: removed with its scope, or by the next one if its process was killed. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { isAlive } from "./serverState.ts"

const NAME = /^repayment-pg-(\d+)-/

const remove = (path: string): void => rmSync(path, { recursive: true, force: true })

const removeAbandoned = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join(tmpdir(), name)
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path)
  }
}

export const temporaryHome = Effect.acquireRelease(
  Effect.sync(() => {
    removeAbandoned()
    return mkdtempSync(join(tmpdir(), `repayment-pg-${process.pid}-`))
  }),
  (home) => Effect.sync(() => remove(home))
)
