/**
 * Views of the subscriptions and of `repay subscriptions allow`. Text from elsewhere is sanitized.
 */
import type { AllowOutcome } from "../../services/accounts/holds.ts"
import type { SubscriptionSummary } from "../../services/accounts/subscriptionList.ts"
import type { Screen } from "../output.ts"
import { type Column, definitionList, tableLines } from "./table.ts"
import { dateOf, harmless } from "./text.ts"

const MIN_ADDRESS_WIDTH = 16

const SUBSCRIPTIONS: ReadonlyArray<Column<SubscriptionSummary>> = [
  { title: "Subscription", cell: ({ id }) => id },
  { title: "Address", cell: ({ email }) => harmless(email), dropPriority: 1, minWidth: MIN_ADDRESS_WIDTH },
  { title: "State", cell: ({ state, why }) => (why.length === 0 ? state : `${state}: ${why.join(", ")}`) },
  { title: "Paid", cell: ({ paidAt }) => dateOf(paidAt), dropPriority: 6 },
  { title: "Held", cell: ({ heldAt }) => dateOf(heldAt), dropPriority: 5 },
  { title: "Ends", cell: ({ endsAt }) => dateOf(endsAt), dropPriority: 4 },
  { title: "Key", cell: ({ keyPrefix }) => keyPrefix ?? "-", dropPriority: 2 },
  { title: "Used", cell: ({ keyUsed }) => (keyUsed ? "yes" : "-"), dropPriority: 3 }
]

export const subscriptionsView =
  (subscriptions: ReadonlyArray<SubscriptionSummary>) =>
  (screen: Screen): string =>
    subscriptions.length === 0 ? "No paid subscription." : tableLines(SUBSCRIPTIONS, subscriptions, screen).join("\n")

/** `allowed` is null for a sandbox key, which has no subscription. */
export const allowedView =
  (named: string, allowed: Extract<AllowOutcome, { readonly _tag: "Allowed" }> | null) =>
  ({ style }: Screen): string => {
    const lines: ReadonlyArray<readonly [string, string]> =
      allowed === null
        ? []
        : [
            ["Subscription", allowed.subscriptionId],
            ["Lifted", allowed.lifted ?? "nothing"]
          ]
    return definitionList([["Allowed", named], ...lines], style.bold).join("\n")
  }
