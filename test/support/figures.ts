/** The figures of a projection, whose order is that of an answer, to compare two answers by. */
const FIGURES = [
  "year1MonthlyPayment",
  "payoffOrForgivenessDate",
  "monthsToFinish",
  "totalOutOfPocket",
  "amountForgiven",
  "forgivenessTaxesOwed",
  "forgivenessType",
  "presentValue",
  "yearly"
] as const

export const figuresOf = (answer: object): ReadonlyArray<unknown> =>
  FIGURES.map((figure) => (answer as Readonly<Record<string, unknown>>)[figure])
