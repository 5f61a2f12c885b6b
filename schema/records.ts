/** Records of answers: anonymous verification, and the account's list. Neither contains inputs. */
import { Schema } from "effect"
import { checkedText, instant, required, text } from "./primitives.ts"

const record = {
  answerId: Schema.String.annotate({ format: "uuid", description: "Public id of the record." }),
  recordedAtUtc: instant("When the answer was recorded."),
  source: Schema.Literals(["PublicApi", "McpServer"]).annotate({ description: "Which surface served the answer." }),
  endpoint: text("<METHOD> <path>, or GET /v1/reference#<scenario id>."),
  eventType: Schema.Literals(["calc.projection.run", "calc.comparison.run"]).annotate({
    description: "What was computed: one projection, or a comparison."
  }),
  ruleVersion: text("Version of the rules ledger that produced the answer."),
  inputsHash: text(
    "Keyed hash of the inputs, h1-<hex>; equal inputs give an equal hash. It reveals nothing by itself, but anyone with a key can test a guess of all inputs by sending them."
  ),
  answerHash: text(
    "What the record commits to, a2-<hex>: SHA-256 of the answer and its salt (provenance.answerSalt). Anyone who has the answer can compute it; it reveals no figure."
  )
}

export const VerifiedAnswer = Schema.Struct({
  ...record,
  recorded: Schema.Boolean.annotate({ description: "Always true: the record exists.", readOnly: true })
}).annotate({ identifier: "VerifiedAnswer", description: "The record of an answer, without its inputs." })
export type VerifiedAnswer = typeof VerifiedAnswer.Type

const SALT = /^[\w-]{22}$/
const SEND_AS_RECEIVED = "a recorded answer as it was received"
const rest = [Schema.Record(Schema.String, Schema.Json)] as const

/**
 * Requires only the salt. An altered answer may no longer have the shape of an answer, and is
 * reported as not matching rather than refused.
 */
export const RecordedAnswer = Schema.StructWithRest(
  Schema.Struct({
    provenance: required(
      Schema.StructWithRest(
        Schema.Struct({
          answerSalt: required(
            checkedText(
              `must be a string: send ${SEND_AS_RECEIVED}`,
              (salt) => (SALT.test(salt) ? [] : [`is not the salt of an answer: send ${SEND_AS_RECEIVED}`]),
              { toJsonSchema: () => ({}) }
            ),
            SEND_AS_RECEIVED
          )
        }),
        rest
      ).annotate({
        description: "Where the numbers of the answer come from, as it was received.",
        message: `must be an object: send ${SEND_AS_RECEIVED}`
      }),
      SEND_AS_RECEIVED
    )
  }),
  rest
).annotate({
  identifier: "RecordedAnswer",
  description: "A projection or a comparison as it was received.",
  message: `must be a JSON object: send ${SEND_AS_RECEIVED}`
})

/** How every receipt begins (C2SP tlog-proof). */
export const RECEIPT_START = "c2sp.org/tlog-proof@v1\n"

export const Receipt = Schema.String.annotate({
  description: "The record, the proof that it is in the log, and a signed checkpoint (C2SP tlog-proof)."
}).check(Schema.isStartingWith(RECEIPT_START))

export const CheckedAnswer = Schema.Struct({
  matches: Schema.Boolean.annotate({
    description: "Whether the answer that was sent is the one that was recorded, to the last figure."
  }),
  record: VerifiedAnswer
}).annotate({ identifier: "CheckedAnswer", description: "A record, and whether the answer that was sent matches it." })
export type CheckedAnswer = typeof CheckedAnswer.Type

export const RecordRow = Schema.Struct({
  ...record,
  keyPrefix: text("Prefix of the key that made the call."),
  verifyUrl: text("Where anyone can confirm the record.")
}).annotate({ identifier: "RecordRow", description: "The record of one of the account's answers." })
export type RecordRow = typeof RecordRow.Type

export const RecordsPage = Schema.Struct({
  records: Schema.Array(RecordRow).annotate({ description: "Newest first." }),
  nextCursor: Schema.NullOr(
    Schema.Int.annotate({ format: "int64", description: "Send it as cursor for the next page; null on the last page." })
  )
}).annotate({ identifier: "RecordsPage", description: "A page of the account's records." })
export type RecordsPage = typeof RecordsPage.Type
