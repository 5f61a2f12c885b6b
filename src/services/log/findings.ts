/** What an audit of the log may find, as the operator is told. */

/** `moved`: the record was entered elsewhere; `restored`: the log is shorter than a checkpoint that was kept. */
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

/** Something of the log is not as it was signed, at no place in it. */
export const damaged = (detail: string): Finding => finding("damaged", null, null, detail)
