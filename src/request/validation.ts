/**
 * Turns the issues of a request that does not decode into `errors`: each refused field by its path, with messages that
 * say what to send. Messages come from the schemas, never from the values; the response stays small whatever was sent.
 */
import { type SchemaAST, SchemaIssue } from "effect"
import { type Advise, REMOVE_IT } from "./advice.ts"
import { fieldPath } from "./fieldPath.ts"

export type FieldErrors = Readonly<Record<string, ReadonlyArray<string>>>

const MAX_PROBLEMS = 50
/** Fields whose shortened names are the same, with the same message, are told once; they are not looked for without end. */
const MAX_LOOKED_AT = 4 * MAX_PROBLEMS
/** Keeps the whole response under 32 KB. */
const MAX_ERRORS_BYTES = 24_000

const utf8 = new TextEncoder()

const TYPE_MESSAGES: Readonly<Partial<Record<SchemaAST.AST["_tag"], string>>> = {
  String: "must be text: send a JSON string",
  Number: "must be a number: send a JSON number",
  Boolean: "must be true or false: send a JSON boolean",
  Objects: "must be a JSON object",
  Arrays: "must be a JSON array",
  Null: "must be null"
}

const fallbackMessage = (issue: SchemaIssue.Leaf): string => {
  switch (issue._tag) {
    case "MissingKey":
      return "is required"
    case "UnexpectedKey":
      return REMOVE_IT
    case "InvalidType":
      return TYPE_MESSAGES[issue.ast._tag] ?? "is not of the right type"
    default:
      return "is not acceptable"
  }
}

/** The message that the schema has for an issue of this kind, if any. */
const schemaMessage = (issue: SchemaIssue.Leaf): unknown => {
  switch (issue._tag) {
    case "MissingKey":
      return issue.annotations?.messageMissingKey
    case "UnexpectedKey":
      return undefined
    case "InvalidType":
    case "OneOf":
      return issue.ast.annotations?.["message"]
    default:
      return issue.annotations?.message
  }
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    const message = schemaMessage(issue)
    return typeof message === "string" ? message : fallbackMessage(issue)
  }
})

const TYPE_WORDS: Readonly<Record<string, string>> = { string: "text", number: "a number", boolean: "true or false" }

/** The formatter has a message of its own for a failed union, such as "Expected number | null". */
const wording = (message: string): string => {
  const types = /^Expected (\w+(?: \| \w+)*)$/.exec(message)?.[1]?.split(" | ")
  return types === undefined ? message : `must be ${types.map((type) => TYPE_WORDS[type] ?? type).join(" or ")}`
}

/** At most 50 messages, each field once with its distinct messages, within the limit of bytes. */
export const boundedErrors = (problems: Iterable<readonly [field: string, message: string]>): FieldErrors => {
  const errors = new Map<string, Array<string>>()
  let count = 0
  let bytes = 0
  let looked = 0
  for (const [field, message] of problems) {
    if (looked++ === MAX_LOOKED_AT) break
    const messages = errors.get(field) ?? []
    if (messages.includes(message)) continue
    bytes += utf8.encode(JSON.stringify([field, message])).length
    if (count === MAX_PROBLEMS || bytes > MAX_ERRORS_BYTES) break
    count++
    messages.push(message)
    errors.set(field, messages)
  }
  return Object.fromEntries(errors)
}

const UNADVISED: Advise = (_path, message) => message

/** Each problem with its field, worded only when it is asked for. */
function* worded(
  issues: Iterable<SchemaIssue.Issue>,
  advise: Advise
): Generator<readonly [field: string, message: string]> {
  for (const issue of issues) {
    for (const { message, path } of formatIssues(issue).issues) {
      const segments = (path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))
      yield [fieldPath(segments), advise(segments, wording(message))]
    }
  }
}

/** The problems of a request that does not decode, as far as they are told. */
export const fieldErrors = (issues: Iterable<SchemaIssue.Issue>, advise: Advise = UNADVISED): FieldErrors =>
  boundedErrors(worded(issues, advise))
