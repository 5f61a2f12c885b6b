/** The texts of doing nothing, and of a change of plan that costs less. */
import { counted, grouped, monthDayYear, wholeDollars } from "../messages/figures.ts"

/** @param month the first one under the plan */
const REFUSED = (plan: string, month: string) => ({
  NotElectable: `Nobody can switch to ${plan} any more.`,
  HasEnded: `${plan} isn't offered from ${month} on: it has ended by then.`,
  InForce: `You would be on ${plan} already.`,
  FromIncomeBased: `From Income-Based you can only switch to Standard or RAP. After a month on Standard, any plan that is open to you is.`,
  TakesNone: `${plan} can't take your loans then.`
})

export const pathTexts = {
  own: {
    title: "Try your own change",
    lead: (plan: string) => `You begin on ${plan}.`,
    choose: "choose",
    none: "Choose a month and a plan to see what a change would do.",
    over: (plan: string, month: string) => `${plan} is over before ${month}.`,
    refused: (reason: keyof ReturnType<typeof REFUSED>, plan: string, month: string) => REFUSED(plan, month)[reason],
    /** @param more dollars in all than without the change, negative if less */
    does: (payment: string, month: string, cost: string, more: number, end: string) =>
      `${payment} in ${month}, and ${cost} in all: ${Math.round(more) === 0 ? "the same as" : `${wholeDollars(Math.abs(more))} ${more > 0 ? "more" : "less"} than`} staying. Done ${end}.`
  },
  inDefault:
    "No plan is open while your loans are in default. These figures hold once they are out of it: all of them after a rehabilitation, but only RAP and Tiered Standard after a consolidation.",
  waysOut: "The ways out",
  doingNothing: "If you do nothing",
  vacated: (plan: string) => `SAVE has ended. If you don't choose a plan, you are moved to ${plan}.`,
  ends: (current: string, instant: string, plan: string) =>
    `${current} ends on ${monthDayYear(instant)} at the latest. If you do nothing, you are moved to ${plan}.`,
  closedYours: (plan: string, why: string) =>
    `${plan}, your plan now, can't take your loans: ${why} Ask your servicer.`,
  begins: (month: string, plan: string) =>
    `Nothing is due until ${month}. If you don't choose a plan by then, you start on ${plan}.`,
  nothingDue: (month: string) => `Nothing is due until ${month}. Interest until then is counted in these figures.`,
  would: (payment: string, cost: string | null, isLater: boolean) =>
    `That would be ${payment} a month${isLater ? " then" : ""}${cost === null ? "" : `, ${cost} in all`}.`,
  /** @param months that were counted so far */
  counted: (months: number, [least, most]: readonly [number, number]) =>
    `It is ${wholeDollars(most)} if your servicer takes the ${counted(months, "month")} so far as part of the term, and ${wholeDollars(least)} if a new term begins.`,
  instead: (plan: string, payment: string) => `${plan} would be ${payment}.`,
  applyNow:
    "Apply at studentaid.gov/idr before the date in your letter. No letter yet? You can apply now, and it's free.",
  /** @param from the month of the payment @param until the last month tried in which a change costs the same */
  better: (plan: string, payment: string, from: string, saved: string, until: string) =>
    `${plan} instead would be ${payment} in ${from}, and costs ${saved} less in all, if it begins by ${until}.`,
  buyBack:
    "With 120 months of public service in all, you may be able to buy back months of the SAVE pause. Ask at studentaid.gov/pslf.",
  applySoon: "Apply at studentaid.gov/idr now. It's free.",
  applyThen: "Apply at studentaid.gov/idr about two months before. It's free.",
  tag: "Changing plans on the way costs less",
  title: (first: string, until: string, second: string, saved: string, against: string) =>
    `${first} until ${until}, then ${second}: ${saved} less than ${against}`,
  staying: "staying",
  alone: (plan: string) => `${plan} alone`,
  part: (plan: string, payment: string) => `${plan}, ${payment}`,
  span: (from: string, to: string) => `${from} to ${to}`,
  rises: (highest: string) => `Payments rise to ${highest}.`,
  total: (cost: string, end: string) => `You pay ${cost} in all, tax included, and are done in ${end}.`,
  onReturn: (way: string) => `It counts on this tax return: ${way.toLowerCase()}.`,
  apply: (month: string) => `Apply for the second plan two months before ${month}.`,
  applyPath: "Apply for the second plan now. Until it begins, you pay what your servicer bills.",
  applyBetween: (from: string, to: string) =>
    `A change in ${to} costs the same as one in ${from}. Apply two months before.`,
  undo: "What could undo it",
  undoes: [
    "Your income or family changes. Then compare again.",
    "Congress or the Department changes the plans.",
    "You take a new loan or consolidate: that can close the second plan.",
    "Your servicer takes longer than a month. Months in between may not count."
  ],
  leaving: "You leave public service before the end.",
  counts: "Your servicer counts fewer months than you typed.",
  tier: "Your servicer takes the term of Tiered Standard from what you owed at first, not at the change.",
  joins: "Leaving Income-Based adds your unpaid interest to what you owe. That is in these figures.",
  tried: (paths: number) => `The best of ${grouped(paths)} paths tried. It is arithmetic, and the choice is yours.`
}
