/** The last lines of every answer: notes, the rules that it rests on, and the rules left out. */
import { releasedAtUtc } from "../../../ledger/release.ts"
import type { EngineProvenance } from "../../../schema/projection.ts"
import { monthDayYear } from "../../messages/figures.ts"
import { END_OF_PLANS, endOfPlans } from "../../messages/plans.ts"
import type { Screen } from "../output.ts"
import { counted, wrap } from "./text.ts"

type Omissions = NonNullable<EngineProvenance["knownOmissions"]>

/** One sentence on the rules knowingly left out; no lines if there are none. */
export const omissionLines = (omissions: Omissions, columns: number): ReadonlyArray<string> => {
  const labels = omissions.map(({ label }) => label).join("; ")
  return omissions.length === 0 ? [] : wrap(`Not modeled, although it affects this answer: ${labels}.`, columns)
}

const noteLines = ({ citations, notes = [] }: EngineProvenance, columns: number): ReadonlyArray<string> => {
  const ids = citations.map(({ id }) => id)
  return [...notes, ...(ids.includes(END_OF_PLANS) ? [endOfPlans(ids)] : [])].flatMap((note) =>
    wrap(`Note: ${note}.`, columns)
  )
}

const rulesOf = ({ answerId, ruleVersion }: EngineProvenance): string =>
  `Rules ${ruleVersion}${answerId === null ? ", not recorded" : ""}`

export const provenanceLines = (provenance: EngineProvenance, { columns, style }: Screen): ReadonlyArray<string> => {
  const { citations, computedAtUtc, knownOmissions = [] } = provenance
  const basis = `${rulesOf(provenance)}, computed ${computedAtUtc}; based on ${counted(citations.length, "published constant")} (--json names them).`
  const lines = [...wrap(basis, columns), ...omissionLines(knownOmissions, columns)]
  return [...noteLines(provenance, columns), ...lines.map(style.dim)]
}

/** The date of the rules, and the numbers of omissions and sources. */
export const basisLines = (omissions: number, sources: number, { columns, style }: Screen): ReadonlyArray<string> => {
  const more = `${counted(omissions, "simplification")} and ${counted(sources, "source")}`
  return wrap(`Rules of ${monthDayYear(releasedAtUtc)}. See --json for ${more}.`, columns).map(style.dim)
}

/** The same in one line, with the numbers of omissions and sources. */
export const briefProvenance = (provenance: EngineProvenance, screen: Screen): ReadonlyArray<string> => {
  const { citations, knownOmissions = [] } = provenance
  return [...noteLines(provenance, screen.columns), ...basisLines(knownOmissions.length, citations.length, screen)]
}
