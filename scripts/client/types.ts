/**
 * The generator of plain TypeScript types for the contract's schemas: JSON as sent and received,
 * with the descriptions as comments. A string that the service accepts in any case becomes the
 * union of its canonical spellings.
 */
import { type Schema, SchemaAST } from "effect"
import { CALCULATOR_LOAN_TYPES, CALCULATOR_PLANS } from "../../schema/calculator.ts"
import { LOAN_TYPES } from "../../schema/loan.ts"
import { FORGIVENESS_TYPES } from "../../schema/projection.ts"
import { FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"

const LINE_WIDTH = 118

export const comment = (text: string, indent = ""): string => {
  const lines: Array<string> = []
  for (const paragraph of text.split("\n")) {
    let line = ""
    for (const word of paragraph.split(" ")) {
      if (line !== "" && `${indent} * ${line} ${word}`.length > LINE_WIDTH) {
        lines.push(line)
        line = word
      } else line = line === "" ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  const [only, ...others] = lines
  const body = others.length === 0 ? `${indent}/** ${only} */` : ""
  if (body !== "" && body.length <= LINE_WIDTH + 2) return `${body}\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

/** Unions that get a name, with their members. */
const NAMED_UNIONS = {
  PlanType: [PLAN_TYPES, "A repayment plan."],
  LoanType: [LOAN_TYPES, "A type of federal loan."],
  FilingStatus: [FILING_STATUSES, "Federal tax filing status."],
  State: [STATES, "Postal code of a state, DC or a territory."],
  ForgivenessType: [FORGIVENESS_TYPES, "Which forgiveness ends the loans."],
  CalculatorPlan: [CALCULATOR_PLANS, "A plan of the keyless calculator."],
  CalculatorLoanType: [Object.keys(CALCULATOR_LOAN_TYPES), "A loan type by the short name of the keyless calculator."]
} as const

const unionOf = (values: ReadonlyArray<unknown>): string => values.map((value) => JSON.stringify(value)).join(" | ")

const NAMES = new Map(Object.entries(NAMED_UNIONS).map(([name, [values]]) => [unionOf(values), name]))

const namedUnions = (): string =>
  Object.entries(NAMED_UNIONS)
    .map(([name, [values, text]]) => `${comment(text)}export type ${name} = ${unionOf(values)}\n`)
    .join("\n")

/** Fields that accept short names in addition to their schema's canonical spellings. */
const ALSO: Readonly<Record<string, string>> = { "KeylessLoanRequest.loanType": "CalculatorLoanType" }

const identifierOf = (ast: SchemaAST.AST): string | undefined =>
  SchemaAST.resolve(ast)?.["identifier"] as string | undefined

const described = (annotations: Schema.Annotations.Annotations | undefined): string | undefined =>
  annotations?.["description"] as string | undefined

/**
 * The description of a field: from its key, or else from its type. A union's includes those of its
 * members.
 */
const descriptionOf = (ast: SchemaAST.AST): string => {
  const atKey = described(ast.context?.annotations)
  if (atKey !== undefined) return atKey
  const own = described(SchemaAST.resolve(ast)) ?? described(ast.annotations)
  const members = SchemaAST.isUnion(ast) ? ast.types.map(descriptionOf) : []
  const parts = [...members, own ?? ""].filter((text) => text !== "")
  if (parts.length > 0 || ast.encoding === undefined) return [...new Set(parts)].join(" ")
  return descriptionOf(ast.encoding[0].to)
}

const isOptional = (ast: SchemaAST.AST): boolean =>
  ast.context?.isOptional === true || SchemaAST.toEncoded(ast).context?.isOptional === true

/**
 * Whether the service has a default for this field of a request. A field of an answer, if present,
 * is never undefined.
 */
const hasDefault = (ast: SchemaAST.AST): boolean => isOptional(ast) && ast.context?.isOptional !== true

const fallback = (ast: SchemaAST.AST): string => {
  const value = SchemaAST.resolve(ast)?.["default"] ?? ast.annotations?.["default"]
  return value === undefined ? "" : `\n@default ${JSON.stringify(value)}`
}

const deprecation = (ast: SchemaAST.AST): string =>
  SchemaAST.resolve(ast)?.["deprecated"] === true ? "\n@deprecated" : ""

/** Names of the members that are always present. */
export const requiredMembers = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast)
    ? ast.propertySignatures.filter(({ type }) => !isOptional(type)).map(({ name }) => String(name))
    : []

export const fieldsOf = (ast: SchemaAST.AST, owner: string, typeOf: (ast: SchemaAST.AST) => string): string => {
  if (!SchemaAST.isObjects(ast)) throw new Error(`${owner} is no object`)
  return ast.propertySignatures
    .map(({ name, type }) => {
      const key = String(name)
      const also = ALSO[`${owner}.${key}`]
      const written = [also, typeOf(type), hasDefault(type) ? "undefined" : undefined].filter((one) => one).join(" | ")
      const text = descriptionOf(type) + fallback(type) + deprecation(type)
      return `${comment(text, "  ")}  readonly ${key}${isOptional(type) ? "?" : ""}: ${written}\n`
    })
    .join("")
}

const KEYWORDS: Readonly<Record<string, string>> = {
  String: "string",
  Number: "number",
  Boolean: "boolean",
  Null: "null"
}

/** Writes types and collects the declarations that they refer to. */
export const typeWriter = () => {
  const declarations = new Map<string, string>()

  const shapeOf = (ast: SchemaAST.AST): string => {
    if (SchemaAST.isLiteral(ast)) return JSON.stringify(ast.literal)
    if (SchemaAST.isUnion(ast))
      return NAMES.get(ast.types.map(shapeOf).join(" | ")) ?? ast.types.map(typeOf).join(" | ")
    if (SchemaAST.isArrays(ast)) return `ReadonlyArray<${ast.rest.map(typeOf).join()}>`
    if (SchemaAST.isObjects(ast))
      return `Readonly<Record<string, ${ast.indexSignatures.map(({ type }) => typeOf(type)).join()}>>`
    const keyword = KEYWORDS[ast._tag]
    if (keyword !== undefined) return keyword
    if (SchemaAST.isDeclaration(ast) && ast.annotations?.["expected"] === "JSON value") return "Json"
    throw new Error(`no type for ${ast._tag}`)
  }

  const declare = (name: string, ast: SchemaAST.AST): void => {
    if (declarations.has(name)) return
    declarations.set(name, "")
    const header = comment(descriptionOf(ast))
    const isInterface = SchemaAST.isObjects(ast)
    const body = isInterface ? `interface ${name} {\n${fieldsOf(ast, name, typeOf)}}` : `type ${name} = ${shapeOf(ast)}`
    declarations.set(name, `${header}export ${body}\n`)
  }

  const typeOf = (ast: SchemaAST.AST): string => {
    const name = identifierOf(ast)
    if (name === undefined) return shapeOf(ast)
    declare(name, ast)
    return name
  }

  return { typeOf, declared: () => [namedUnions(), ...declarations.values()].join("\n") }
}
