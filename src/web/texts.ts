/**
 * Every text of the start page, in one place, so that another language is one more object of this shape. The words of
 * steps and of the rules themselves are the ledger's and the explanation's, in English.
 */
import type { LoanType } from "../../schema/loan.ts"
import type { EnginePlan } from "../engine/plans/plan.ts"
import { longDate, percent, wholeDollars } from "../messages/figures.ts"
import type { LineNote, Reason, Remark } from "./book/answer.ts"
import type { Era, HouseholdField, TypedField } from "./book/draft.ts"

interface FieldText {
  readonly label: string
  readonly help: string
}

/** Amounts of a plan, each with its currency. */
interface Totals {
  readonly payments: number
  readonly paid: string
  readonly forgiven: string
  readonly tax: string
  readonly cost: string
  readonly worth: string
}

const LOAN_TYPES: Readonly<Record<LoanType, string>> = {
  "DIRECT STAFFORD SUBSIDIZED": "Direct Subsidized",
  "DIRECT STAFFORD UNSUBSIDIZED": "Direct Unsubsidized",
  "DIRECT PLUS GRADUATE": "Direct PLUS, for a graduate student",
  "DIRECT PLUS PARENT": "Direct PLUS, for a parent",
  "DIRECT CONSOLIDATED SUBSIDIZED": "Direct Consolidation, subsidized part",
  "DIRECT CONSOLIDATED UNSUBSIDIZED": "Direct Consolidation, unsubsidized part",
  "DIRECT PARENT PLUS CONSOLIDATED": "Direct Consolidation that repaid a parent's PLUS loan",
  "DIRECT PLUS CONSOLIDATED": "Direct PLUS Consolidation (before July 2006)",
  "DIRECT PARENT PLUS": "Direct Parent PLUS",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)": "Direct Subsidized (SULA eligible)",
  "DIRECT CONSOLIDATED SUBSIDIZED (SULA ELIGIBLE)": "Direct Consolidation, subsidized part (SULA eligible)",
  "DIRECT UNSUBSIDIZED (TEACH)": "TEACH grant that became a loan",
  "FFEL STAFFORD SUBSIDIZED": "FFEL Stafford, subsidized",
  "FFEL STAFFORD UNSUBSIDIZED": "FFEL Stafford, unsubsidized",
  "FFEL STAFFORD NON-SUBSIDIZED": "FFEL Stafford, non-subsidized",
  "FFEL PLUS GRADUATE": "FFEL PLUS, for a graduate student",
  "FFEL PLUS PARENT": "FFEL PLUS, for a parent",
  "FFEL PARENT PLUS": "FFEL Parent PLUS",
  "FFEL CONSOLIDATED": "FFEL Consolidation",
  "FFEL PARENT PLUS CONSOLIDATED": "FFEL Consolidation that repaid a parent's PLUS loan",
  "FFEL REFINANCED": "FFEL refinanced",
  "FFEL SUPPLEMENTAL LOAN (SLS)": "Supplemental Loan for Students (SLS)",
  "FEDERALLY INSURED (FISL)": "Federally Insured (FISL)",
  "FEDERAL PERKINS": "Perkins",
  "NATIONAL DIRECT STUDENT LOAN (PERKINS)": "National Direct Student Loan (Perkins)",
  "NATIONAL DEFENSE LOAN (PERKINS)": "National Defense Loan (Perkins)",
  "PERKINS EXPANDED LENDING": "Perkins Expanded Lending",
  "HEALTH PROFESSIONS STUDENT LOAN (HPSL)": "Health Professions (HPSL)",
  "INCOME CONTINGENT (ICL)": "Income Contingent Loan (ICL)"
}

const PLANS: Readonly<Record<EnginePlan, string>> = {
  STANDARD: "Standard",
  "TIERED STANDARD": "Tiered Standard",
  EXTENDED: "Extended",
  GRADUATED: "Graduated",
  "INCOME BASED": "Income-Based (IBR), 10 percent",
  "INCOME BASED (OLD)": "Income-Based (IBR), 15 percent",
  "INCOME CONTINGENT": "Income-Contingent (ICR)",
  "PAY AS YOU EARN": "Pay As You Earn (PAYE)",
  "REVISED PAY AS YOU EARN": "Revised Pay As You Earn (REPAYE)",
  SAVE: "SAVE",
  "REPAYMENT ASSISTANCE": "Repayment Assistance (RAP)"
}

