/** What an audit of the log may find, as whoever reads it is told. */

/** What was done. `restored`: the log has gone back behind a checkpoint; `rewritten`: it no longer begins with one. */
type Deed = "edited" | "removed" | "added" | "moved" | "damaged" | "rewritten" | "restored"

export interface Finding {
  readonly deed: Deed
  /** Its place in the log, where it has one. */
  readonly index: number | null
  readonly answerId: string | null
  readonly detail: string
}

export const finding = (deed: Deed, index: number | null, answerId: string | null, detail: string): Finding => ({
  deed,
  index,
  answerId,
  detail
})

/** Something is not as it was made, at no place in the log. */
export const damaged = (detail: string): Finding => finding("damaged", null, null, detail)

/** As much of a stored text as tells which it is. */
const QUOTED_CHARACTERS = 200

/** A stored text, which may be any, in one line. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, QUOTED_CHARACTERS))
