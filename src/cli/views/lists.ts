/** The columns of the lists of keys, usage and mails. Text from elsewhere is sanitized. */

import { grouped } from "../../messages/figures.ts"
import type { ListedKey } from "../../services/accounts/keyList.ts"
import type { ListedMail } from "../../services/accounts/mailList.ts"
import type { KeyUsage } from "../../services/accounts/usageList.ts"
import type { Column } from "./table.ts"
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
