/**
 * Cursors of record pages. A row id counts everyone's answers, so pages show it encrypted under a
 * key per account. A Feistel network has 52 bits, which every JSON reader represents exactly. This
 * only hides a number, because any cursor yields only rows of its own account.
 */
import { createHmac } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { AppConfig } from "../../platform/config.ts"

const HALF_BITS = 26
const HALF = 2 ** HALF_BITS
const ROUNDS = 6
const LARGEST = BigInt(HALF) ** 2n

export class RecordCursor extends Context.Service<
  RecordCursor,
  {
    /** The cursor for a row of this account: a whole number from 1 to 2^52. */
    readonly seal: (tenant: string, rowId: number) => number
    /** The row id of a cursor; above all rows if the cursor is out of range. */
    readonly open: (tenant: string, cursor: bigint) => bigint
  }
>()("repayment-of-record/RecordCursor") {
  static readonly layer: Layer.Layer<RecordCursor, never, AppConfig> = Layer.effect(
    RecordCursor,
    Effect.map(AppConfig, ({ pepper }) => {
      const mix = (tenant: string, round: number, half: number): number =>
        createHmac("sha256", Redacted.value(pepper))
          .update(`records cursor ${round} ${half} ${tenant}`)
          .digest()
          .readUInt32BE() % HALF
      return RecordCursor.of({
        seal: (tenant, rowId) => {
          let [left, right] = [Math.floor(rowId / HALF), rowId % HALF]
          for (let round = 0; round < ROUNDS; round++) [left, right] = [right, left ^ mix(tenant, round, right)]
          return left * HALF + right + 1
        },
        open: (tenant, cursor) => {
          if (cursor < 1n || cursor > LARGEST) return LARGEST
          const sealed = Number(cursor) - 1
          let [left, right] = [Math.floor(sealed / HALF), sealed % HALF]
          for (let round = ROUNDS - 1; round >= 0; round--) [left, right] = [right ^ mix(tenant, round, left), left]
          return BigInt(left * HALF + right)
        }
      })
    })
  )
}
