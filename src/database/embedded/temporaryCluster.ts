/**
 * The folder of a temporary cluster, in memory if there is room. It is removed when its scope
 * closes. If its process was killed, the next temporary cluster removes it.
 */
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { isAlive } from "./serverState.ts"

/** A memory file system of Linux, 64 MB by default in Docker. */
const MEMORY = "/dev/shm"
const ROOM_BYTES = 4e9
const NAME = /^repayment-pg-(\d+)-/

const remove = (path: string): void => rmSync(path, { recursive: true, force: true })

const hasRoom = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM_BYTES
}

const removeAbandoned = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join(folder, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path)
  }
}

export const temporaryHome = Effect.acquireRelease(
  Effect.sync(() => {
    const folders = existsSync(MEMORY) ? [MEMORY, tmpdir()] : [tmpdir()]
    folders.forEach(removeAbandoned)
    const folder = folders.find(hasRoom) ?? tmpdir()
    return mkdtempSync(join(folder, `repayment-pg-${process.pid}-`))
  }),
  (home) => Effect.sync(() => remove(home))
)
