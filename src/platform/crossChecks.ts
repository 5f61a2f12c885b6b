/**
 * Rules about several settings at once. A broken rule is not reported if one of its variables has a
 * problem itself.
 */

/** The settings that the rules check; null if not set. */
type Combined = Readonly<
  Record<"databaseUrl" | "pepper" | "logSigningKey" | "logWitnesses" | "logWitnessesText", unknown> &
    Record<"stripeWebhookSecret" | "stripePrice" | "stripePaymentLink", unknown> &
    Record<"operator", { readonly name: unknown; readonly url: unknown }>
>

interface Rule {
  /** Variables whose own problems explain a broken rule. */
  readonly variables: ReadonlyArray<string>
  readonly isBroken: (read: Combined) => boolean
  readonly line: string
  /** Only a service checks this rule; commands do not need it. */
  readonly onlyServing?: true
}

export const SIGNING_KEY_REQUIRED =
  "LOG_SIGNING_KEY: is required with DATABASE_URL; use 64 hex digits, such as the output of: openssl rand -hex 32"

const RULES: ReadonlyArray<Rule> = [
  {
    variables: ["OPERATOR_NAME"],
    isBroken: ({ operator }) => operator.url !== null && operator.name === null,
    line: "OPERATOR_URL: is the link of the name in the footer, so it needs a name; set OPERATOR_NAME too"
  },
  {
    variables: ["STRIPE_PRICE", "STRIPE_PAYMENT_LINK"],
    isBroken: (read) =>
      read.stripeWebhookSecret !== null && read.stripePrice === null && read.stripePaymentLink === null,
    line: "STRIPE_WEBHOOK_SECRET: needs to know which of the account's payments buy a key; set STRIPE_PRICE (price_...) or STRIPE_PAYMENT_LINK (plink_...), or both"
  },
  {
    variables: ["SECRET_PEPPER"],
    isBroken: (read) => read.databaseUrl !== null && read.pepper === null,
    line: "SECRET_PEPPER: is required with DATABASE_URL, because all nodes must share it; use at least 32 characters"
  },
  {
    variables: ["LOG_SIGNING_KEY"],
    isBroken: (read) => read.databaseUrl !== null && read.logSigningKey === null,
    line: SIGNING_KEY_REQUIRED,
    onlyServing: true
  },
  {
    variables: ["LOG_WITNESSES", "LOG_WITNESSES_TEXT"],
    isBroken: (read) => read.logWitnesses !== null && read.logWitnessesText !== null,
    line: "LOG_WITNESSES: is set, and so is LOG_WITNESSES_TEXT; use one of them, the file or its text"
  }
]

/** One line per broken rule; `lines` are the problems of single variables. */
export const combinationProblems = (
  read: Combined,
  lines: ReadonlyArray<string>,
  isServing: boolean
): ReadonlyArray<string> => {
  const hasProblem = (variable: string) => lines.some((line) => line.startsWith(`${variable}:`))
  return RULES.filter(
    ({ isBroken, onlyServing, variables }) =>
      (isServing || onlyServing !== true) && isBroken(read) && !variables.some(hasProblem)
  ).map(({ line }) => line)
}
