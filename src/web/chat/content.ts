/**
 * An answer of the tools as lines of the start page. A host sends it, so it is checked like any
 * input. Its lines have no payments but the first, and the parts that draw them ask for no other.
 */
import { byKey, type ObjectShape } from "../../../schema/shape.ts"
import { fromCents, toCents } from "../../engine/index.ts"
import { readerOf } from "../../request/read.ts"
import { answerTexts } from "../answerTexts.ts"
import type { Line } from "../book/line.ts"
import type { LineNote } from "../book/standing.ts"

/** Messages are not shown: an answer that does not fit is not drawn. */
const UNSAID = { message: "" }
const MAX_LINES = 20
const MAX_CHARACTERS = 200

const money = { shape: { kind: "number", min: 0, max: 1e11, send: "" } } as const
const name = (...names: ReadonlyArray<string>) => ({ shape: { kind: "name", names: byKey(names), ...UNSAID } }) as const

/** What is drawn of a plan or of an arm. */
const FIGURES: ObjectShape = {
  kind: "object",
  ...UNSAID,
  members: {
    planType: name(...Object.keys(answerTexts.plans)),
    firstPayment: money,
    totalOutOfPocket: money,
    amountForgiven: money,
    forgivenessTaxesOwed: money,
    forgivenessType: name("None", "Pslf", "TimeBased", "Teacher"),
    monthsToFinish: { shape: { kind: "number", min: 0, max: 600, isWhole: true, send: "" }, isNullable: true },
    payoffOrForgivenessDate: { shape: { kind: "date", min: "2000-01-01" }, isNullable: true },
    label: { shape: { kind: "text", maxCharacters: MAX_CHARACTERS, ...UNSAID }, isNullable: true, byDefault: null }
  }
}
const read = readerOf(FIGURES)

interface Figures {
  readonly planType: Line["planType"]
  readonly firstPayment: number
  readonly totalOutOfPocket: number
  readonly amountForgiven: number
  readonly forgivenessTaxesOwed: number
  readonly forgivenessType: Line["figures"]["forgivenessType"]
  readonly monthsToFinish: number | null
  readonly payoffOrForgivenessDate: string | null
  readonly label: string | null
}

type Sent = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Sent => typeof value === "object" && value !== null

const figuresOf = (sent: unknown): Figures | undefined => {
  if (!isObject(sent)) return undefined
  const { firstPayment = sent["year1MonthlyPayment"], payoffOrForgivenessDate: date } = sent
  const members = Object.keys(FIGURES.members).map((member) => [member, sent[member]] as const)
  const day = typeof date === "string" ? date.slice(0, "YYYY-MM-DD".length) : date
  return read({ ...Object.fromEntries(members), firstPayment, payoffOrForgivenessDate: day }) as Figures | undefined
}

const lineOf = ({ firstPayment, label, payoffOrForgivenessDate, ...figures }: Figures, index: number): Line => ({
  key: String(index),
  planType: figures.planType,
  label,
  isByIncome: false,
  filing: null,
  figures: {
    ...{ inputsHash: "", yearly: undefined, citations: [], omissions: [], outside: undefined },
    ...figures,
    year1MonthlyPayment: firstPayment,
    firstMonthPayment: firstPayment,
    payoffOrForgivenessDate: payoffOrForgivenessDate && `${payoffOrForgivenessDate}T00:00:00Z`
  } as unknown as Line["figures"],
  cost: fromCents(toCents(figures.totalOutOfPocket) + toCents(figures.forgivenessTaxesOwed)),
  highestPayment: firstPayment,
  highestMonth: 0,
  beyondDebt: 0,
  presentValue: 0,
  months: [],
  paused: 0,
  resumes: false,
  forgivenIn: [],
  forgivenInAll: [],
  incomeShare: undefined,
  nextBand: undefined,
  edge: undefined,
  ofNewTerm: undefined,
  withExtra: undefined,
  withChange: undefined,
  beside: [],
  uncountedTax: "none",
  mayBeSplit: false,
  closedBy: "nothing",
  isOfSchool: false,
  hasHardship: true,
  successors: [],
  notes: []
})

/** Plans that depend on when the borrower first borrowed. */
const CONDITIONS: Readonly<Partial<Record<Line["planType"], LineNote>>> = {
  "INCOME BASED": "ifSince2014",
  "INCOME BASED (OLD)": "ifBefore2014",
  "PAY AS YOU EARN": "ifSince2007",
  EXTENDED: "ifSince1998"
}

/** A borrower has one of the two kinds of Income-Based, so an answer with both knows no date. */
const conditional = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const isOpen = (plan: Line["planType"]) => lines.some(({ planType }) => planType === plan)
  if (!isOpen("INCOME BASED") || !isOpen("INCOME BASED (OLD)")) return lines
  return lines.map((line) => ({ ...line, notes: [CONDITIONS[line.planType] ?? []].flat() }))
}

/** The lines of compare_plans or compare_scenarios; undefined if the content is neither. */
export const linesOf = (content: unknown): ReadonlyArray<Line> | undefined => {
  if (!isObject(content)) return undefined
  const { plans, projections = plans } = content
  // A plan is named as on the start page, an arm by its own label.
  const named = (one: Figures): Figures => (projections === plans ? { ...one, label: null } : one)
  if (!Array.isArray(projections) || projections.length === 0 || projections.length > MAX_LINES) return undefined
  const figures = projections.map(figuresOf)
  if (!figures.every((one) => one !== undefined)) return undefined
  const lines = figures.map(named).map(lineOf)
  return projections === plans ? conditional(lines) : lines
}
