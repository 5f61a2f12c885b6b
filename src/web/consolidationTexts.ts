/** The words of "What if I consolidated?". */
import type { EnginePlan } from "../engine/index.ts"
import { counted, dollars, percent } from "../messages/figures.ts"
import { answerTexts } from "./answerTexts.ts"
import type { Gain, Loss } from "./book/consolidation.ts"
import type { Choice } from "./book/newLoan.ts"

const inWords = new Intl.ListFormat("en-US")
const planNames = (plans: ReadonlyArray<EnginePlan>): string =>
  inWords.format(plans.map((plan) => answerTexts.plans[plan]))

/** The new loan that a sentence is about, if there would be two. */
const NEW_LOANS = { students: "Other loans: ", parents: "Parent PLUS loans: " }

/** The losses, as sentences about loans that go in. */
const loss = (lost: Loss): string => {
  const of = "of" in lost && lost.of !== null ? NEW_LOANS[lost.of] : ""
  switch (lost._tag) {
    case "Final":
      return "A consolidation can't be undone: the loans that go in are paid off and gone."
    case "Plans":
      return `These plans would close to the loans that go in, for good: ${planNames(lost.plans)}. Only ${planNames(lost.left)} would be left.`
    case "ParentsLeft":
      return "The loans that stay out stay as they are, but the Direct ones could then be repaid only under Tiered Standard too."
    case "Months":
      return `${of}Months counted toward forgiveness become one average: ${lost.average}. Larger loans weigh more. A loan with ${counted(lost.highest, "month")} today would lose ${lost.highest - lost.average} of them.`
    case "Payments":
      return `${of}Public-service payments become one average: ${lost.average}. Larger loans weigh more. A loan with ${counted(lost.highest, "payment")} today would lose ${lost.highest - lost.average} of them.`
    case "ParentsCounts":
      return `${of}Counted months and payments would be of no use, because Tiered Standard forgives nothing.`
    case "FfelMonths":
      return "Months counted on FFEL loans are part of the average here. The rules don't say this clearly, so the count may be lower: ask your servicer before you apply."
    case "TieredPayments":
      return lost.hasOther
        ? "Payments under Tiered Standard don't count for public service: only those under RAP would."
        : "Tiered Standard would be the only plan, and payments under it don't count for public service."
    case "Interest": {
      const rates = `The new rate is the average of your rates, ${percent(lost.average)}, rounded up to an eighth of a percent: ${percent(lost.rate)}.`
      const unpaid = lost.unpaid > 0 ? ` Unpaid interest of ${dollars(lost.unpaid)} becomes principal.` : ""
      const more = lost.more > 0 ? ` That adds ${dollars(lost.more)} to the interest of a year.` : ""
      return `${of}${rates}${unpaid}${more}`
    }
    case "SubsidizedMonths":
      return `Your subsidized loans would lose up to ${counted(lost.months, "month")} in which interest that the payment doesn't cover is waived under ${planNames(lost.plans)}. RAP has a waiver of its own.`
    case "PerkinsCancellation":
      return "Perkins loans would lose their cancellation for teachers, nurses and other professions, and the interest that the government pays during a deferment."
    case "HealthProfessions":
      return "Health Professions loans would lose their own deferments and the interest that is not charged during them."
    case "Grace":
      return "In school you can't consolidate yet. If a loan is in its grace period, the rest of that period ends."
  }
}

const gain = (gained: Gain): string => {
  const of = "of" in gained && gained.of !== null ? NEW_LOANS[gained.of] : ""
  switch (gained._tag) {
    case "OpensRap":
      return `Loans that RAP can't take today could be repaid under RAP${gained.forService ? ", and those payments would count for public service" : ""}.`
    case "Months":
      return `${of}A loan with ${counted(gained.lowest, "month")} counted toward forgiveness today would have ${gained.average}.`
    case "Payments":
      return `${of}A loan with ${counted(gained.lowest, "public-service payment")} today would have ${gained.average}.`
    case "OnePayment":
      return `${of}${gained.loans} loans would become one, with one payment to one servicer.`
  }
}

const CHOICES: Readonly<Record<Choice, string>> = {
  students: "Leave the Parent PLUS loans out",
  both: "Consolidate the Parent PLUS loans too, as a loan of their own",
  parents: "Consolidate the Parent PLUS loans"
}

const CHOICE_LEADS: Readonly<Record<Choice, string>> = {
  students: "All other loans become one new loan.",
  both: "They become two new loans. One loan for all of them could be repaid only under Tiered Standard.",
  parents: "They become one new loan."
}

export const consolidationTexts = {
  title: "What if I consolidated?",
  lead: "See what you would lose first, then the plans as they would be.",
  advice:
    "This shows what the rules give. It is not advice. It assumes a Direct Consolidation Loan that is made this month. Your servicer decides the counts.",
  choices: CHOICES,
  choiceLeads: CHOICE_LEADS,
  goIn: (loans: ReadonlyArray<number>): string =>
    loans.length === 1 ? `Loan ${loans[0]} would go in.` : `Loans ${inWords.format(loans.map(String))} would go in.`,
  made: (name: string, balance: string, rate: string): string => `${name}: ${balance} at ${rate}.`,
  losses: "What you would lose or have to accept",
  gains: "What you would gain",
  loss,
  gain,
  plans: "The plans as they would be",
  after: "If you consolidated",
  today: "Today",
  first: (payment: string): string => `${payment} at first`,
  inAll: (cost: string): string => `${cost} in all`,
  /** For loans that last longer than the forgiven ones. */
  rest: "the rest paid off",
  endings: { None: "paid off", Pslf: "forgiven, public service", TimeBased: "forgiven", Teacher: "forgiven" },
  end: (ending: string, month: string): string => `${ending}, ${month}`,
  closing: "Plans that would close to the loans that go in",
  notOpen: "not open to them",
  rules: "The rules:",
  rulePlans: "plans for loans made from July 2026",
  ruleRate: "the rate of a consolidation"
}
