/** The texts of the answer: the cards and the list of plans. */
import type { FilingStatus } from "../../schema/scenario.ts"
import { type EnginePlan, MONTHS_PER_YEAR } from "../engine/index.ts"
import { counted, monthDayYear, percent, wholeDollars } from "../messages/figures.ts"
import type { Assumptions } from "./book/answer.ts"
import type { Edge, IncomeShare, Line, NextBand } from "./book/line.ts"
import type { LineNote } from "./book/standing.ts"
import { dialogTexts } from "./whyTexts.ts"

const YEAR = new Intl.DateTimeFormat("en-US", { year: "numeric", timeZone: "UTC" })
const ALL = new Intl.ListFormat("en-US", { type: "conjunction" })

interface PlanText {
  /** The name in a list or a card. */
  readonly name: string
  /** The name at a line of a plot. */
  readonly short: string
  /** A description, shown under the name in the list. */
  readonly about: string
}

const PLAN_TEXTS: Readonly<Record<EnginePlan, PlanText>> = {
  STANDARD: { name: "Standard", short: "Standard", about: "the same payment each month" },
  "TIERED STANDARD": { name: "Tiered Standard", short: "Tiered Standard", about: "10 to 25 years, by what you owe" },
  EXTENDED: { name: "Extended", short: "Extended", about: "up to 25 years on most loans" },
  GRADUATED: { name: "Graduated", short: "Graduated", about: "starts low, rises every two years" },
  "INCOME BASED": { name: "Income-Based, 10%", short: "IBR, 10%", about: "IBR" },
  "INCOME BASED (OLD)": { name: "Income-Based, 15%", short: "IBR, 15%", about: "IBR" },
  "INCOME CONTINGENT": { name: "Income-Contingent", short: "ICR", about: "ICR, by income" },
  "PAY AS YOU EARN": { name: "Pay As You Earn", short: "PAYE", about: "PAYE" },
  "REVISED PAY AS YOU EARN": { name: "Revised Pay As You Earn", short: "REPAYE", about: "REPAYE, by income" },
  SAVE: { name: "SAVE", short: "SAVE", about: "by income" },
  "REPAYMENT ASSISTANCE": { name: "Repayment Assistance", short: "RAP", about: "RAP, by income" }
}

/** The full name, with the short name if a reader may know only that. */
const fullName = ({ name, short }: PlanText): string =>
  ["RAP", "PAYE", "ICR", "REPAYE"].includes(short) ? `${name} (${short})` : name

const eachPlan = (text: (plan: PlanText) => string): Readonly<Record<EnginePlan, string>> =>
  Object.fromEntries(Object.entries(PLAN_TEXTS).map(([plan, one]) => [plan, text(one)])) as Record<EnginePlan, string>

/** For example "16 years 1 month". */
const length = (payments: number): string => {
  const years = Math.floor(payments / MONTHS_PER_YEAR)
  const months = payments % MONTHS_PER_YEAR
  return [years > 0 ? counted(years, "year") : "", months > 0 || years === 0 ? counted(months, "month") : ""]
    .filter((part) => part !== "")
    .join(" ")
}

const CONDITIONS: Readonly<Partial<Record<LineNote, string>>> = {
  ifSince2014: "if you owed nothing on July 1, 2014, or nothing when you took a loan after that day",
  ifBefore2014: "if you owed on July 1, 2014 and have owed without a break since",
  ifSince2007:
    "if you owed nothing on October 1, 2007 or when you took a later loan, and got a Direct loan, other than Parent PLUS, after September 2011",
  ifSince1998: "if you owed nothing on October 7, 1998, or nothing when you took a loan after that day",
  recentLoan: "if you got a Direct loan, other than Parent PLUS, after September 2011"
}

/** The facts of a plan's end: "done in Dec 2042", or the amount and month of forgiveness. */
export interface End {
  readonly month: string | undefined
  readonly forgiven: number
  /** The month of the last forgiveness. */
  readonly forgivenIn: string | undefined
  readonly isForgivenAtOnce: boolean
  readonly tax: number
  readonly uncountedTax: Line["uncountedTax"]
  /** Whole dollars to put aside for the tax each month; undefined if they differ by year. */
  readonly aside: number | undefined
  /** Whether the forgiveness is for public service. */
  readonly isService: boolean
}

