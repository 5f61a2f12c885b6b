/**
 * Turns the issues of a request that does not decode into `errors`: each refused field by its path, with messages that
 * say what to send. Messages come from the schemas, never from the values, and their size is limited.
 */
import { type SchemaAST, SchemaIssue } from "effect"
import { boundedErrors, type FieldErrors } from "./fieldErrors.ts"
import { fieldPath } from "./fieldPath.ts"
import { REMOVE_IT } from "./read.ts"

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

/** The problems that a schema finds, within the limits of `errors`. */
export const fieldErrors = (issue: SchemaIssue.Issue): FieldErrors =>
  boundedErrors(
    formatIssues(issue).issues.map(({ message, path = [] }) => {
      const segments = path.map((segment) => (typeof segment === "object" ? segment.key : segment))
      return [fieldPath(segments), wording(message)]
    })
  )
