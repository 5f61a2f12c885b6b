/** The responses of GET /v1/me (the account of a key) and GET /health. They contain no secrets. */
import { Schema } from "effect"
import { instant, text } from "./primitives.ts"

const calls = (description: string) => Schema.Int.annotate({ format: "int64", description })

export const MeResponse = Schema.Struct({
  tenant: text("Opaque id of the account."),
  tier: Schema.Literals(["Sandbox", "Production"]).annotate({ description: "Kind of the key." }),
  keyPrefix: text("Identifies the key without exposing it."),
  plan: text("sandbox or production-monthly."),
  monthlyCallLimit: calls("Calls per calendar month."),
  callsUsedThisPeriod: calls("Calls used this month, this one included."),
  callsRemaining: calls("Calls left this month."),
  periodStart: instant("00:00 UTC on the 1st of this month."),
  periodResetsAt: instant("00:00 UTC on the 1st of next month."),
  plansPage: text("The page that says how to get more calls.")
}).annotate({ identifier: "MeResponse", description: "The account of the key, and its usage this month." })
export type MeResponse = typeof MeResponse.Type

export const Health = Schema.Struct({
  status: Schema.Literal("ok").annotate({ description: "Always ok: a host that is not ok does not answer." }),
  commit: text("Build commit of this host."),
  version: text("Version of the service."),
  ruleVersion: text("Version of the rules ledger.")
}).annotate({ identifier: "Health", description: "The host that answers." })
export type Health = typeof Health.Type
