/**
 * A generated secret, kept in the data folder and readable by its owner only. If two processes
 * start together, one creates it and both use it. It is never rotated automatically.
 */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { atomicWrite } from "./atomicWrite.ts"
import { hasCode } from "./hasCode.ts"

const SECRET_BYTES = 32
const OWNER_ONLY = 0o600

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

/** Creates the secret, unless another process has created it meanwhile. */
export const makeSecret = async (dataDir: string, name: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true })
  const secret = `${randomBytes(SECRET_BYTES).toString("hex")}\n`
  await atomicWrite(join(dataDir, name), secret, { overwrite: false, mode: OWNER_ONLY }).catch((cause: unknown) => {
    if (!hasCode(cause, "EEXIST")) throw cause
  })
  return readSecret(dataDir, name)!
}
