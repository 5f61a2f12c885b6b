/** The texts of the form: labels, help and problems of fields, and results of a file. */
import type { FilingStatus } from "../../schema/scenario.ts"
import { monthDayYear } from "../messages/figures.ts"
import type { ChangeField, Era, HouseholdField, LoanField } from "./book/draft.ts"
import { LOAN_TYPES, STATES } from "./names.ts"

export interface FieldText {
  readonly label: string
  readonly help: string
  /** Says what to enter, if the page can't use the text. */
  readonly wants: string
}

const loanFields: Readonly<Record<LoanField, FieldText>> = {
  type: {
    label: "Kind of loan",
    help: "As on studentaid.gov under “My Aid”. For a Parent PLUS loan, choose “Direct PLUS, for a parent”.",
    wants: "Choose the kind of loan from the list."
  },
  balance: {
    label: "Principal owed",
    help: "What you owe, such as 31,500. Leave out unpaid interest: it has its own field below.",
    wants: "Enter what you owe in dollars, from 0 to 100,000,000, such as 31,500."
  },
  rate: {
    label: "Interest rate",
    help: "Percent a year, such as 6.53.",
    wants: "Enter the interest rate in percent a year, from 0 to 100, such as 6.53."
  },
  interest: {
    label: "Unpaid interest",
    help: "Interest you owe so far, in dollars. Leave this empty if there is none.",
    wants: "Enter the unpaid interest in dollars, from 0 to 100,000,000, such as 850."
  },
  original: {
    label: "Amount first borrowed",
    help: "Dollars.",
    wants: "Enter the amount in dollars, from 0 to 100,000,000, such as 20,000."
  },
  months: {
    label: "Months paid so far",
    help: "Months you have paid so far, 0 to 600, as studentaid.gov counts them toward forgiveness. Here they shorten Standard, Extended and Graduated too.",
    wants: "Enter a whole number of months, from 0 to 600, such as 30."
  },
  pslf: {
    label: "Public-service payments",
    help: "Qualifying ones so far, 0 to 120.",
    wants: "Enter a whole number of payments, from 0 to 120, such as 24."
  },
  madeOn: {
    label: "Made in",
    help: "When the first payment went to you or your school: a month, such as 8/2019, a day, or for most years the year. For a consolidation, when it was made. Leave this empty if you don't know.",
    wants: "Enter a year, month or day, such as 2019, 8/2019 or 8/26/2019, or leave this empty."
  },
  pays: {
    label: "When do you pay this loan?",
    help: "Only if it differs from your other loans.",
    wants: "Choose when you pay this loan."
  },
  until: { label: "Until the end of", help: "", wants: "Choose a month of the next ten years." }
}

