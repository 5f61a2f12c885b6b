/**
 * The exchange with one witness (C2SP tlog-witness): sends it a checkpoint with a proof that the
 * log only grew since its last cosignature. The answer is not trusted. Its time, size, redirects
 * and clock are bounded, and a line counts only if the witness's key verifies it over exactly this
 * checkpoint.
 */
import { Clock, Data, Effect } from "effect"
import { boundedFetch } from "../../platform/boundedBody.ts"
import { toBase64, wholeNumber } from "../../proof/bytes.ts"
import { cosignatureOf } from "../../proof/note.ts"
import type { Witness } from "../../proof/policy.ts"
import type { Tree } from "../../proof/tree.ts"
import type { LedgerUnavailable } from "../ledgerUnavailable.ts"

const ANSWER_MILLIS = 5000
const MAX_ANSWER_BYTES = 4096
/** Further requests of a round, from the size that the witness names. */
export const MAX_REPEATS = 1
/** Maximum difference between the clock of a witness and this one. */
const MAX_SKEW_MILLIS = 300_000

export type Outcome =
  | { readonly kind: "cosigned"; readonly line: string }
  /** The witness has seen `size` entries, and this checkpoint does not extend them. */
  | { readonly kind: "conflict"; readonly size: number; readonly reason: string }
  /** The witness does not know the log (404) or its keys (403). Its operator must add them. */
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }

const failed = (reason: string): Outcome => ({ kind: "failed", reason })

const fetchAnswer = boundedFetch(MAX_ANSWER_BYTES)

const post = async (url: string, body: string) => {
  const signal = AbortSignal.timeout(ANSWER_MILLIS)
  const answer = await fetchAnswer(`${url}/add-checkpoint`, { method: "POST", body, signal })
  // Not `answer.text()`, which drops a byte order mark.
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString("utf8") }
}

const cosigned = async (note: string, text: string, { verifierKey }: Witness, now: number): Promise<Outcome> => {
  // Takes signature lines only, because an empty line would change the text that is verified.
  const lines = text.match(/^— .*\n/gm) ?? []
  const found = await cosignatureOf(note + lines.join(""), verifierKey)
  if (found === null) return failed("its answer has no cosignature by its key")
  const skew = found.at.getTime() - now
  if (Math.abs(skew) > MAX_SKEW_MILLIS) return failed(`its clock differs by ${Math.round(skew / 1000)} s from ours`)
  return { kind: "cosigned", line: found.line }
}

/** The exchange failed because of the witness or the way to it. */
class NotHeard extends Data.TaggedError("NotHeard")<{ readonly reason: string }> {}

const reasonOf = ({ cause, message, name }: Error): string => {
  if (name === "TimeoutError") return `it did not answer within ${ANSWER_MILLIS / 1000} s`
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
const heard = <A>(exchange: () => Promise<A>) =>
  Effect.tryPromise({ try: exchange, catch: (cause) => new NotHeard({ reason: reasonOf(cause as Error) }) })

/** The size that a witness names with 409. */
const sizeIn = (text: string) =>
  Effect.try({
    try: () => wholeNumber(text),
    catch: () => new NotHeard({ reason: "it answered 409 without the size that it has seen" })
  })

export interface Asked extends Tree {
  readonly note: string
  /** The size that the witness last cosigned; 0 if that is unknown. */
  readonly old: number
  /** The consistency proof from another size to this tree; none from 0. */
  readonly proofFrom: (old: number) => Effect.Effect<ReadonlyArray<Uint8Array>, LedgerUnavailable>
}

/**
 * Asks for a cosignature, and once more if the witness names another size that it has seen. Fails
 * only if our own database cannot provide the proof.
 */
export const askWitness = Effect.fnUntraced(
  function* (
    witness: Witness,
    { note, old, proofFrom, size }: Asked
  ): Effect.fn.Return<Outcome, NotHeard | LedgerUnavailable> {
    const send = (from: number) =>
      Effect.flatMap(proofFrom(from), (proof) => {
        const lines = proof.map((hash) => `${toBase64(hash)}\n`)
        return heard(() => post(witness.url!, `old ${from}\n${lines.join("")}\n${note}`))
      })
    let from = Math.min(old, size)
    let answer = yield* send(from)
    for (let repeats = 0; answer.status === 409; repeats++) {
      const text = answer.text.replace(/\n$/, "")
      // A witness that refuses another root of the size that it cosigned need not name the size.
      const seen = from === size && text === "" ? size : yield* sizeIn(text)
      if (seen > size || from === size) {
        const reason = seen === size ? `it has seen another log of ${size} entries` : `it has seen ${seen} entries`
        return { kind: "conflict", size: Math.max(seen, size), reason }
      }
      if (repeats === MAX_REPEATS) return failed("it refuses the checkpoint from the size that it names, too")
      from = seen
      answer = yield* send(from)
    }
    const { status, text } = answer
    const now = yield* Clock.currentTimeMillis
    if (status === 200) return yield* heard(() => cosigned(note, text, witness, now))
    if (status === 422)
      return { kind: "conflict", size, reason: `it does not accept the proof that its ${from} entries are unchanged` }
    if (status === 404) return { kind: "unknown", reason: "it does not know this log" }
    if (status === 403) return { kind: "unknown", reason: "it trusts no key that signed the checkpoint" }
    return failed(`it answered with status ${status}`)
  },
  (exchange) => Effect.catchTag(exchange, "NotHeard", ({ reason }) => Effect.succeed(failed(reason)))
)
