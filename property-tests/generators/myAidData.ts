/**
 * Generators of My Aid Data files (the download from studentaid.gov) in the three known layouts.
 * Each comes with the random loans that a reader must find in it. Names, ids, addresses and schools
 * are one marker text, so that a test can detect a leak.
 */
import fc from "fast-check"
import { LOAN_TYPES } from "../../schema/loan.ts"
import type { LoanMembers } from "../../src/myAidData/result.ts"
import { cents } from "./amounts.ts"

/** The marker of personal data; it appears nowhere else. */
export const SECRET = "zqx"

const LAYOUTS = ["type", "typeCode", "awardId"] as const
type Layout = (typeof LAYOUTS)[number]

interface Aid {
  readonly loanType: (typeof LOAN_TYPES)[number]
  readonly principal: number
  readonly interest: number
  /** In hundredths of a percent. */
  readonly rate: number
  readonly disbursed: number
  readonly pslf: number
  readonly status: string
  readonly contacts: number
  /** The loan's date, and that of its first disbursement. */
  readonly made: string
  readonly disbursedOn: string
  readonly isListed: boolean
}

export interface AidFile {
  readonly text: string
  readonly loans: ReadonlyArray<{ readonly number: number; readonly loan: LoanMembers }>
  /** The days on which its loans were made, those of closed loans too. */
  readonly made: ReadonlyArray<string>
}

const OPEN = ["RP", "FB", "DA", "IA", "DF", "BK", "UI", "??"]
const CLOSED = ["PF", "PN", "CA", "DI"]

const MAX_OWED = 500_000
const MAX_RATE = 1400
const MAX_PAYMENTS = 120

const days = fc
  .date({ min: new Date("1995-01-01"), max: new Date("2023-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, "YYYY-MM-DD".length))

const aids: fc.Arbitrary<Aid> = fc.record({
  loanType: fc.constantFrom(...LOAN_TYPES),
  principal: fc.oneof(cents(MAX_OWED), fc.constant(0)),
  interest: fc.oneof(cents(MAX_OWED), fc.constant(0)),
  rate: fc.integer({ min: 0, max: MAX_RATE }),
  disbursed: fc.oneof(cents(MAX_OWED), fc.constant(0)),
  pslf: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: MAX_PAYMENTS })),
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...OPEN) },
    { weight: 1, arbitrary: fc.constantFrom(...CLOSED) }
  ),
  contacts: fc.integer({ min: 1, max: 3 }),
  made: days,
  disbursedOn: days,
  isListed: fc.boolean()
})

const thousands = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ",")

const money = (amount: number): string => {
  const [whole, fraction] = amount.toFixed(2).split(".")
  return `$${thousands(whole!)}.${fraction}`
}

const percent = (hundredths: number): string => `${(hundredths / 100).toFixed(2)}%`

const asWritten = (day: string): string => day.replace(/(.*)-(.*)-(.*)/, "$2/$3/$1")

const listsDisbursements = ({ disbursed, isListed }: Aid): boolean => isListed && disbursed > 0

const disbursementsOf = (aid: Aid): ReadonlyArray<string> =>
  listsDisbursements(aid)
    ? [
        "Loan Disbursement Date:12/31/2023",
        "Loan Disbursement Amount:$0.00",
        `Loan Disbursement Date:${asWritten(aid.disbursedOn)}`,
        `Loan Disbursement Amount:${money(aid.disbursed)}`
      ]
    : []

const contactOf = (type: string): ReadonlyArray<string> => [
  `Loan Contact Type:${type}`,
  ...["Name", "Street Address 1", "City", "Zip Code", "Phone Number", "Email Address", "Web Site Address"].map(
    (key) => `Loan Contact ${key}:${SECRET}: ${SECRET}`
  ),
  "Most Relevant:Yes",
  `Loan Special Contact Reason:${SECRET}`,
  `Loan Special Contact:${SECRET}`
]

const CONTACTS = ["Current ED Servicer", "Current Lender", "Current Guaranty Agency"]

const middleOf = (aid: Aid): ReadonlyArray<string> => [
  `Loan Attending School Name:${SECRET}`,
  `Loan Attending School OPEID:${SECRET}`,
  `Loan Date:${asWritten(aid.made)}`,
  `Loan Amount:${money(aid.disbursed + 1)}`,
  `Loan Disbursed Amount:${money(aid.disbursed)}`,
  `Loan Outstanding Principal Balance:${money(aid.principal)}`,
  "Loan Outstanding Principal Balance as of Date:01/31/2024",
  `Loan Outstanding Interest Balance:${money(aid.interest)}`,
  "Loan Outstanding Interest Balance as of Date:01/31/2024",
  `Loan Interest Rate:${percent(aid.rate)}`,
  `Loan PSLF Cumulative Matched Months:${aid.pslf}`,
  `Unknown Key:${SECRET}`,
  `${SECRET}:${SECRET}`,
  SECRET
]