const household: Readonly<Record<HouseholdField, FieldText>> = {
  income: {
    label: "Your income",
    help: "Adjusted gross income, from your last tax return, such as 46,000. If you earn more or less now, type what you earn in a year now. Type 0 for none.",
    wants: "Enter your yearly income in dollars, for example 52,000, or 0 for none."
  },
  filing: {
    label: "How you file taxes",
    help: "Head of household: usually not married, and you pay most of the costs of a home for a child or relative. Married: both kinds of returns are compared.",
    wants: "Choose how you file taxes."
  },
  spouseIncome: {
    label: "Your spouse's income",
    help: "Adjusted gross income a year. It counts on a joint return.",
    wants: "Enter your spouse's yearly income in dollars, for example 48,000, or 0 for none."
  },
  spouseLoans: {
    label: "Your spouse's federal loans",
    help: "Direct and FFEL student loans only. Leave out Parent PLUS, consolidations that repaid one, Perkins and loans in default. On a joint return, plans by income (except Income-Contingent) split the payment by what each of you owes. Only your share is shown.",
    wants: "Enter what your spouse owes in dollars, for example 20,000, or leave this empty."
  },
  dependents: {
    label: "Dependents",
    help: "Children and others on your own tax return. Never your spouse. Income-Based may count more people you support.",
    wants: "Enter a whole number of dependents, from 0 to 30."
  },
  state: {
    label: "State",
    help: "Where you live.",
    wants: "Choose the state where you live from the list."
  },
  growth: {
    label: "Your raise, a year",
    help: "Percent. A spouse's income grows too. 0 keeps incomes as they are.",
    wants: "Enter the raise in percent a year, from 0 to 50, such as 3."
  },
  prices: {
    label: "Prices rise, a year",
    help: "Percent. Poverty lines and federal tax brackets rise with them. RAP's income bands don't.",
    wants: "Enter the rise of prices in percent a year, from 0 to 10, such as 2.5."
  },
  extra: {
    label: "Pay more each month",
    help: "Dollars beyond what is due, such as 50.",
    wants: "Enter dollars a month, from 0 to 1,000,000, such as 50."
  },
  budget: {
    label: "Pay in all each month",
    help: "Dollars, such as 600. Where more is due, you pay that.",
    wants: "Enter dollars a month, from 0 to 1,000,000, such as 600."
  },
  once: {
    label: "Pay once",
    help: "",
    wants: "Enter dollars, from 1 to 100,000,000, such as 2,000."
  },
  onceOn: { label: "In", help: "", wants: "Choose a month." },
  family: {
    label: "People in your family, with you",
    help: "Everyone you pay more than half for, and your children, whoever claims them. It moves Income-Based, Pay As You Earn and Income-Contingent. It doesn't move RAP, which goes by your tax return.",
    wants: "Enter a whole number of people, from 1 to 32, or leave this empty."
  },
  pays: {
    label: "When do you pay?",
    help: "",
    wants: "Choose when you pay."
  },
  until: {
    label: "Until the end of",
    help: "",
    wants: "Choose a month of the next ten years."
  },
  pause: {
    label: "Which kind of pause?",
    help: "",
    wants: "Choose the kind of pause."
  },
  plan: {
    label: "Which plan are you on?",
    help: "It's on your bill, and on studentaid.gov under My Aid.",
    wants: "Choose your plan, or “not sure”."
  },
  switchFrom: { label: "From", help: "", wants: "Choose a month." },
  switchTo: { label: "I'd switch to", help: "", wants: "Choose a plan." },
  claims: {
    label: "On separate returns, who claims the dependents?",
    help: "Only one of you can claim each.",
    wants: "Choose who claims the dependents on separate returns."
  },
  split: {
    label: "",
    help: "",
    wants: "Choose how your income is counted on separate returns."
  },
  service: {
    label: "I work for the government or a nonprofit",
    help: "Public service (PSLF), also at a public school or a nonprofit hospital: what is left on Direct loans is forgiven after 120 payments on a plan that counts.",
    wants: "Tick this, or leave it."
  },
  firstBorrowed: {
    label: "When did you first borrow?",
    help: "Your first Direct or FFEL loan. Parent PLUS counts, Perkins doesn't. Loans that you paid off before you took a later one don't either.",
    wants: "Choose when you first borrowed."
  },
  firstBorrowedOn: {
    label: "The day you first borrowed",
    help: "A year, month or day, such as 2017, 8/2017 or 8/26/2017.",
    wants: "Enter a year, month or day, such as 2017, 8/2017 or 8/26/2017."
  },
  madeSince2026: {
    label: "I have taken out or consolidated a Direct loan since July 1, 2026",
    help: "Tick this only if you don't type the dates of your loans. One such loan closes the older plans for all your Direct loans.",
    wants: "Tick this, or leave it."
  },
  discount: {
    label: "Discount rate, a year",
    help: "Percent. Only for “Worth in today's money”: what money could earn elsewhere.",
    wants: "Enter percent a year, from 0 to 100, such as 3."
  }
}

const ofSpouse: Readonly<Partial<Record<HouseholdField, Partial<FieldText>>>> = {
  pays: { label: "When does your spouse pay?" },
  plan: { label: "Which plan is your spouse on?", help: "It's on the bill, and on studentaid.gov under My Aid." },
  service: { label: "My spouse works for the government or a nonprofit" },
  firstBorrowed: {
    label: "When did your spouse first borrow?",
    help: "The first Direct or FFEL loan. Parent PLUS counts, Perkins doesn't. Loans paid off before a later one was taken don't either."
  },
  firstBorrowedOn: { label: "The day your spouse first borrowed" },
  madeSince2026: {
    label: "My spouse has taken out or consolidated a Direct loan since July 1, 2026",
    help: "Tick this only if you don't type the dates of these loans. One such loan closes the older plans for all Direct loans of your spouse."
  }
}

const changeFields: Readonly<Record<ChangeField, FieldText>> = {
  year: {
    label: "From",
    help: "",
    wants: "Enter a year of repayment from 2 to 50, such as 4. For year 1, change your household above."
  },
  income: {
    label: "New income",
    help: "Dollars a year. Leave this empty if your income goes on as before.",
    wants: "Enter the yearly income from then on in dollars, for example 62,000, or leave this empty."
  },
  filing: {
    label: "Tax return",
    help: "",
    wants: "Choose how you file taxes from then on."
  },
  dependents: {
    label: "Dependents",
    help: "How many you have from then on.",
    wants: "Enter a whole number of dependents, from 0 to 30, or leave this empty."
  },
  spouseIncome: {
    label: "Spouse's income",
    help: "Counts on a joint return.",
    wants: "Enter the spouse's yearly income in dollars, for example 48,000, or leave this empty."
  },
  spouseLoans: {
    label: "Spouse's federal loans",
    help: "Dollars. Leave this empty if nothing changes.",
    wants: "Enter what the spouse owes in dollars, for example 20,000, or leave this empty."
  },
  service: {
    label: "Public service",
    help: "",
    wants: "Choose whether work in public service begins or ends."
  }
}

