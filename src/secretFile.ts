/**
 * A secret of an installation that was given none: made once, kept in the data folder, readable by its owner only.
 * Written beside the final name and linked into place, so that a crash leaves no half secret and of two processes that
 * start together one wins and both use its secret. It does not rotate anything: that is an operator's decision.
 */
import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { hasCode } from "./database/hasCode.ts"

const SECRET_BYTES = 32

/** The secret kept under `name`; undefined if there is none yet. */
export const readSecret = (dataDir: string, name: string): string | undefined => {
  const path = join(dataDir, name)
  try {
    const secret = readFileSync(path, "utf8").trim()
    if (secret.length < SECRET_BYTES) throw new Error(`${path} does not hold a secret; restore it from a backup`)
    return secret
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}

const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, "wx", 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Makes the secret, unless another process has made it meanwhile. */
export const makeSecret = (dataDir: string, name: string): string => {
  mkdirSync(dataDir, { recursive: true })
  const draft = join(dataDir, `.${name}.${process.pid}.${randomBytes(4).toString("hex")}`)
  writeDurably(draft, `${randomBytes(SECRET_BYTES).toString("hex")}\n`)
  try {
    linkSync(draft, join(dataDir, name))
    syncFolder(dataDir)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecret(dataDir, name)!
}
