/** The tools of each server, and its instructions for clients. A tool's description explains its use. */
import { type KeyedTool, OPEN_TOOLS, type OpenTool, TOOLS, type ToolDescription } from "../../schema/tools.ts"

export interface Offer<Name extends string> {
  readonly instructions: string
  readonly tools: ReadonlyArray<ToolDescription<Name>>
  /** Whether the server also has the rules as resources, and prompts. */
  readonly hasRules: boolean
}

const SUBJECT =
  "Repayment calculations for US federal student loans: payments, payoff or forgiveness dates, total cost and the tax on forgiveness, each with its sources."

const ALWAYS =
  "The structuredContent of an answer has all figures; its text says the same in words. If arguments are refused, the result is a problem document: its errors name each field and say what to send. Ask the borrower for missing facts; never assume an income, a filing status, dependents or a state. Tell the borrower what an answer leaves out. Answers are estimates under current rules, not legal or tax advice."

const ORDER =
  "Usual order: compare_plans for all loans under every plan, run_projection with includeYearly for a record of the one chosen (or compare_scenarios for several, one label per plan), explain_payment for why a payment is what it is. Send all loans of a borrower together: never add up answers of single loans. Money is in US dollars; rates are fractions (0.0654 means 6.54%). Sources and rules left out come as ids and labels. For their texts set detail to full, or read rules://omissions and rules://constants/{id}."

const KEYED =
  "Each answered tool call except compare_plans and explain_payment counts as one of the key's monthly calls, which the REST API shares. Projections and comparisons are recorded: anyone can confirm them at provenance.verifyUrl, which shows no inputs. If somebody will rely on an answer, keep its structuredContent unchanged: it proves its figures at POST /v1/verify/{answerId}."

const LOCAL =
  "This server computes on this machine without a key: nothing is sent anywhere, nothing is charged and nothing is recorded. So provenance.answerId and provenance.verifyUrl are null, and nobody else can confirm an answer. For answers of record, connect to a service with a key."

const OPEN =
  "Use compare_plans for all loans under every plan, and explain_payment for why a payment is what it is; its detail full has the texts of sources. Send all loans of a borrower together: never add up answers of single loans. Money is in US dollars; rates are fractions (0.0654 means 6.54%). No key is needed, and one that is sent is ignored: nothing is charged and nothing is recorded, so nobody can confirm an answer later. The people who share your program's address share a limit of calls."

export const KEYED_OFFER: Offer<KeyedTool> = {
  instructions: `${SUBJECT} ${ORDER} ${ALWAYS} ${KEYED}`,
  tools: TOOLS,
  hasRules: true
}
export const LOCAL_OFFER: Offer<KeyedTool> = { ...KEYED_OFFER, instructions: `${SUBJECT} ${ORDER} ${ALWAYS} ${LOCAL}` }
export const OPEN_OFFER: Offer<OpenTool> = {
  instructions: `${SUBJECT} ${OPEN} ${ALWAYS}`,
  tools: OPEN_TOOLS,
  hasRules: false
}

/** Added to every calculation that is not recorded. */
export const NO_RECORD_NOTICE =
  "Computed locally without a key: this answer is not recorded and has no verifyUrl, so nobody else can confirm it."
