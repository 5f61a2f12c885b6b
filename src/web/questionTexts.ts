/** Questions about the figures, each with its rule, and the names of the short answers of docs/answers. */

export interface Question {
  readonly asks: string
  readonly says: string
  readonly rule: string
  readonly link: string
}

const QUESTIONS: ReadonlyArray<Question> = [
  {
    asks: "Can I get the plan that I want?",
    says: "Usually, if it is in the list with no condition and no loan is in default. Your loans, their dates and amounts decide. Nobody asks for your credit score.",
    rule: "plan-eligibility-matrix",
    link: "Which loans each plan takes"
  },
  {
    asks: "Can I switch later?",
    says: "Yes, to any plan that is open to you then. Public-service payments stay counted. Leaving Income-Based adds unpaid interest to the balance, and only Standard or RAP are open then. Months paid by income go with you to RAP. A month on RAP may count for Income-Based if its payment was at least the 10-year Standard amount. A new loan or a consolidation since July 1, 2026 closes the older plans for all your Direct loans.",
    rule: "new-loan-plans-2026-07",
    link: "What a new loan changes"
  },
  {
    asks: "How sure is this?",
    says: "Figures follow the rules that we list, some of them simplified, and your income and the law can change. Tax on what is forgiven is the least sure: it uses this year's tax tables.",
    rule: "forgiveness-tax-method",
    link: "How that tax is computed"
  }
]

/** By their files' names. */
const ANSWERS = {
  "leaving-school": "Leaving school",
  save: "A letter about SAVE",
  "paye-and-icr": "PAYE or ICR, and July 2028",
  "public-service": "Public service",
  "parent-plus": "Parent PLUS",
  couples: "Couples",
  "lost-my-job": "I lost my job",
  paused: "My loan is paused",
  default: "My loan is in default"
}
export type AnswerName = keyof typeof ANSWERS

export const questionTexts = {
  title: "Questions",
  lead: "Short answers:",
  answers: ANSWERS,
  all: "All",
  list: QUESTIONS
}
