/** Explains a month's payment: the derivation of each part, and the use of the money. */
import type { Rule } from "../../../../ledger/entry.ts"
import { idrPaymentAllocation, interestAccrual, paymentApplicationOrder } from "../../../../ledger/rules/interest.ts"
import { rapPaymentApplication } from "../../../../ledger/rules/repayment-assistance.ts"
import { dateOfMonth, endOf, currentLaw as law, type PaymentPart, planOf } from "../../../engine/index.ts"
import { explanationAnswer } from "../../../messages/explanation.ts"
import { paymentTexts } from "../../whyTexts.ts"
import { type Asked, explained } from "./asked.ts"
import type { Made, Said } from "./explanation.ts"
import { sentencesOf } from "./paymentSentences.ts"
import { addingUp, isNotZero, row, sentences, sumOf, toTheCent } from "./rows.ts"

/** The reason why a part is on another plan than the line's. */
const reasonOf = ({ line, start }: Asked, { group }: PaymentPart): ReadonlyArray<string> => {
  if (group === "beside") return [paymentTexts.beside]
  if (group !== "successor") return []
  return [paymentTexts.since(dateOfMonth(start, endOf(law, planOf(line.planType), start)))]
}

/** The sentences of a part of a payment; the first derives it. It names its plan if there are other parts. */
const saidOf = (asked: Asked, part: PaymentPart, isOneOfSeveral: boolean): ReadonlyArray<Said> => {
  const [derived = "", ...others] = sentencesOf(law, part)
  const reason = reasonOf(asked, part)
  const rest = [...reason, ...others]
  return [
    { text: derived, ...(isOneOfSeveral || reason.length > 0 ? { planType: part.planType } : {}) },
    ...(rest.length > 0 ? sentences(rest.join(" ")) : [])
  ]
}

const saidOfAll = (
  asked: Asked,
  parts: ReadonlyArray<PaymentPart>,
  date: string,
  amount: number
): ReadonlyArray<Said> => {
  if (parts.length === 0) return sentences(paymentTexts.over(date))
  const due = parts.filter(({ group }) => group !== "paused")
  if (due.length === 0) return sentences(paymentTexts.paused(date))
  const paused = parts.filter(({ group }) => group === "paused").flatMap(({ loans }) => loans)
  const isSeveral = due.length > 1
  return [
    ...(isSeveral ? sentences(paymentTexts.several(amount, date, due.length)) : []),
    ...due.flatMap((part) => saidOf(asked, part, isSeveral)),
    ...(paused.length > 0 ? sentences(paymentTexts.others(paused.length)) : [])
  ]
}

/** The use of a payment: interest and principal. */
const applicationRules = (parts: ReadonlyArray<PaymentPart>): ReadonlyArray<Rule> => [
  ...new Set(
    parts.map(({ planType }) => {
      if (planOf(planType).kind === "fixed") return paymentApplicationOrder
      return planType === "REPAYMENT ASSISTANCE" ? rapPaymentApplication : idrPaymentAllocation
    })
  )
]

export const payment = (asked: Asked, name: string): Made => {
  const whole = explained(asked, asked.month)
  const parts = whole.parts.filter(({ loans }) => loans.length > 0)
  const amount = toTheCent(...parts.map((part) => part.payment))
  const rules = applicationRules(parts)
  const loans = parts.flatMap((part) => part.loans)
  const [interest, unpaid, principal] = addingUp([
    sumOf(loans.map(({ toInterest }) => toInterest)),
    sumOf(loans.map(({ toUnpaidInterest }) => toUnpaidInterest)),
    sumOf(loans.map(({ toPrincipal }) => toPrincipal))
  ])
  return {
    date: whole.date,
    said: saidOfAll(asked, parts, whole.date, amount),
    rows: [
      ...[
        row("part", paymentTexts.toInterest, interest!, { rules: [interestAccrual] }),
        row("part", paymentTexts.toUnpaidInterest, unpaid!, { rules }),
        row("part", paymentTexts.toPrincipal, principal!, { rules })
      ].filter(isNotZero),
      row("sum", name, amount)
    ],
    notes: [],
    steps: explanationAnswer(law, whole)
  }
}