const taxClause = ({ aside, tax, uncountedTax }: End): string => {
  if (tax < 0.5) return ""
  const each = aside === undefined ? "" : ` (${wholeDollars(aside)} a month put aside)`
  const kind = uncountedTax === "none" ? "tax" : "federal tax"
  const onTop = uncountedTax === "state" ? ", and perhaps state tax on top" : ""
  return `, with about ${wholeDollars(tax)} in ${kind}${each}${onTop}`
}

const endClause = (end: End): string => {
  const { forgiven, forgivenIn, isForgivenAtOnce, isService, month } = end
  if (month === undefined) return "it isn't paid off within 50 years"
  if (forgiven < 0.5 || forgivenIn === undefined) return `you are done in ${month}`
  const stayed = isService ? ", if you stay in public service" : ""
  const done = forgivenIn === month ? "" : `, and you are done in ${month}`
  return `${isForgivenAtOnce ? "in" : "by"} ${forgivenIn} ${wholeDollars(forgiven)} is forgiven${stayed}${taxClause(end)}${done}`
}

const rise = (first: number, highest: number): string =>
  Math.round(highest) > Math.round(first) ? `, rising to ${wholeDollars(highest)}` : ""

/** The reason why a payment rises: the income, the plan's own steps, or the end of the plan or of a pause. */
export type Rise = "income" | "steps" | "later"

const RISES: Readonly<Record<Rise, string>> = {
  income: "Rises with your income",
  steps: "Rises in steps",
  later: "Rises later"
}

/** An event that closes a plan that has no end date. */
const CLOSES: Readonly<Record<Line["closedBy"], string>> = {
  loan: ", but a new Direct loan or a consolidation does",
  consolidation: ", but a consolidation does",
  nothing: ""
}