const loanFields: Readonly<Record<TypedField, FieldText>> = {
  type: { label: "Kind of loan", help: "As on studentaid.gov under “My Aid”. It decides which plans are open." },
  balance: { label: "Principal owed", help: "Dollars, without unpaid interest." },
  rate: { label: "Interest rate", help: "Percent a year, such as 6.53." },
  interest: { label: "Unpaid interest", help: "Dollars that have accrued and are not paid. Empty means none." },
  original: { label: "Amount first borrowed", help: "Dollars. Only SAVE asks for it; empty means as much as is owed." },
  months: {
    label: "Months already counted",
    help: "Toward income-driven forgiveness, 0 to 600. They also shorten the fixed plans here."
  },
  pslf: { label: "Public-service payments", help: "Qualifying ones so far, 0 to 120." }
}

const household: Readonly<Record<HouseholdField, FieldText>> = {
  income: { label: "Your income", help: "Adjusted gross income a year, from your tax return. Type 0 for none." },
  filing: { label: "Your tax return", help: "If you are married, joint and separate returns are shown side by side." },
  spouseIncome: { label: "Your spouse's income", help: "Adjusted gross income a year. It counts on a joint return." },
  spouseLoans: {
    label: "Your spouse's federal loans",
    help: "What they owe. On a joint return it divides the payment."
  },
  dependents: { label: "Dependents", help: "Those on your tax return, 0 to 30. Never your spouse." },
  state: {
    label: "State",
    help: "Where you live. It sets the poverty guideline and, in five states, tax on forgiveness."
  },
  growth: { label: "Income growth", help: "Percent a year. 0 keeps your income as it is." },
  service: { label: "I work for the government or a nonprofit", help: "And aim at Public Service Loan Forgiveness." },
  firstBorrowed: {
    label: "When did you first borrow?",
    help: "Your first federal student loan, or the first after all earlier ones were paid off. It decides which IBR is yours, and whether PAYE is open."
  },
  madeSince2026: {
    label: "I have taken out or consolidated a Direct loan since 1 July 2026",
    help: "One such loan closes the older plans for all your Direct loans."
  },
  discount: {
    label: "What money could earn",
    help: "Percent a year, for the column “worth today”: a payment in ten years weighs less than one now."
  }
}

const STATES = {
  AL: "Alabama",
  AK: "Alaska",
  AS: "American Samoa",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  DC: "District of Columbia",
  FL: "Florida",
  GA: "Georgia",
  GU: "Guam",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  MP: "Northern Mariana Islands",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  PR: "Puerto Rico",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  VI: "US Virgin Islands",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming"
}

const ERAS: Readonly<Record<Era, string>> = {
  before2007: "before October 2007",
  "2007": "October 2007 to June 2014",
  "2014": "July 2014 to June 2026",
  "2026": "July 2026 or later"
}

const NOTES: Readonly<Record<LineNote, string>> = {
  ends: "ends in July 2028; then RAP or, where that cannot be, IBR, unless you choose another",
  beside: "some of your loans cannot be in it, and are repaid beside it",
  recentLoan: "also asks for a loan received since October 2011",
  hardship: "asks for a partial financial hardship: a payment by income below that of ten years",
  ifSince2014: "only if you first borrowed since July 2014",
  ifBefore2014: "only if you first borrowed before July 2014",
  ifSince2007: "only if you first borrowed since October 2007, with a loan since October 2011",
  ifSince1998: "only if you first borrowed since October 1998",
  apart: "two tax returns may cost more tax than one: that is not counted here"
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]

/** A loan by its index on the page. */
const yourLoan = (index: number): string =>
  index < ORDINALS.length ? `your ${ORDINALS[index]} loan` : `your loan ${index + 1}`

