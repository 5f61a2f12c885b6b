/** The last lines of every answer: the rules that it is based on, and the rules that are knowingly not applied. */
import type { EngineProvenance } from "../../../schema/projection.ts"
import type { Screen } from "../output.ts"
import { counted, wrap } from "./text.ts"

export const provenanceLines = (provenance: EngineProvenance, { columns, style }: Screen): ReadonlyArray<string> => {
  const { citations, computedAtUtc, knownOmissions = [], notes = [], ruleVersion } = provenance
  const basis = `Rules ${ruleVersion}, computed ${computedAtUtc}; based on ${counted(citations.length, "published constant")} (--json names them).`
  const omitted = `Not modeled, although it affects this answer: ${knownOmissions.map(({ label }) => label).join("; ")}.`
  const lines = [...wrap(basis, columns), ...(knownOmissions.length === 0 ? [] : wrap(omitted, columns))]
  return [...notes.flatMap((note) => wrap(`Note: ${note}.`, columns)), ...lines.map(style.dim)]
}
