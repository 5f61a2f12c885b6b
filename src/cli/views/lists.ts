/** The lists of keys, usage, mails and subscriptions as tables. Text from elsewhere is sanitized. */

import { grouped } from "../../messages/figures.ts"
import type { KeyUsage, ListedKey, ListedMail, ListedSubscription } from "../../services/accounts/index.ts"
import type { Screen } from "../output.ts"
import { type Column, tableLines } from "./table.ts"
import { dateOf, harmless } from "./text.ts"

const MIN_ADDRESS_WIDTH = 16
const minuteOf = (instant: Date | null): string =>
  instant === null ? "-" : `${instant.toISOString().slice(0, "YYYY-MM-DDThh:mm".length).replace("T", " ")}Z`

const stateOf = ({ isBarred, revokedReason, state }: ListedKey): string => {
  const reasons = [revokedReason, isBarred ? "claims nothing" : null].filter((reason) => reason !== null)
  return reasons.length === 0 ? state : `${state}: ${reasons.join(", ")}`
}

export const KEYS: ReadonlyArray<Column<ListedKey>> = [
  { title: "Key", cell: ({ keyPrefix }) => keyPrefix },
  { title: "Kind", cell: ({ tier }) => tier },
  { title: "State", cell: stateOf },
  { title: "Made", cell: ({ madeAt }) => dateOf(madeAt), dropPriority: 2 },
  { title: "Used", cell: ({ lastUsed }) => lastUsed ?? "-", dropPriority: 1 },
  { title: "Ends", cell: ({ expiresAt }) => dateOf(expiresAt), dropPriority: 4 },
  { title: "Paid by", cell: ({ email }) => harmless(email ?? "-"), dropPriority: 3, minWidth: MIN_ADDRESS_WIDTH }
]

export const USAGE: ReadonlyArray<Column<KeyUsage>> = [
  { title: "Key", cell: ({ keyPrefix }) => keyPrefix },
  { title: "Kind", cell: ({ tier }) => tier },
  { title: "Calls", cell: ({ calls }) => grouped(calls), align: "right" },
  { title: "Quota", cell: ({ quota }) => grouped(quota), align: "right" },
  { title: "Left", cell: ({ left }) => grouped(left), align: "right" }
]

export const MAILS: ReadonlyArray<Column<ListedMail>> = [
  { title: "Mail", cell: ({ id }) => id, align: "right" },
  { title: "Kind", cell: ({ kind }) => kind },
  { title: "State", cell: ({ state }) => state },
  { title: "Attempts", cell: ({ attempts }) => String(attempts), align: "right" },
  { title: "Next", cell: ({ nextAttemptAt }) => minuteOf(nextAttemptAt), dropPriority: 1 },
  { title: "Queued", cell: ({ queuedAt }) => minuteOf(queuedAt), dropPriority: 2 },
  { title: "Subscription", cell: ({ subscriptionId }) => subscriptionId ?? "-", dropPriority: 3 }
]

export const SUBSCRIPTIONS: ReadonlyArray<Column<ListedSubscription>> = [
  { title: "Subscription", cell: ({ id }) => id },
  { title: "Address", cell: ({ email }) => harmless(email), dropPriority: 1, minWidth: MIN_ADDRESS_WIDTH },
  { title: "State", cell: ({ state, why }) => (why.length === 0 ? state : `${state}: ${why.join(", ")}`) },
  { title: "Paid", cell: ({ paidAt }) => dateOf(paidAt), dropPriority: 6 },
  { title: "Held", cell: ({ heldAt }) => dateOf(heldAt), dropPriority: 5 },
  { title: "Ends", cell: ({ endsAt }) => dateOf(endsAt), dropPriority: 4 },
  { title: "Key", cell: ({ keyPrefix }) => keyPrefix ?? "-", dropPriority: 2 },
  { title: "Used", cell: ({ keyUsed }) => (keyUsed ? "yes" : "-"), dropPriority: 3 }
]

/** @param none the text when there are no rows */
export const listView =
  <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>, none: string) =>
  (screen: Screen): string =>
    rows.length === 0 ? none : tableLines(columns, rows, screen).join("\n")