const reason = (planType: EnginePlan, why: Reason): string => {
  switch (why._tag) {
    case "Vacated":
      return planType === "SAVE"
        ? "A court has ended it; nobody can elect it any more."
        : "SAVE replaced it, and a court has ended SAVE; nobody can elect it any more."
    case "OnlyNewLoans":
      return "It is only for borrowers with a loan made since 1 July 2026."
    case "NewLoans": {
      const which = why.by === null ? "" : ` (${yourLoan(why.by)})`
      const left = why.isParents
        ? "Your Parent PLUS loans, and consolidations that repaid one, can now be repaid only under Tiered Standard."
        : "All your Direct loans can now be repaid only under RAP or Tiered Standard."
      return `You have a loan made on or after ${longDate(why.from)}${which}. ${left}`
    }
    case "OwedBefore": {
      const which = why.by === null ? "" : `, and ${yourLoan(why.by)} is older`
      return `It is only for those who first borrowed since ${longDate(why.day)}${which}.`
    }
    case "OwedSince":
      return `Borrowers as new as you have ${PLANS["INCOME BASED"]} instead.`
    case "NoLoanSince":
      return `It asks for a Direct loan made since ${longDate(why.day)}, other than a Parent PLUS loan, and all of yours are older.`
    case "LoanBefore":
      return `It is only for those without ${why.program === "Direct" ? "a Direct" : "an FFEL"} loan made before ${longDate(why.day)}.`
    case "BalanceTooSmall":
      return `It asks for more than ${wholeDollars(why.over)} owed in the loan's program; you owe ${wholeDollars(why.owed)}.`
    case "NotNewBorrower":
      return `Your ${LOAN_TYPES[why.closer.loanType]} loan is older than this plan's borrowers may have.`
    case "Closed":
      return why.byOneMonth
        ? `${LOAN_TYPES[why.loanType]}: it opens with one counted month under ICR.`
        : `It does not take ${LOAN_TYPES[why.loanType]} loans.`
    case "TermSpent":
      return "With the months already counted its term is over, or one payment is left."
    case "TimeServed":
      return `${why.counted} months of ${why.needed} are counted: nothing would be left to pay${
        planType === "REPAYMENT ASSISTANCE" ? ", if the last payment was made under it" : ""
      }.`
    case "ServiceDone":
      return `${why.counted} public-service payments of ${why.needed} are counted: nothing would be left to pay, once your employment is certified.`
  }
}

