/** Rules about several settings at once. config.ts tells one that is broken unless a variable of it has a problem already. */

/** What the rules look at: null where nothing was set. */
interface Combined {
  readonly databaseUrl: unknown
  readonly pepper: unknown
  readonly stripeWebhookSecret: unknown
  readonly stripePrice: unknown
  readonly stripePaymentLink: unknown
}

interface Rule {
  /** Whose own problems explain this one. */
  readonly variables: ReadonlyArray<string>
  readonly isBroken: (read: Combined) => boolean
  readonly line: string
}

const RULES: ReadonlyArray<Rule> = [
  {
    variables: ["STRIPE_PRICE", "STRIPE_PAYMENT_LINK"],
    isBroken: (read) =>
      read.stripeWebhookSecret !== null && read.stripePrice === null && read.stripePaymentLink === null,
    line: "STRIPE_WEBHOOK_SECRET: does not say which payments of the account entitle to a key; set STRIPE_PRICE (price_...) or STRIPE_PAYMENT_LINK (plink_...) too, or use both"
  },
  {
    variables: ["SECRET_PEPPER"],
    isBroken: (read) => read.databaseUrl !== null && read.pepper === null,
    line: "SECRET_PEPPER: is required with DATABASE_URL, because all nodes must share it; use at least 32 characters"
  }
]

/** One line for each rule that is broken; `lines` are the problems of single variables. */
export const combinationProblems = (read: Combined, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isTold = (variable: string) => lines.some((line) => line.startsWith(`${variable}:`))
  return RULES.filter(({ isBroken, variables }) => isBroken(read) && !variables.some(isTold)).map(({ line }) => line)
}
