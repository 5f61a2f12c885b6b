/** The last lines of every answer: which rules it rests on, and which rules are knowingly left out. */
import type { EngineProvenance } from "../../../schema/projection.ts"
import type { Screen } from "../output.ts"
import { counted, wrap } from "./text.ts"

export const provenanceLines = (provenance: EngineProvenance, { columns, style }: Screen): ReadonlyArray<string> => {
  const { citations, computedAtUtc, knownOmissions = [], ruleVersion } = provenance
  const rests = `Rules ${ruleVersion}, computed ${computedAtUtc}; rests on ${counted(citations.length, "published constant")} (--json names them).`
  const left = `Not modeled, though it bears on this answer: ${knownOmissions.map(({ label }) => label).join("; ")}.`
  const lines = [...wrap(rests, columns), ...(knownOmissions.length === 0 ? [] : wrap(left, columns))]
  return lines.map(style.dim)
}