export const texts = {
  title: "Every federal repayment plan, for your loans",
  lead: "Your whole loan book under every federal plan: payments, total, forgiveness and the tax on it, with the law behind each figure.",
  isPrivate: "It is computed in your browser. Nothing you type leaves your device.",
  isSent: "Without JavaScript the form is sent to this service, which computes, answers and keeps nothing.",
  book: {
    title: "Your loans",
    /** @param madeOn empty if no file says it */
    loan: (number: number, madeOn = "") => `Loan ${number}${madeOn === "" ? "" : `, made on ${longDate(madeOn)}`}`,
    more: "Interest, counted months, public service",
    add: "Add a loan",
    remove: (number: number) => `Remove loan ${number}`,
    example: "Fill in an example",
    clear: "Clear everything",
    undo: "Undo",
    choose: "Choose",
    file: {
      label: "From studentaid.gov",
      help: "Log in there, open My Aid, View Details, “Download My Aid Data”, and choose or drop that file here. It is read in this page and sent to nobody; names and numbers in it are not kept.",
      ofLeftOut: "Of loans that were left out (numbers of the file):",
      used: "These loans are filled in. To check, from the file:",
      unreadable: "This file could not be read.",
      use: "Use these loans",
      leave: "Leave it"
    },
    common: "Most common",
    others: "Others",
    fields: loanFields,
    types: LOAN_TYPES
  },
  household: {
    title: "Your household",
    fields: household,
    eras: ERAS,
    notSaid: "not sure",
    states: STATES,
    filings: { Single: "Single", Married: "Married", HeadOfHousehold: "Head of household" }
  },
  compute: "Compare every plan",
  problem: {
    number: "Type a number, such as 6.53 or 31,500.",
    percent: "Type percent a year, such as 6.53..",
    choice: "Choose one of the list.",
    date: "The date that a file gives for this loan cannot be right. Remove the loan and type it in, to compute without a date.",
    endedType:
      "Loans of this kind were made until June 2006, and this one is newer by its file. Choose “Direct Consolidation that repaid a parent's PLUS loan”.",
    noNewLoan: "None of the loans above can be that one. Add it, or remove this tick.",
    tooLate: (loan: number, date: string) =>
      `Loan ${loan} was made no later than ${longDate(date)}, so you first borrowed earlier than this.`,
    summary: (count: number) => (count === 1 ? "One field needs another look." : `${count} fields need another look.`)
  },
  toPlans: "To your plans",
  missing: {
    title: "What is still needed",
    lead: "The plans appear here as soon as you have typed:"
  },
  answer: {
    title: "Your plans",
    table: "Every open plan in a table",
    computing: "Computing…",
    none: "No plan takes these loans as they are typed.",
    failed: "The page could not compute this. Reload it, or try another browser.",
    about: (lowestFirst: string, lowestCost: string, soonest: string) =>
      `The payment now is lowest under ${lowestFirst}, the total with tax under ${lowestCost}, and the end comes soonest under ${soonest}.`,
    andOthers: (plan: string, others: number) =>
      others === 0 ? plan : `${plan} and ${others === 1 ? "one other" : `${others} others`}`,
    done: "Done already, if your counts are right",
    doneLead: "Check the count at studentaid.gov and ask your servicer before you choose another plan or pay on.",
    advice: "This is arithmetic, not advice.",
    columns: {
      plan: "Plan",
      first: "First payment",
      highest: "Highest payment",
      paid: "Paid in all",
      forgiven: "Forgiven",
      tax: "Tax on that",
      cost: "Paid and tax",
      worth: "Worth today",
      ends: "Ends"
    },
    plans: PLANS,
    filings: {
      Single: "",
      HeadOfHousehold: "",
      MarriedFilingJointly: "joint return",
      MarriedFilingSeparately: "separate returns"
    },
    marks: { first: "lowest payment", cost: "lowest total", soonest: "done soonest" },
    notes: NOTES,
    endings: {
      None: "paid off",
      Pslf: "forgiven, public service",
      TimeBased: "forgiven",
      Teacher: "forgiven"
    },
    never: "not within 50 years",
    years: (years: number, months: number) =>
      months === 0 ? `${years}\u00a0y` : `${years}\u00a0y\u00a0${months}\u00a0m`,
    show: (plan: string) => `Show ${plan} in the plots`,
    why: (figure: string, plan: string) => `How is this computed: ${figure}, ${plan}`,
    closed: "Plans that are not open to you",
    remark: ({ loan, rate }: Remark): string =>
      `Loan ${loan} has a rate of ${percent(rate)}, which no federal loan has: type 6.5 for 6.5 percent.`,
    beside: (loans: ReadonlyArray<number>, plans: ReadonlyArray<string>, payment: string): string =>
      `cannot take ${loans.length === 1 ? "loan" : "loans"} ${loans.join(", ")}: repaid beside it under ${plans.join(" and ")}, ${payment} of the first payment`,
    reason
  },
  plots: {
    title: "Year by year",
    balance: "What you owe",
    payment: "What you pay a month",
    cost: "What it has cost, with tax",
    year: "Year",
    month: "Payment",
    table: "The same as a table",
    csv: "Download as CSV",
    axis: "years from now",
    choose: "Tick plans in the table to see them here."
  },
  why: {
    title: (plan: string, month: string) => `${plan}: the payment of ${month}`,
    close: "Close",
    month: "Month",
    step: "Step",
    value: "Value",
    formula: "How it follows",
    rules: "Rule",
    payment: (amount: string) => `The payment is ${amount}.`,
    outcome: "Total, forgiveness and tax",
    loan: (number: number) => `loan ${number}`,
    totals: (of: Totals) =>
      `${of.payments} payments add up to ${of.paid}. Then ${of.forgiven} is forgiven, and the tax on that is ${of.tax}. Paid and tax: ${of.cost}. Worth today, each payment and the tax discounted to the first payment: ${of.worth}.`,
    rests: "The figures of this plan rest on these rules:",
    leavesOut: "They do not apply these, which may bear on you:"
  },
  tools: {
    link: "Copy a link to this",
    copied:
      "Copied. The link holds what you typed. It is sent to no server, but whoever opens it has it in the browser's history.",
    print: "Print or save as PDF"
  },
  footer: {
    rules: "Every rule, with its source",
    api: "API for whole books, recorded and verifiable",
    basis: (version: string, firstMonth: string, discount: string) =>
      `Rules version ${version}. First payment in ${firstMonth}. “Worth today” counts money at ${discount} percent a year.`,
    disclaimer: "Not legal, tax or financial advice."
  }
}
