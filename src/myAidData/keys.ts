/**
 * The keys that are read, in lower case. A line with any other key is dropped at once, so last names,
 * addresses, schools and contacts never get past this list. The first name is listed only to count
 * the borrowers, and its value is dropped too. Keys are compared in full, ignoring case.
 */
export const KEYS = {
  requestDate: "file request date",
  firstName: "student first name",
  totalPrincipal: "student total all loans outstanding principal",
  totalInterest: "student total all loans outstanding interest",
  awardId: "loan award id",
  typeCode: "loan type code",
  typeDescription: "loan type description",
  /** The description, in files before 2020. */
  type: "loan type",
  date: "loan date",
  disbursedAmount: "loan disbursed amount",
  disbursementDate: "loan disbursement date",
  disbursementAmount: "loan disbursement amount",
  principal: "loan outstanding principal balance",
  interest: "loan outstanding interest balance",
  rate: "loan interest rate",
  statutoryRate: "loan statutory interest rate",
  actualRate: "loan actual interest rate",
  rateTypeCode: "loan interest rate type code",
  rateTypeDescription: "loan interest rate type description",
  rateType: "loan interest rate type",
  currentStatus: "current loan status",
  status: "loan status",
  statusDate: "loan status effective date",
  repaymentBegins: "loan repayment begin date",
  pslfMonths: "loan pslf cumulative matched months",
  parentPlus: "parent plus consolidation indicator",
  parentPlusFirstLevel: "parent plus first level consolidation indicator",
  anyParentPlus: "consolidation loan with any parent plus indicator",
  joint: "joint consolidation loan indicator"
} as const

export type Key = (typeof KEYS)[keyof typeof KEYS]

const KEYS_READ: ReadonlySet<string> = new Set(Object.values(KEYS))

export const isRead = (key: string): key is Key => KEYS_READ.has(key)

/** Prefixes of the keys after the last loan: grants, programs, awards, enrollment. */
const AFTER_LOANS = ["grant ", "program ", "award school", "enrolled "]

export const isAfterLoans = (key: string): boolean => AFTER_LOANS.some((prefix) => key.startsWith(prefix))
