/**
 * Shared by the commands for keys and subscriptions: access to the administration service, and
 * parsers of key prefixes and ids.
 */
import { Effect } from "effect"
import { isUuid } from "../../../schema/primitives.ts"
import type { Settings } from "../../platform/config.ts"
import type { Administration, KeySummary } from "../../services/accounts/index.ts"
import type { LedgerUnavailable } from "../../services/ledgerUnavailable.ts"
import { badInput, refused } from "../failures.ts"
import { onInstallation } from "./reader.ts"

/** Runs one operation on the installation's database. `work` also gets the settings. */
export const administer = Effect.fnUntraced(function* <A>(
  work: (administration: Administration["Service"], settings: Settings) => Effect.Effect<A, LedgerUnavailable>
) {
  const services = yield* Effect.promise(() => import("../../services/accounts/index.ts"))
  const { AppConfig } = yield* Effect.promise(() => import("../../platform/config.ts"))
  return yield* onInstallation(
    Effect.all([services.Administration, AppConfig]).pipe(
      Effect.flatMap(([administration, settings]) => work(administration, settings)),
      Effect.provide(services.Administration.layer)
    )
  )
})

const PREFIX = /^slr_(?:sbx|live)_[0-9A-Za-z]{6}$/

/** The prefix or the id of a key. A whole key is refused and not echoed. */
export const keyNamed = (argument: string, text: string) =>
  PREFIX.test(text) || isUuid(text)
    ? Effect.succeed(text)
    : Effect.fail(
        badInput(`${argument}: use the prefix of a key, such as slr_sbx_Ab12Cd, or its id; never the key itself`)
      )

/** The id of a subscription, as `repay subscriptions list` prints it. */
export const subscriptionNamed = (text: string) =>
  isUuid(text)
    ? Effect.succeed(text.toLowerCase())
    : Effect.fail(badInput("id: use the id of a subscription, as repay subscriptions list prints it"))

export const noSubscription = (id: string) => refused(`No subscription that could be used has the id ${id}.`)

/** The failure when several keys match and nothing was done. */
export const ambiguous = (problem: string, keys: ReadonlyArray<KeySummary>) =>
  refused(`${problem} Use the id of one of them:`, ...keys.map(({ keyId, tier }) => `  ${keyId} (${tier})`))
