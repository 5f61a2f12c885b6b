/** Subscriptions and payment events that were not applied, as tables. Texts from elsewhere are made harmless. */
import type { AllowedSubscription } from "../../services/payments/allow.ts"
import type { SubscriptionSummary } from "../../services/payments/overview.ts"
import type { UnappliedEvent } from "../../services/payments/unapplied.ts"
import type { Screen } from "../output.ts"
import { type Column, definitionList, table } from "./table.ts"
import { harmless } from "./text.ts"

const MIN_ADDRESS_WIDTH = 16
const dateOf = (instant: Date | null): string => instant?.toISOString().slice(0, 10) ?? "-"

const SUBSCRIPTIONS: ReadonlyArray<Column<SubscriptionSummary>> = [
  { title: "Subscription", cell: ({ id }) => id },
  { title: "Address", cell: ({ email }) => harmless(email), dropPriority: 1, minWidth: MIN_ADDRESS_WIDTH },
  { title: "State", cell: ({ state, why }) => (why.length === 0 ? state : `${state}: ${why.join(", ")}`) },
  { title: "Paid", cell: ({ paidAt }) => dateOf(paidAt), dropPriority: 6 },
  { title: "Held", cell: ({ heldAt }) => dateOf(heldAt), dropPriority: 5 },
  { title: "Ends", cell: ({ endsAt }) => dateOf(endsAt), dropPriority: 4 },
  { title: "Key", cell: ({ barredKeyPrefix, keyPrefix }) => keyPrefix ?? barredKeyPrefix ?? "-", dropPriority: 2 },
  { title: "Used", cell: ({ keyUsed }) => (keyUsed ? "yes" : "-"), dropPriority: 3 }
]

const EVENTS: ReadonlyArray<Column<UnappliedEvent>> = [
  { title: "Event", cell: ({ eventId }) => harmless(eventId) },
  { title: "Reason", cell: ({ reason }) => reason },
  { title: "Type", cell: ({ type }) => harmless(type), dropPriority: 2 },
  { title: "Of", cell: ({ externalId }) => harmless(externalId ?? "-"), dropPriority: 1 },
  { title: "Received", cell: ({ receivedAt }) => receivedAt.toISOString(), dropPriority: 3 }
]

const view =
  <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>, none: string) =>
  ({ columns: width, style }: Screen): string => {
    if (rows.length === 0) return none
    const drawn = table(columns, rows, width)
    return [style.bold(drawn.head.trimEnd()), ...drawn.rows.map((row) => row.trimEnd())].join("\n")
  }

export const subscriptionsView = (subscriptions: ReadonlyArray<SubscriptionSummary>) =>
  view(SUBSCRIPTIONS, subscriptions, "No paid subscription.")

/** What was named, and what that brought back. */
export const allowedView =
  (named: string, subscriptions: ReadonlyArray<AllowedSubscription>) =>
  ({ style }: Screen): string =>
    definitionList(
      [
        ["Allowed", named],
        ...subscriptions.flatMap(({ id, lifted }) => [
          ["Subscription", id] as const,
          ["Lifted", lifted.join(", ") || "nothing"] as const
        ])
      ],
      style.bold
    ).join("\n")

export const unappliedView = (events: ReadonlyArray<UnappliedEvent>) =>
  view(EVENTS, events, "Every payment event was applied.")
