/** What a client is told about the server when it connects. What one tool does is said in its description. */

const HOW_TO =
  "Repayment calculations for US federal student loans: payments, payoff or forgiveness dates, total cost and tax on forgiveness under ten plans, each answer with its sources. Typical order: get_eligible_plans for what the loans can take, compare_scenarios for the plans worth a look (same loans, one label per plan), run_projection with includeYearly for the one that is chosen. Money is US dollars, rates are fractions (0.0654 means 6.54%). The figures of an answer are in structuredContent, its text says the same in words; sources and rules left out come as ids and labels, with their texts if detail is full or from the resources rules://omissions and rules://constants/{id}. Ask the borrower for missing facts; never assume an income, a filing status, dependents or a state. Arguments that are refused come back as a problem document whose errors name each field and say what to send. Tell the borrower what an answer leaves out; answers are estimates under current rules, not legal or tax advice."

const KEYED =
  "Every tool call that is answered counts as one call of the key's month, shared with the REST API; projections and comparisons are recorded, and provenance.verifyUrl confirms them to anyone without showing inputs. Keep the structuredContent of an answer that somebody will rely on: as it is, it proves its figures at POST /v1/verify/{answerId}."

const LOCAL =
  "This server computes on this machine without a key: nothing is sent anywhere, nothing is charged and nothing is recorded, so provenance.answerId and provenance.verifyUrl are null and no one else can confirm an answer. For answers of record, connect to a service with a key."

export const KEYED_INSTRUCTIONS = `${HOW_TO} ${KEYED}`
export const LOCAL_INSTRUCTIONS = `${HOW_TO} ${LOCAL}`

/** Added to every calculation that is not recorded. */
export const NO_RECORD_NOTICE =
  "Computed locally without a key: this answer is not recorded and has no verifyUrl, so nobody else can confirm it."
