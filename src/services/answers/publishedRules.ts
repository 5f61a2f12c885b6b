/**
 * The published form of the rules ledger. It changes only with a release, so it is assembled once.
 */
import { constants, engineRevision, publishedOmissions, releasedAtUtc, ruleVersion } from "../../../ledger/index.ts"
import type { RulesResponse } from "../../../schema/rules.ts"

export { ruleVersion }

const HOW_TO_USE =
  "Each answer names the constants that it used in provenance.citations, by id, and the version of this ledger in provenance.ruleVersion. Poll GET /v1/rules/version, or send If-None-Match here: when the version changes, a constant moved, and the entries say which and on whose authority. engineRevision is part of the version: it is raised when the engine's code moves a figure without a constant moving, so that equal versions mean equal figures. knownOmissions are rules of the law that the engine knowingly does not apply."

export const publishedRules: RulesResponse = {
  version: ruleVersion,
  generatedAtUtc: releasedAtUtc,
  engineRevision,
  constants,
  knownOmissions: publishedOmissions,
  howToUse: HOW_TO_USE
}
