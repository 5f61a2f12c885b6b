/** Account handlers: a key's usage and its records. Records are read before the call is charged. */
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../schema/api.ts"
import { CurrentCaller } from "../../../schema/middleware.ts"
import { ValidationProblem } from "../../../schema/problems.ts"
import type { RecordRow } from "../../../schema/records.ts"
import { AppConfig } from "../../platform/config.ts"
import { Charging, openCursor, sealCursor } from "../../services/answers/index.ts"
import { verifyUrlOf } from "../../services/answers/local.ts"
import { AnswerLedger, type AnswerRow, publicRecord } from "../../services/answers/records.ts"
import { makeRefusals } from "../problems.ts"
import { makeResponding, noteCharge } from "../requestState.ts"
import { upgradeUrl } from "../upgradeUrl.ts"

const recordRow =
  (publicUrl: string) =>
  (row: AnswerRow): RecordRow => ({
    ...publicRecord(row),
    keyPrefix: row.keyPrefix,
    verifyUrl: verifyUrlOf(publicUrl, row.answerId)
  })

/** Approximate size of one row of a page. */
const ROW_BYTES = 400

const reversedRange = new ValidationProblem({ errors: { to: ["must not be before from"] } })

export const AccountLive = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fn(function* (handlers) {
    const charging = yield* Charging
    const ledger = yield* AnswerLedger
    const config = yield* AppConfig
    const pepper = Redacted.value(config.pepper)
    const respond = yield* makeResponding
    const refusals = yield* makeRefusals

    const me = Effect.fnUntraced(function* () {
      const caller = yield* CurrentCaller
      const usage = yield* charging.charge(caller)
      yield* noteCharge(usage)
      return {
        tenant: caller.tenant,
        tier: caller.tier,
        keyPrefix: caller.keyPrefix,
        plan: caller.plan,
        monthlyCallLimit: usage.limit,
        callsUsedThisPeriod: usage.used,
        callsRemaining: Math.max(0, usage.limit - usage.used),
        periodStart: usage.periodStart.toISOString(),
        periodResetsAt: usage.periodResetsAt.toISOString(),
        plansPage:
          caller.tier === "Sandbox" ? upgradeUrl(config.paymentLink, undefined, caller.keyId) : config.paymentLink
      }
    })

    return handlers.handleAll({
      me: () => me().pipe(Effect.catchTags(refusals.charge)),
      records: Effect.fnUntraced(function* ({ query: { cursor, from, limit, to } }) {
        if (from !== undefined && to !== undefined && to < from) return yield* reversedRange
        const caller = yield* CurrentCaller
        const { tenant } = caller
        const before = cursor === undefined ? undefined : openCursor(pepper, tenant, cursor)
        const page = yield* ledger.page({ tenant, from, to, cursor: before, limit })
        const usage = yield* charging.charge(caller)
        const nextCursor = page.nextCursor === null ? null : sealCursor(pepper, tenant, page.nextCursor)
        const answer = { records: page.rows.map(recordRow(config.publicUrl)), nextCursor }
        return yield* respond.charged(caller, page.rows.length * ROW_BYTES)({ answer, usage })
      }, Effect.catchTags(refusals.charge))
    })
  })
)
