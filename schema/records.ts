/** Records of answers: the anonymous verification, and the list of the account. Neither contains inputs. */
import { Schema } from "effect"
import { instant, text } from "./primitives.ts"

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
    "Keyed hash of the inputs, h1-<hex>; equal inputs give an equal hash. It says nothing by itself, but the holder of any key can test a guess of all inputs by sending it."
  )
}

export const VerifiedAnswer = Schema.Struct({
  ...record,
  recorded: Schema.Boolean.annotate({ description: "Always true: the record exists.", readOnly: true })
}).annotate({ identifier: "VerifiedAnswer", description: "The record of an answer, without its inputs." })
export type VerifiedAnswer = typeof VerifiedAnswer.Type

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
