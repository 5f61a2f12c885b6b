/** Two prompts that a user can pick in a client. They guide a model through the tools and compute nothing. */

interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: Array<PromptArgument>
  readonly text: (given: Readonly<Record<string, string>>) => string
}

/** Longest text of one argument of a prompt. */
const MAX_ARGUMENT_CHARACTERS = 20_000

const compareMyPlans: Prompt = {
  name: "compare-my-plans",
  title: "Compare my repayment plans",
  description: "Finds the plans that the loans can take, compares them and explains the trade-off.",
  arguments: [
    {
      name: "loans",
      description: "The loans in plain words: type, balance, rate, months already counted toward forgiveness.",
      required: true
    },
    {
      name: "household",
      description: "Income, filing status, dependents, state, public service, spouse: whatever is known.",
      required: false
    },
    {
      name: "goal",
      description: "What matters most, such as the lowest payment now, the lowest total, or forgiveness.",
      required: false
    }
  ],
  text: ({ goal, household, loans }) => `Compare the federal repayment plans for these loans.

Loans, as the borrower describes them:
${loans}

Household, as the borrower describes it:
${household ?? "Not given yet."}

What matters most to the borrower: ${goal ?? "not said; show the lowest monthly payment and the lowest total cost."}

1. List what is missing of: each loan's type, principal, unpaid interest and rate; annual adjusted gross income; filing status (and the spouse's income and federal loans when filing jointly); dependents; state; whether the borrower works toward Public Service Loan Forgiveness; months or payments already counted; since when the borrower has owed (firstBorrowedOn), and whether a loan was made since July 2026 (madeOn). Ask for it and wait. Do not assume an income, a filing status, dependents or a state.
2. Call compare_plans with all loans. It costs nothing.
3. For an answer that others can confirm, call compare_scenarios with the plans worth comparing: the same loans in every arm, the plan as the label.
4. Show plan, first monthly payment, month of payoff or forgiveness, total paid, amount forgiven and tax on it. Say which plan costs least in total (lowestCostLabel, and the notes where nobody can elect that one) and which asks least per month, and how the two differ.
5. Say what provenance.notes say, name the knownOmissions that bear on the result, and give provenance.verifyUrl when it is not null. It is an estimate under current rules, not advice.`
}

const explainThisAnswer: Prompt = {
  name: "explain-this-answer",
  title: "Explain this answer",
  description: "Explains a projection or comparison in plain words, from the rules that it cites.",
  arguments: [
    {
      name: "answer",
      description: "The JSON of a projection or comparison, with its provenance.",
      required: true
    },
    { name: "question", description: "What is unclear, such as why the payment is so high.", required: false }
  ],
  text: ({ answer, question }) => `Explain this student-loan answer to the borrower in plain words.

${question ?? "What do the figures mean, and where do they come from?"}

The answer:
${answer}

1. Read rules://constants/{id} for the ids in provenance.citations that the explanation needs, and explain the figures from their values and definitions. Do not recompute figures by hand: if a different input is in question, call run_projection or compare_scenarios with it, after asking for facts that are missing. For how the payment of a month comes about, step by step, call explain_payment with the request of the answer; if you do not have the request, ask for it rather than make up the steps.
2. Say what ends the loans (payoff, public service or time-based forgiveness), when, and what tax is due on what is forgiven.
3. Say what provenance.notes say, where there are any.
4. Name provenance.ruleVersion, the authorities behind the cited rules, and the knownOmissions with what each does to the figures.
5. When provenance.answerId is not null, say that provenance.verifyUrl confirms the record to anyone without showing inputs; when it is null, say that nobody recorded the answer.`
}

const PROMPTS = [compareMyPlans, explainThisAnswer]

export const PROMPT_LIST = PROMPTS.map(({ text: _, ...described }) => described)

/** A prompt with its arguments filled in, or the reason for a failure. */
type FilledPrompt =
  | { readonly _tag: "Filled"; readonly description: string; readonly text: string }
  | { readonly _tag: "Refused"; readonly message: string }

const refused = (message: string): FilledPrompt => ({ _tag: "Refused", message })

export const fillPrompt = (name: string, given: Readonly<Record<string, string>> = {}): FilledPrompt => {
  const prompt = PROMPTS.find((known) => known.name === name)
  if (prompt === undefined) return refused(`unknown prompt; send ${PROMPTS.map((known) => known.name).join(" or ")}`)
  for (const argument of prompt.arguments) {
    const text = given[argument.name]?.trim() ?? ""
    if (argument.required && text === "") return refused(`${argument.name} is required: ${argument.description}`)
    if (text.length > MAX_ARGUMENT_CHARACTERS) {
      return refused(`${argument.name} holds more than ${MAX_ARGUMENT_CHARACTERS} characters; shorten it`)
    }
  }
  const filled = Object.entries(given).filter(([, text]) => text.trim() !== "")
  return { _tag: "Filled", description: prompt.description, text: prompt.text(Object.fromEntries(filled)) }
}