export const answerTexts = {
  title: "Your plans",
  heading: "Your answer",
  computing: "Computing…",
  none: "No plan takes these loans as they are typed.",
  failed: "The page could not compute this. Reload it, or try another browser.",
  plans: eachPlan(fullName),
  names: eachPlan(({ name }) => name),
  shorts: eachPlan(({ short }) => short),
  abouts: eachPlan(({ about }) => about),
  filings: {
    Single: "",
    HeadOfHousehold: "",
    MarriedFilingJointly: "joint return",
    MarriedFilingSeparately: "separate returns"
  } satisfies Record<FilingStatus, string>,
  shortFilings: {
    Single: "",
    HeadOfHousehold: "",
    MarriedFilingJointly: "joint",
    MarriedFilingSeparately: "separate"
  } satisfies Record<FilingStatus, string>,
  ways: {
    Single: "Single",
    HeadOfHousehold: "Head of household",
    MarriedFilingJointly: "Joint return",
    MarriedFilingSeparately: "Separate returns"
  } satisfies Record<FilingStatus, string>,
  /** The description of a plan that takes a share of the income. */
  share: ({ above, rate }: IncomeShare) => `${percent(rate)} of income above ${wholeDollars(above)}`,
  incomeBased: "Income-Based",
  returnsOf: (plan: string) => `${plan}: which returns`,
  length,
  cards: {
    question: "What matters most to you?",
    oneWins: "One plan is first on all three",
    oneWinsBy: "It follows from your answers. Another answer may change it.",
    onlyPlan: "One plan is open to you",
    ifNotDone: "If your counts are wrong",
    ifNotDoneBy: "These figures hold only if nothing is forgiven yet.",
    goals: { first: "Lowest payment now", cost: "Lowest total cost", soonest: "Debt-free first" },
    yours: "Your goal",
    units: { first: "a month", cost: "in all", soonest: "done" },
    both: (labels: ReadonlyArray<string>) => {
      const [first = "", ...others] = labels
      return ALL.format([first, ...others.map((one) => one[0]!.toLowerCase() + one.slice(1))])
    },
    /** The payment, on a card whose large figure is another one. */
    payment: (first: number, highest: number, payments: string) =>
      Math.round(highest) > Math.round(first)
        ? `${wholeDollars(first)} a month at first${rise(first, highest)}.`
        : `${wholeDollars(first)} a month for ${payments}.`,
    rises: (highest: string, how: Rise) => `${RISES[how]}, to ${highest}.`,
    steady: (byIncome: boolean, growth: number) => {
      if (!byIncome) return "The payment doesn't rise."
      return growth === 0
        ? "The payment stays the same while your income does."
        : "With the raise you typed, the payment still doesn't rise."
    },
    falls: (least: string) => `Falls later, to ${least}.`,
    paymentFalls: (first: string, least: string) => `${first} a month at first, which falls later, to ${least}.`,
    total: (cost: string, end: End) => `You pay ${cost} in all, and ${endClause(end)}.`,
    end: (end: End) => {
      const clause = endClause(end)
      return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`
    },
    more: (amount: string, plan: string) => `That is ${amount} more than ${plan}.`,
    less: (amount: string, plan: string) => `Costs ${amount} less than ${plan}.`,
    longer: (payments: number) => `You pay for ${length(payments)} longer.`,
    apart: (less: string) =>
      `On separate returns a plan would cost ${less} less at the end, in tax. But two returns mostly cost more income tax each year, and may lose credits. That isn't counted.`,
    cheapest: {
      forgiven: (amount: string) => `It costs least because ${amount} is forgiven.`,
      service: (amount: string) => `It costs least because public service forgives ${amount}, without federal tax.`,
      soonest: "It costs least because you pay it off soonest, so less interest adds up.",
      evenly: "It costs least because you pay more from the start, so less interest adds up."
    },
    toSteps: "How to get it",
    tied: (goal: "first" | "cost" | "soonest", plans: ReadonlyArray<string>) => {
      const isOne = plans.length === 1
      const verbs = {
        first: isOne ? "starts" : "start",
        cost: isOne ? "costs" : "cost",
        soonest: isOne ? "ends" : "end"
      }
      const rest = { first: "as low", cost: "the same", soonest: "then too" }
      return `${ALL.format(plans)} ${verbs[goal]} ${rest[goal]}.`
    },
    tie: (plan: string, first: number, highest: number) =>
      `${plan} (${wholeDollars(first)} now${rise(first, highest)})`,
    others: (count: number) => counted(count, "other plan"),
    maybe: (plan: string, figure: string, condition: LineNote) => `Or ${plan}, ${figure}, ${CONDITIONS[condition]}.`,
    tiedOnMore: (plans: ReadonlyArray<string>, goals: ReadonlyArray<"first" | "cost" | "soonest">) =>
      `${ALL.format(plans)} ${plans.length === 1 ? "does" : "do"} the same ${ALL.format(goals.map((goal) => ({ first: "at first", cost: "in all", soonest: "at the end" })[goal]))}.`,
    /** One of two plans is open, whatever the answer is. */
    either: (plan: string, goal: "first" | "cost" | "soonest", figure: string, condition: LineNote, other: string) =>
      `${plan} ${{ first: "starts lower", cost: "costs less", soonest: "ends sooner" }[goal]} still, in both its kinds: ${figure}${figure === other ? "" : ` ${CONDITIONS[condition]}, else ${other}`}.`
  },
  ghosts: [
    ["Lowest payment now", "What you'd pay each month at first, and how high it can rise."],
    ["Lowest total cost", "Everything you'd pay until the end, tax included."],
    ["Debt-free first", "The plan that ends soonest, and when."]
  ],
  compared: "The plans that are compared",
  comparedPlans: [
    ["Repayment Assistance (RAP)", "A share of your income, 1% to 10%. The rest is forgiven after 30 years."],
    [
      "Income-Based (IBR)",
      "10% or 15% of your income above a basic amount. The rest is forgiven after 20 or 25 years."
    ],
    ["Standard", "The same payment each month, for 10 years on most loans."],
    ["Graduated", "Starts low and rises every two years."],
    ["Extended", "Up to 25 years, if you owe more than $30,000."],
    ["Pay As You Earn, Income-Contingent", "By income too. Both close on July 1, 2028 at the latest."]
  ],
  fixedOnly: "These figures don't depend on your income. They assume that you make every payment on time.",
  assumes: ({ changes, incomeGrowth, priceGrowth }: Assumptions): string => {
    const income =
      incomeGrowth === 0 ? "your income stays as it is" : `your income grows ${percent(incomeGrowth)} a year`
    const prices = priceGrowth === 0 ? "prices stay as they are" : `prices grow ${percent(priceGrowth)} a year`
    const typed =
      changes === 0
        ? "These figures"
        : `These figures follow ${counted(changes, "change")} that you typed. Apart from that, they`
    return `${typed} assume that ${income}, that ${prices}, and that you make every payment on time.`
  },
  firstPayment: (month: string) => `The first payment is in ${month}.`,
  dueLater: (loans: ReadonlyArray<number>, month: string) =>
    `${loans.length === 1 ? "Loan" : "Loans"} ${ALL.format(loans.map(String))}: from ${month} on.`,
  uncounted: ({ hasInterest, isPaid }: Assumptions, isInSchool: boolean): string => {
    if (isPaid || isInSchool) return "No unpaid interest is counted."
    return hasInterest
      ? "Payments you have made so far aren't counted. They may end a plan sooner."
      : "Unpaid interest and payments you have made so far aren't counted. The payments may end a plan sooner."
  },
  count: "Add yours",
  noIncome:
    "They count no income of yours until the end. Under “What may change”, add what you earn when you work again: it can move every figure. Until a plan by income begins, ask your servicer for a deferment if you can't pay a bill.",
  raise: "If your income grows, plans by income can cost much more.",
  change: "Change that",
  rowLabels: {
    plan: "Plan",
    first: "First payment",
    cost: "You pay in all",
    costHelp: (owed: string) => `dark: today's debt, ${owed}; pale: what you pay beyond it; outlined: tax`,
    ends: "Done"
  },
  sortBy: "Sort by",
  sorts: { first: "First payment", cost: "You pay in all", soonest: "Done" },
  thenUpTo: (highest: string, how: Rise) => `${RISES[how].toLowerCase()}, to ${highest}`,
  thenFixed: (byIncome: boolean) => (byIncome ? "at this income" : "every month"),
  thenLess: (least: string) => `falls later, to ${least}`,
  beyond: (amount: number, tax: number): string => {
    const beyond =
      Math.round(amount) >= 0
        ? `${wholeDollars(amount)} beyond today's debt`
        : `${wholeDollars(-amount)} less than you owe today`
    return Math.round(tax) === 0 ? beyond : `${beyond}, and ${wholeDollars(tax)} tax`
  },
  never: "not within 50 years",
  after: (payments: number) => `after ${length(payments)}`,
  forgiven: (payments: number) => `rest forgiven after ${length(payments)}`,
  /** For a book in which loans outside the plan last longer than the forgiven ones. */
  partForgiven: (payments: number, month: string) => `after ${length(payments)}; part forgiven in ${month}`,
  yourPlan: "your plan now",
  withBudget: (budget: string, figure: string) => `with ${budget} a month in all: ${figure}`,
  withExtra: (extra: string, figure: string) => `with ${extra} more: ${figure}`,
  withOnce: (once: string, figure: string) => `with ${once} once: ${figure}`,
  band: (instant: string, { before, over, rate }: NextBand) =>
    `In ${YEAR.format(new Date(instant))} your income passes ${wholeDollars(over)}: RAP takes ${percent(rate)} of it instead of ${percent(before)}.`,
  zero: (above: string) => `You pay nothing while your income is ${above} or less.`,
  edge: ({ less, over }: Edge) =>
    `Your income is just above a step: at ${wholeDollars(over)} or less, it would be ${wholeDollars(less)} a month lower.`,
  ofNewTerm: (payment: string) => `It is ${payment} a month if your servicer counts none of the months so far.`,
  closes: (instant: string, successor: string) =>
    `Closes ${monthDayYear(instant)} at the latest. You move to ${successor} unless you choose another plan. These figures count that move.`,
  successor: (plans: ReadonlyArray<EnginePlan>): string => {
    const isRap = (plan: EnginePlan) => plan === "REPAYMENT ASSISTANCE"
    if (!plans.some(isRap)) return "Income-Based"
    return plans.every(isRap) ? "RAP" : "RAP, or to Income-Based for loans that RAP can't take,"
  },
  hardship:
    "Open to you only if your payment by income is lower than on the 10-year Standard plan. Your servicer checks that when you apply.",
  noHardship: (isOfReturn: boolean) =>
    `${isOfReturn ? "On this return" : "By these figures"} it isn't open to you: your payment by income must be lower than on the 10-year Standard plan. It may be open if you owed more when you began to repay.`,
  window:
    "A consolidation that repaid a Parent PLUS loan can use Income-Based only if it was paid by income at some time from July 4, 2025 to June 30, 2028.",
  shortened:
    "The months and payments counted so far shorten plans with a fixed term here. Your servicer goes by the time since you began to repay, so your own bill may be lower and last longer, or be higher and end sooner.",
  begun:
    "Here it begins anew, over its whole term. You have paid on it already: your bill says what is due, and it ends sooner. Add the months you have paid.",
  fromIncomeBased:
    "You are on Income-Based: from there only Standard or RAP are open. After a month on Standard, this plan may be.",
  leaving: "Leaving Income-Based adds your unpaid interest to what you owe. These figures count that.",
  endsFirst: "It ends before your first payment.",
  openDates: "These figures don't know a date that the law asks for:",
  earlier: "From before this change:",
  grows: "What you owe grows over the years, because these payments don't cover all of the interest.",
  rap: "If you pay on time, interest above your payment is waived. If a payment takes less than $50 off your debt, the government adds up to the difference.",
  uncertified: "Payments below the 10-year Standard amount don't count for public service.",
  neverCertified: "Payments on this plan don't count for public service.",
  apart:
    "Two returns may mean more income tax for the two of you. That is not in these figures: ask a tax preparer how much. If your spouse repays by income, that payment also changes with the return, and isn't shown. Add it before you choose. Dependents are taken as yours; only one of you can claim each. Servicers have counted a spouse on separate returns too. Plans by income, except RAP, may then ask for less.",
  apartBriefly:
    "Separate returns may mean more income tax, and change your spouse's own payment. Neither is in these figures.",
  territoryTax:
    "In Puerto Rico and American Samoa you may owe less of this tax or none, but owe tax to the territory. In Guam, the US Virgin Islands and the Northern Mariana Islands it is paid to the territory instead.",
  communityBriefly: "In your state, spouses may have to split their income on such returns.",
  community:
    "In your state, spouses may have to split their income on separate returns. That is not in these figures either, and it can move the payment.",
  condition: (note: LineNote): string => CONDITIONS[note] ?? "",
  details: (plan: string) => `${plan}: details`,
  adds: "How it adds up",
  figures: {
    ...dialogTexts.figures,
    // This row follows the amount paid.
    interest: "Of that, beyond today's debt"
  },
  worthHelp: (discount: string) =>
    `What all payments and the tax would be worth now, if money grew ${discount}% a year. Later payments weigh less in it, so a longer plan looks cheaper here. It isn't money that you have or owe.`,
  press: "Press a figure to see how it is computed.",
  pressTax: "Press the tax to see what to put aside for it each month.",
  why: (figure: string, value: string) => `${figure}, ${value}: how it is computed`,
  next: "If you want this plan",
  steps: {
    idr: ["Apply at ", "studentaid.gov/idr", ". It's free. You never need to pay anyone to apply."],
    by: (instant: string, isYours: boolean) =>
      isYours
        ? `You are on it. It ends on ${monthDayYear(instant)} at the latest. Choose another plan a few months before.`
        : `Apply soon: it closes on ${monthDayYear(instant)} at the latest. The Department of Education may close it sooner.`,
    fixed: [
      "Ask your servicer, the company that sends your bills, for this plan. It's free. ",
      "Find your servicer",
      ""
    ],
    anytime: (closedBy: Line["closedBy"]) => `No date closes it${CLOSES[closedBy]}.`,
    save: (isOnSave: boolean) =>
      `${isOnSave ? "You are on SAVE: choose" : "If you were on SAVE, choose"} within your letter's 90 days, or you may be moved to Standard or Tiered Standard. You can still choose then.`,
    until: "Until this plan begins, you pay what your servicer bills.",
    opensIbr:
      "One payment under it, made by June 30, 2028, opens Income-Based. That may cost you less: ask for it then.",
    school: "Your school set this schedule. Ask it, or the company that bills you, for the terms.",
    separate: "File separate tax returns: then the plan looks at your income alone.",
    halved: "File separate tax returns with Form 8958: then the plan looks at half of both incomes.",
    ask: "Ask your servicer what your first payment will be, and when.",
    income: "Send in your income again every year, by the date in your servicer's letter.",
    service: ["Have your employer certify your public service every year, with the ", "PSLF help tool", "."]
  },
  groups: {
    depends: "Depends on an answer",
    dependsHelp: "Enter when you first borrowed, and these plans join the others.",
    loansHelp: "Enter when your Direct loans were made, and these plans join the others.",
    toAnswer: "Answer it",
    closed: "Not open to you",
    closedCount: (count: number) => counted(count, "plan")
  },
  done: "Done already, if your counts are right",
  doneLead: "Check the count at studentaid.gov and ask your servicer before you choose another plan or keep paying.",
  extra: {
    title: "What I can pay",
    ways: { extra: "A little more", budget: "An amount in all", once: "Once" },
    label: "Pay a little more each month",
    amount: { extra: "Dollars more each month", budget: "Dollars each month in all", once: "Dollars, once" },
    none: {
      extra: "Choose an amount to see what paying more each month does.",
      budget: "Type what you can pay each month to see what it does.",
      once: "Type an amount and choose its month to see what it does."
    },
    leadOnce: (once: string, month: string, plan: string) => `${once} once, in ${month}, on ${plan}:`,
    leadInAll: (budget: string, plan: string) => `${budget} a month in all on ${plan}:`,
    lead: (extra: string, plan: string) => `${extra} more a month on ${plan}:`,
    saves: (sooner: number, saved: number): string =>
      `${sooner > 0 ? `done ${length(sooner)} sooner` : "done in the same month"}, and you pay ${
        Math.round(saved) >= 0 ? `${wholeDollars(saved)} less` : `${wholeDollars(-saved)} more`
      } in all.`,
    aboveBudget: (plan: string, due: string) => `${plan} asks for more than that, up to ${due} a month.`,
    /** @param more dollars in all than without paying more, negative if less */
    within: (plan: string, cost: string, more: number) =>
      `The cheapest plan that never asks for more is ${plan}: ${cost} in all, ${wholeDollars(Math.abs(more))} ${more > 0 ? "more" : "less"} than paying what it asks.`,
    noneWithin: "Every plan asks for more at some time.",
    others: (plan: string, cost: string) => `With the same payments on ${plan}, you would pay ${cost} in all.`,
    costs: (more: number): string =>
      `it costs you ${wholeDollars(more)} more in all, because less is forgiven at the end.`,
    onRap:
      "On RAP, your servicer may first use the extra for interest that RAP would waive. Then it may gain you almost nothing, or cost more than shown. Ask your servicer first."
  },
  glance: { see: (plans: number) => `See your ${counted(plans, "plan")}`, all: "See all plans" },
  printed: (owed: string, loans: number, firstMonth: string) =>
    `${owed} owed in ${counted(loans, "loan")}. First payment in ${firstMonth}.`,
  printedColumns: ["Plan", "First payment", "Highest", "Paid", "Forgiven", "Tax on that", "In all", "Done"]
}