const statusOf = (layout: Layout, { status }: Aid): ReadonlyArray<string> => [
  ...(layout === "type" ? [] : [`Current Loan Status:${status}`]),
  `Loan Status:${status}`,
  "Loan Status Description:X",
  "Loan Status Effective Date:01/01/2024",
  "Loan Status:IA",
  "Loan Status Effective Date:01/01/2019"
]

const loanLines = (layout: Layout, aid: Aid, index: number): ReadonlyArray<string> => {
  const typed =
    layout === "type" ? [`Loan Type:${aid.loanType}`] : ["Loan Type Code:??", `Loan Type Description:${aid.loanType}`]
  const id = `Loan Award ID:${SECRET}${index}`
  const [first, last] = layout === "awardId" ? [[id], typed] : [[...typed, id], []]
  const contacts = CONTACTS.slice(0, aid.contacts).flatMap(contactOf)
  return [...first, ...middleOf(aid), ...statusOf(layout, aid), ...disbursementsOf(aid), ...contacts, ...last]
}

const STUDENT = ["First Name", "Middle Initial", "Last Name", "Street Address 1", "City", "Zip Code", "Email Address"]

const headLines = (loans: ReadonlyArray<Aid>): ReadonlyArray<string> => [
  "File Source:U.S. DEPARTMENT OF EDUCATION, NATIONAL STUDENT LOAN DATA SYSTEM (NSLDS)",
  "File Request Date:2024-02-14 09:12:44",
  ...STUDENT.map((key) => `Student ${key}:${SECRET}`),
  ...(["principal", "interest"] as const).map((kind) => {
    const total = loans.reduce((sum, loan) => sum + loan[kind], 0)
    return `Student Total All Loans Outstanding ${kind === "principal" ? "Principal" : "Interest"}:${money(total)}`
  }),
  "Type Code:D2",
  "Type Description:DIRECT STAFFORD UNSUBSIDIZED",
  "Total <D2> Outstanding Principal:$1.00"
]

const tailLines = (): ReadonlyArray<string> => [
  "Grant Type Code:PE",
  `Grant Attending School Name:${SECRET}`,
  `Award ID:${SECRET}`,
  `Phone Number:${SECRET}`,
  "Loan Outstanding Interest Balance as of Date:01/31/2024",
  `Program School Name:${SECRET}`,
  `Award School Name:${SECRET}`,
  `Enrolled School Name:${SECRET}`
]

const isKept = ({ interest, principal, status }: Aid): boolean => !CLOSED.includes(status) && principal + interest > 0

/** The fields expected from a loan. The rate is built from its digits, without rounding. */
const membersOf = (aid: Aid): LoanMembers => ({
  loanType: aid.loanType,
  principalBalance: aid.principal,
  ...(aid.interest > 0 ? { interestBalance: aid.interest } : {}),
  interestRate: Number(`0.${String(aid.rate).padStart(4, "0")}`),
  ...(aid.disbursed > 0 ? { disbursedAmount: aid.disbursed } : {}),
  ...(aid.pslf > 0 ? { pslfCount: aid.pslf } : {}),
  madeOn: listsDisbursements(aid) && !/CONSOLIDATED|REFINANCED/.test(aid.loanType) ? aid.disbursedOn : aid.made
})

const MAX_LOANS = 12

/** A file with at least one open loan with a balance. */
export const aidFiles: fc.Arbitrary<AidFile> = fc
  .record({
    layout: fc.constantFrom(...LAYOUTS),
    aids: fc.array(aids, { minLength: 1, maxLength: MAX_LOANS }).filter((loans) => loans.some(isKept)),
    end: fc.constantFrom("\n", "\r\n", "\r", "\n\n")
  })
  .map(({ aids: loans, end, layout }) => ({
    text: [...headLines(loans), ...loans.flatMap((aid, index) => loanLines(layout, aid, index)), ...tailLines()].join(
      end
    ),
    made: loans.map((aid) => membersOf(aid).madeOn!),
    loans: loans.flatMap((aid, index) => (isKept(aid) ? [{ number: index + 1, loan: membersOf(aid) }] : []))
  }))