const FILINGS_LATER: Readonly<Record<FilingStatus, string>> = {
  Single: "single",
  MarriedFilingJointly: "married, joint return",
  MarriedFilingSeparately: "married, separate returns",
  HeadOfHousehold: "head of household"
}

const ERAS: Readonly<Record<Era, string>> = {
  before2007: "before October 2007",
  "2007": "October 2007 to June 2014",
  "2014": "July 2014 to June 2026",
  "2026": "July 2026 or later"
}

const count = (number: number, one: string, more: string): string => (number === 1 ? one : `${number} ${more}`)

export const formTexts = {
  book: {
    title: "Your loans",
    spouse: { title: "Your spouse's loans", remove: "Remove your spouse's loans" },
    /** @param amount the sum of all loans, with its currency */
    total: (amount: string, loans: number) => `${amount} in ${count(loans, "1 loan", "loans")}`,
    loan: (number: number) => `Loan ${number}`,
    newLoan: "New loan",
    noRate: "no rate",
    noBalance: "no balance",
    more: "Date, unpaid interest, counted payments, pause",
    add: "+ Add a loan",
    /** The loans after the first few of a long list, folded. */
    all: (loans: number) => `Show all ${loans} loans`,
    someNeedALook: (loans: number) => count(loans, "One of them needs a look.", "of them need a look."),
    remove: (number: number) => `Remove loan ${number}`,
    example: "Show an example",
    clear: "Clear everything",
    undo: "Undo",
    choose: "Choose",
    /** The reason why a loan needs a check, on its line. */
    looks: {
      type: "The kind of loan is missing. Open this loan and choose it.",
      balance: "The balance is missing. Open this loan and type it.",
      rate: "The interest rate is missing. Open this loan and type it.",
      nothing: "Nothing is owed on this loan.",
      odd: "No federal loan has this rate. Type 6.5 for 6.5 percent."
    },
    file: {
      label: "Use my studentaid.gov file",
      ofSpouse: "Use their studentaid.gov file",
      other: "Use another file",
      help: "Log in at studentaid.gov, open My Aid, View Details, “Download My Aid Data”. Choose that file, or drop it here. It stays on this device: you can go offline first. Names and numbers in it are not kept.",
      how: "Where do I get the file?",
      needsALook: "What needs a look",
      ofLeftOut: "Of loans that were left out (numbers of the file):",
      used: (loans: number) => `${count(loans, "This loan is", "loans are")} filled in, from your file.`,
      unreadable: "This file could not be read.",
      use: "Use these loans",
      leave: "Leave it",
      close: "Hide this"
    },
    /** When a loan is paid, if it differs from the others. */
    pays: {
      "": "like my other loans",
      now: "I'm paying it now",
      school: "in school or grace period",
      Deferment: "paused: deferment",
      Forbearance: "paused: forbearance"
    },
    noMonth: "Until you choose a month, it is counted as paid now.",
    /** Fields that are answered once for all loans. */
    ofAll: {
      summary: "For all loans at once: unpaid interest, months paid",
      interest: {
        label: "Unpaid interest on all loans",
        help: "Split by what you owe on each. Open a loan to change its part."
      },
      months: {
        label: "Months paid so far, on all loans",
        help: "0 to 600, as studentaid.gov counts them toward forgiveness.",
        differ: "Your loans differ. Open a loan to change its own, or type one number for all."
      }
    },
    common: "Most common",
    others: "Others",
    fields: loanFields,
    types: LOAN_TYPES
  },
  household: {
    title: "Your household",
    fields: household,
    ofSpouse,
    addSpouse: "Add your spouse's loans, and see both",
    bothCompared: "Joint and separate returns are compared for both of you.",
    claims: { "": "I do", spouse: "My spouse" },
    split: (state: string) => `In ${state}, separate returns split your income`,
    splits: { "": "Both ways", half: "Split in half", own: "Own income" },
    splitHelp: (half: string) =>
      `By its law of community property, what either of you earns in your marriage counts half for each: ${half} and ${half}. Form 8958 does it. Own income is for couples whose agreement keeps their incomes apart. If a servicer goes by pay stubs, payments follow own income, but income tax is as for half.`,
    eras: ERAS,
    notSaid: "not sure",
    exact: "on a day that I know",
    /** @param month of the day that the file shows */
    fromFile: (month: string) => `Your oldest loan is from ${month}. If you still owed an older one then, change this.`,
    ownIncome: "Yours alone, without your spouse's.",
    mayBeHead: "With a dependent, you may be head of household.",
    pays: {
      "": "I'm paying now",
      school: "In school or grace period",
      paused: "My payments are paused",
      default: "My loans are in default"
    },
    spousePays: {
      "": "Paying now",
      school: "In school or grace period",
      paused: "Payments are paused",
      default: "The loans are in default"
    },
    pauses: { "": "not sure", Deferment: "deferment", Forbearance: "forbearance", save: "SAVE pause" },
    pauseHelp: {
      "": "Counted as forbearance.",
      Deferment: "You asked to stop. Subsidized loans add no interest.",
      Forbearance: "You stopped, and every loan adds interest.",
      save: "A court stopped your payments, and every loan adds interest."
    } as Readonly<Record<string, string>>,
    noMonth: "Until you choose a month, you are counted as paying now.",
    firstPayment: (month: string) => `First payment: ${month}. Months until then don't count toward forgiveness.`,
    schoolUntil: "A grace period is usually six months: if you finish in May, choose November.",
    schoolInterest: "Unsubsidized loans have added interest since school began: type it as unpaid interest.",
    datesTaken:
      "Not sure: the dates of your loans are taken, as if you owed none before. If you still owed an older one then, choose here.",
    chooseMonth: "choose a month",
    notSure: "not sure, or none yet",
    family: "Someone else depends on me, or my child is on another return",
    /** One answer for all loans, asked next to public service. */
    servicePayments: {
      label: "Public-service payments made so far",
      help: "On all loans, 0 to 120. Your servicer or studentaid.gov has the count.",
      differ: "Your loans have different counts. Open a loan to change its own, or type one count for all."
    },
    states: STATES,
    filings: { Single: "Single", HeadOfHousehold: "Head of household", Married: "Married" }
  },
  changes: {
    title: "What may change",
    /** @param parts the parts of the summary: growth, prices and later years */
    summary: (parts: ReadonlyArray<string>) =>
      parts.length === 0 ? "Nothing: income and prices stay the same" : parts.join(", "),
    raise: (rate: string) => `${rate}% raise a year`,
    prices: (rate: string) => `prices up ${rate}% a year`,
    count: (changes: number) => count(changes, "1 later change", "later changes"),
    try: "Try a raise of 3% and prices of 2.5%",
    add: "+ A new income or job, a marriage, a child …",
    change: (number: number) => `Change ${number}`,
    year: (year: string, month: string) => `${month} (year ${year})`,
    newChange: "New change",
    nothingYet: "nothing chosen yet",
    income: (amount: string) => `income ${amount}`,
    spouseIncome: (amount: string) => `spouse's income ${amount}`,
    spouseLoans: (amount: string) => `spouse's loans ${amount}`,
    dependents: (number: string) => (number === "1" ? "1 dependent" : `${number} dependents`),
    remove: (number: number) => `Remove change ${number}`,
    chooseYear: "choose",
    asBefore: "as before",
    fields: changeFields,
    filings: FILINGS_LATER,
    services: { begins: "public service begins", ends: "public service ends" }
  },
  problem: {
    date: "This day does not exist, is still to come, or is before the first federal loan. Enter another, or leave this empty.",
    endedType:
      "Loans of this kind were made until June 2006, and this one is newer. Choose “Direct Consolidation that repaid a parent's PLUS loan”, or change its date.",
    noNewLoan: "None of the loans above can be the one that you ticked. Add that loan, or remove this tick.",
    sameYear: "Another change begins in this year. Put both in one, or choose another year.",
    changesNothing: "Choose what changes in this year, or remove this line.",
    dayNeeded: (day: string) =>
      `Plans differ for loans made before ${monthDayYear(day)} and those made on it or later: enter the day too, such as ${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}.`,
    monthNeeded: (year: string) => `Enter the month too, such as 8/${year}.`,
    tooLate: (loan: number, date: string) =>
      `Loan ${loan} was made no later than ${monthDayYear(date)}, so you first borrowed earlier than this.`,
    summary: (fields: number) => count(fields, "One field needs another look.", "fields need another look.")
  },
  nothingOwed: "You owe nothing on these loans, so there is nothing to repay."
}
