/** Questions of borrowers with short answers, each with its rule. */

export interface Question {
  readonly asks: string
  /** The words of a link to it; undefined if there is none. */
  readonly short?: string
  readonly says: string
  readonly rule: string
  readonly link: string
}

const QUESTIONS: ReadonlyArray<Question> = [
  {
    asks: "Can I get the plan that I want?",
    says: "Yes, if it is in the list and not under “Not open to you”: your kinds of loans and their dates decide. Nobody asks for your credit score.",
    rule: "plan-eligibility-matrix",
    link: "Which loans each plan takes"
  },
  {
    asks: "Can I switch later?",
    says: "Yes, to any plan that is open to you then. Months that count toward forgiveness, by income or for public service, go with you. A new loan or a consolidation since July 1, 2026 closes the older plans for all your Direct loans.",
    rule: "new-loan-plans-2026-07",
    link: "What a new loan changes"
  },
  {
    asks: "What if I lose my job?",
    short: "I lost my job",
    says: "Plans by income follow your income: with none, Income-Based asks for $0 a month and RAP for $10. Standard, Graduated and Extended stay as they are: ask your servicer about a deferment.",
    rule: "rap-minimum-payment",
    link: "The least that RAP asks for"
  },
  {
    asks: "I have a Parent PLUS loan. What is open to me?",
    short: "Parent PLUS",
    says: "Standard and Graduated, and Extended above $30,000. A consolidation of it from before July 2026 can have Income-Contingent, and then Income-Based; a newer one has Tiered Standard alone. RAP takes none of them.",
    rule: "rap-loan-exclusions",
    link: "Which loans RAP leaves out"
  },
  {
    asks: "What happened to SAVE? I got a letter.",
    short: "A letter about SAVE",
    says: "A court ended it in March 2026, so nobody can join it. Your servicer's letter gives you 90 days to choose another plan; if you don't, it moves you to Standard, where you may pay much more.",
    rule: "save-vacatur",
    link: "The judgment"
  },
  {
    asks: "How sure is this?",
    says: "Each figure follows today's law to the cent, but your income and the law can change. Tax on what is forgiven is the least sure: it uses this year's tax tables.",
    rule: "forgiveness-tax-method",
    link: "How that tax is computed"
  }
]

export const questionTexts = { title: "Questions", lead: "Short answers:", list: QUESTIONS }
