/** `repay rules`: the published rules ledger, and its changes since an older copy. */
import { Effect, Option, Schema } from "effect"
import { Command } from "effect/cli"
import {
  EVIDENCE_GRADES,
  RuleConstantEntry,
  RuleOmissionEntry,
  RulesResponse,
  SourceEntry
} from "../../../schema/rules.ts"
import { fieldErrors } from "../../request/validation.ts"
import { publishedRules } from "../../services/answers/publishedRules.ts"
import { badInput } from "../failures.ts"
import { optionalFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { dataCommand, show } from "../output.ts"
import { rulesDifferenceView, rulesView } from "../views/rules.ts"
import { fieldLines, readText } from "./requestFile.ts"
import { differenceOf } from "./rulesDiff.ts"

const MAX_LEDGER_BYTES = 16 * 1024 * 1024

/** The ledger as GET /v1/rules sends it. */
export const rules = Schema.encodeSync(RulesResponse)(publishedRules)

/**
 * A ledger of another release. Early ones have no engine revision and no grades of evidence; later
 * ones may have other grades. Unknown members are ignored.
 */
const SavedSource = Schema.Struct({ ...SourceEntry.fields, evidence: Schema.optionalKey(Schema.String) })
const SavedRules = Schema.Struct({
  ...RulesResponse.fields,
  engineRevision: Schema.optionalKey(RulesResponse.fields.engineRevision),
  constants: Schema.Array(Schema.Struct({ ...RuleConstantEntry.fields, source: SavedSource })),
  knownOmissions: Schema.Array(Schema.Struct({ ...RuleOmissionEntry.fields, source: SavedSource }))
})

/** Reads a saved response of GET /v1/rules. */
export const readLedger = Effect.fnUntraced(function* (path: string) {
  const text = yield* readText(path, MAX_LEDGER_BYTES)
  const parsed = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => badInput(`${path}: is not valid JSON; use a response of GET /v1/rules`)
  })
  return yield* Effect.mapError(Schema.decodeUnknownEffect(SavedRules, { errors: "all" })(parsed), ({ issue }) =>
    badInput(`${path}: is not a response of GET /v1/rules`, ...fieldLines(fieldErrors(issue)))
  )
})

/** The ledger limited to one grade of evidence. */
const rulesOfGrade = Effect.fnUntraced(function* (grade: string) {
  if (!EVIDENCE_GRADES.some((known) => known === grade))
    return yield* badInput(`--evidence: use one of ${EVIDENCE_GRADES.join(", ")}`)
  const isOfGrade = ({ source }: { readonly source: { readonly evidence: string } }) => source.evidence === grade
  return {
    ...rules,
    constants: rules.constants.filter(isOfGrade),
    knownOmissions: rules.knownOmissions.filter(isOfGrade)
  }
})

export const rulesCommand = dataCommand(
  "rules",
  {
    diff: optionalFlag("diff", "<old.json>", "Compare with this older response of GET /v1/rules; - is standard input"),
    evidence: optionalFlag("evidence", "<grade>", "List only the entries of one grade of evidence, such as third-party")
  },
  Effect.fn("repay.rules")(function* (input, format) {
    if (Option.isNone(input.diff)) {
      const listed = Option.isSome(input.evidence) ? yield* rulesOfGrade(input.evidence.value) : rules
      return yield* show(format, listed, rulesView(listed))
    }
    if (Option.isSome(input.evidence)) return yield* badInput("--evidence and --diff: use one of them")
    const difference = differenceOf(yield* readLedger(input.diff.value), rules)
    return yield* show(format, difference, rulesDifferenceView(difference))
  })
).pipe(
  withHelp(
    "List the rules ledger of this release: every constant that the engine uses, and every rule that it knowingly does not apply.",
    "With --diff, print what changed since an older copy: the entries added, removed and changed, with each value before and after. Entries in which only words changed come last. The second line says whether figures may differ, and why: the engine's revision, constants that came into force or were superseded, or values. Differences are not a failure: the exit code is 0."
  ),
  Command.withExamples([
    { command: "repay rules --json > rules.json", description: "The document of GET /v1/rules" },
    { command: "repay rules --evidence third-party", description: "The entries that rest on quotations and reports" },
    { command: "repay rules --diff rules.json", description: "What this release changed since that copy" },
    {
      command: "curl -s https://api.example.org/v1/rules | repay rules --diff -",
      description: "What a running service computes differently"
    }
  ])
)
