/**
 * Cursors of record pages. A row id counts everyone's answers, so pages show it encrypted under a
 * key per account: a Feistel network over 52 bits, which every JSON reader represents exactly. This
 * only hides a number: any cursor yields only rows of its own account.
 */
import { createHmac } from "node:crypto"

const HALF_BITS = 26
const HALF = 2 ** HALF_BITS
const ROUNDS = 6
const LARGEST = BigInt(HALF) ** 2n

const mix = (pepper: string, tenant: string, round: number, half: number): number =>
  createHmac("sha256", pepper).update(`records cursor ${round} ${half} ${tenant}`).digest().readUInt32BE() % HALF

/** The cursor for a row of this account: a whole number from 1 to 2^52. */
export const sealCursor = (pepper: string, tenant: string, rowId: number): number => {
  let [left, right] = [Math.floor(rowId / HALF), rowId % HALF]
  for (let round = 0; round < ROUNDS; round++) [left, right] = [right, left ^ mix(pepper, tenant, round, right)]
  return left * HALF + right + 1
}

/** The row id of a cursor; above all rows if the cursor is out of range. */
export const openCursor = (pepper: string, tenant: string, cursor: bigint): bigint => {
  if (cursor < 1n || cursor > LARGEST) return LARGEST
  const sealed = Number(cursor) - 1
  let [left, right] = [Math.floor(sealed / HALF), sealed % HALF]
  for (let round = ROUNDS - 1; round >= 0; round--) [left, right] = [right ^ mix(pepper, tenant, round, left), left]
  return BigInt(left * HALF + right)
}
