/** The texts of the frame around every page. */
import { monthDayYear } from "../messages/figures.ts"

export const frameTexts = {
  brand: "Repayment of Record",
  site: "Site",
  skip: "Skip to your plans",
  links: [
    ["/answers", "Short answers"],
    ["/rules", "Rules and sources"],
    ["/docs/guides", "Guides"],
    ["/docs", "Developers"]
  ] as const,
  lawAsOf: (releasedAt: string) => `Law as of ${monthDayYear(releasedAt)}`,
  trust: (lawAsOf: string) => ["Free and open source", lawAsOf, "Arithmetic, not advice"],
  runBy: "This site is run by",
  unnamed: "The people who run this site haven't given their name.",
  about:
    "This is open-source software that computes what the law says. It is not the Department of Education or a loan servicer. It doesn't give legal, tax or financial advice.",
  leftOut:
    "Not included: auto-pay discounts, default, Teacher Loan Forgiveness, most states' tax, and pauses that you don't enter.",
  kept: (version: string, lawAsOf: string) =>
    `This copy works without a network and sends nothing. ${lawAsOf}, rules ${version}: later law is not in it.`,
  rules: "Every rule, with its source"
}
