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
    asks: "What if I lose my job?",
    short: "I lost my job",
    says: "Payments by income change once a year, or sooner if you ask: send your servicer proof of the lower income. With no income in your household, Income-Based asks for $0 a month and RAP for $10. Standard, Tiered Standard, Graduated and Extended stay as they are. An unemployment or hardship deferment can pause loans made before July 2027, but interest grows on most loans.",
    rule: "rap-minimum-payment",
    link: "The least that RAP asks for"
  },
  {
    asks: "I have a Parent PLUS loan. What is open to me?",
    short: "Parent PLUS",
    says: "Standard and Graduated, and Extended above $30,000. A consolidation of it from before July 2026 can have Income-Contingent, and then Income-Based, if you pay under it by June 30, 2028. Any new Direct loan since July 2026 leaves only Tiered Standard. RAP takes none of them.",
    rule: "rap-loan-exclusions",
    link: "Which loans RAP leaves out"
  },
  {
    asks: "What happened to SAVE? I got a letter.",
    short: "A letter about SAVE",
    says: "A court ended it in March 2026. Letters since July 2026 give 90 days from their date to choose another plan. Those who don't are moved, the first since October 1, 2026, to Standard, or to Tiered Standard with a loan made since July 2026. They may pay much more there. They can still choose. Interest is growing meanwhile.",
    rule: "save-vacatur",
    link: "The judgment"
  },
  {
    asks: "How sure is this?",
    says: "Figures follow the rules that we list, some of them simplified, and your income and the law can change. Tax on what is forgiven is the least sure: it uses this year's tax tables.",
    rule: "forgiveness-tax-method",
    link: "How that tax is computed"
  }
]

export const questionTexts = { title: "Questions", lead: "Short answers:", list: QUESTIONS }
