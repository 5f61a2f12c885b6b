/** The last lines of every answer: notes, the rules that it rests on, and the rules left out. */
import type { EngineProvenance } from "../../../schema/projection.ts"
import type { Screen } from "../output.ts"
import { counted, wrap } from "./text.ts"

type Omissions = NonNullable<EngineProvenance["knownOmissions"]>

/** One sentence on the rules knowingly left out; no lines if there are none. */
export const omissionLines = (omissions: Omissions, columns: number): ReadonlyArray<string> => {
  const labels = omissions.map(({ label }) => label).join("; ")
  return omissions.length === 0 ? [] : wrap(`Not modeled, although it affects this answer: ${labels}.`, columns)
}

export const provenanceLines = (provenance: EngineProvenance, { columns, style }: Screen): ReadonlyArray<string> => {
  const { citations, computedAtUtc, knownOmissions = [], notes = [], ruleVersion } = provenance
  const basis = `Rules ${ruleVersion}, computed ${computedAtUtc}; based on ${counted(citations.length, "published constant")} (--json names them).`
  const lines = [...wrap(basis, columns), ...omissionLines(knownOmissions, columns)]
  return [...notes.flatMap((note) => wrap(`Note: ${note}.`, columns)), ...lines.map(style.dim)]
}
