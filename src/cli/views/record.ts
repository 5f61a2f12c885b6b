/** A record as text. */
import type { VerifiedAnswer } from "../../../schema/records.ts"
import type { Screen } from "../output.ts"
import { definitionList } from "./table.ts"
import { harmless } from "./text.ts"

export const recordView =
  (record: VerifiedAnswer) =>
  ({ style }: Screen): string =>
    definitionList(
      [
        ["Answer", record.answerId],
        ["Recorded", record.recordedAtUtc],
        ["Served by", `${record.endpoint} (${record.source})`],
        ["Event", record.eventType],
        ["Rules", record.ruleVersion],
        ["Inputs hash", record.inputsHash],
        ["Answer hash", record.answerHash]
      ].map(([name, value]) => [name!, harmless(value!)] as const),
      style.bold
    ).join("\n")
