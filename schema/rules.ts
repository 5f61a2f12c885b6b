/** The rules ledger as GET /v1/rules publishes it. */
import { Schema } from "effect"
import { instant, integer, text } from "./primitives.ts"

/** Evidence grades, the surest first, with the meaning of each. */
export const EVIDENCE = {
  statute: "The text of a statute, a regulation or an official notice was read in a copy.",
  "official-copy": "An official page, notice or printed table was read in a copy.",
  "open-model": "The figures were found in open tax or benefit models that cite the official source.",
  "third-party": "It was read in a quotation or a report of the official source.",
  convention: "The engine chose or derived it; no official text states it in this form."
} as const
export type Evidence = keyof typeof EVIDENCE
export const EVIDENCE_GRADES = Object.keys(EVIDENCE) as ReadonlyArray<Evidence>

export const SourceEntry = Schema.Struct({
  authority: text("Who publishes the rule."),
  url: text("Where it is published."),
  note: text("Citation, and what of it was read."),
  evidence: Schema.Literals(EVIDENCE_GRADES).annotate({
    description: `How surely the rule was read. ${EVIDENCE_GRADES.map((grade) => `${grade}: ${EVIDENCE[grade]}`).join(" ")}`
  }),
  cadence: text("How often the source is updated.")
}).annotate({ identifier: "SourceEntry", description: "Where a rule is published." })

export const RuleConstantEntry = Schema.Struct({
  id: text("Stable id."),
  label: text("Short name."),
  plan: text("Plan type, or ALL, PSLF, TEACHER."),
  unit: text("Unit of the value."),
  definition: text("What the constant means."),
  value: Schema.Json.annotate({ description: "The constant; its shape varies by entry." }),
  source: SourceEntry,
  effectiveDate: text("YYYY-MM-DD."),
  lastVerified: text("YYYY-MM-DD."),
  parityLocked: Schema.Boolean.annotate({
    description:
      "Whether parity cases, whose figures come from outside this service, fail when the engine deviates from this rule."
  })
}).annotate({ identifier: "RuleConstantEntry", description: "One constant of the law, with its source and dates." })

export const RuleOmissionEntry = Schema.Struct({
  id: text("Stable id."),
  label: text("Short name."),
  detail: text("What is not applied, and what that does to the figures."),
  source: SourceEntry,
  effectiveDate: text("YYYY-MM-DD."),
  expiresDate: text("YYYY-MM-DD; empty when no end is known."),
  lastVerified: text("YYYY-MM-DD.")
}).annotate({ identifier: "RuleOmissionEntry", description: "One rule knowingly not applied." })

export const RulesResponse = Schema.Struct({
  version: text("rl1-<hex>; equals the ETag."),
  generatedAtUtc: instant("Release instant of this version."),
  engineRevision: integer(
    "Revision of the engine, raised when a change of its code moves figures. The version is computed from it and the entries."
  ),
  constants: Schema.Array(RuleConstantEntry).annotate({ description: "Every constant that the engine uses." }),
  knownOmissions: Schema.Array(RuleOmissionEntry).annotate({ description: "Every rule knowingly not applied." }),
  howToUse: text("How to read and poll the ledger.")
}).annotate({ identifier: "RulesResponse", description: "The rules ledger." })
export type RulesResponse = typeof RulesResponse.Type

export const RulesVersion = Schema.Struct({ version: text("rl1-<hex>; equals the ETag.") }).annotate({
  identifier: "RulesVersion",
  description: "The version of the rules ledger."
})
