/** Resources, which clients read free of charge: the rules ledger, whole or one constant at a time. */
import { readFileSync } from "node:fs"
import { ANSWER_VIEW } from "../../schema/tools.ts"
import { publishedRules, ruleVersion } from "../services/answers/publishedRules.ts"

export const JSON_MEDIA_TYPE = "application/json"

const LEDGER_URI = "rules://ledger"
const OMISSIONS_URI = "rules://omissions"
const CONSTANT_URI_PREFIX = "rules://constants/"
export const CONSTANT_URI_TEMPLATE = `${CONSTANT_URI_PREFIX}{id}`

/** The view that chat programs show for an answer, by the extension `io.modelcontextprotocol/ui`. */
export const VIEW = {
  uri: ANSWER_VIEW,
  name: "answer-view",
  title: "An answer, drawn",
  description: "Cards, a plot and a list of plans for the answer of compare_plans or compare_scenarios.",
  mimeType: "text/html;profile=mcp-app"
}

export const RESOURCES = [
  {
    uri: LEDGER_URI,
    name: "rules-ledger",
    title: "Rules ledger",
    description:
      "Every constant that the engine uses, with value, unit, definition, source and dates, the rules knowingly not applied, and the version that answers name in provenance.ruleVersion. Long: for one constant read rules://constants/{id}.",
    mimeType: JSON_MEDIA_TYPE
  },
  {
    uri: OMISSIONS_URI,
    name: "known-omissions",
    title: "Known omissions",
    description: "Rules of the law that the engine knowingly does not apply, and what that does to the figures.",
    mimeType: JSON_MEDIA_TYPE
  },
  VIEW
]

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: CONSTANT_URI_TEMPLATE,
    name: "rule-constant",
    title: "One constant of the rules ledger",
    description: "A constant with its value, source and dates, by an id of provenance.citations.",
    mimeType: JSON_MEDIA_TYPE
  }
]

let view: string | undefined
/** Read when it is first asked for, because few clients do. */
const viewText = (): string => {
  view ??= readFileSync(new URL("../web/generated/chat.html", import.meta.url), "utf8")
  return view
}

const constants = new Map(publishedRules.constants.map((constant) => [constant.id, constant]))

const fixedTexts: Readonly<Record<string, string>> = {
  [LEDGER_URI]: JSON.stringify(publishedRules),
  [OMISSIONS_URI]: JSON.stringify({ version: ruleVersion, knownOmissions: publishedRules.knownOmissions })
}

/** The text of a resource, or undefined when no resource has this URI. */
export const resourceText = (uri: string): string | undefined => {
  if (uri === VIEW.uri) return viewText()
  const fixed = Object.hasOwn(fixedTexts, uri) ? fixedTexts[uri] : undefined
  if (fixed !== undefined || !uri.startsWith(CONSTANT_URI_PREFIX)) return fixed
  const constant = constants.get(uri.slice(CONSTANT_URI_PREFIX.length))
  return constant === undefined ? undefined : JSON.stringify({ version: ruleVersion, constant })
}

/** The most values that the protocol allows in one completion. */
const MAX_COMPLETIONS = 100

/** Ids of constants that contain the typed text. Ids that begin with it come first. */
export const completeConstantId = (typed: string) => {
  const sought = typed.trim().toLowerCase()
  const found = [...constants.keys()].filter((id) => id.includes(sought))
  const ordered = found.toSorted((a, b) => Number(b.startsWith(sought)) - Number(a.startsWith(sought)))
  return {
    values: ordered.slice(0, MAX_COMPLETIONS),
    total: ordered.length,
    hasMore: ordered.length > MAX_COMPLETIONS
  }
}
