/**
 * The authorities behind the ledger, each with the times at which it usually publishes. An entry
 * adds the document and paragraph, and a grade of evidence that says how the text was read.
 */
import type { Source } from "./entry.ts"

/** The fields of a source that an entry adds to its authority. */
interface Citation extends Pick<Source, "url" | "note" | "evidence"> {
  /** Set if this document is updated at other times than the authority's other documents. */
  readonly cadence?: string
}

const authority =
  (name: string, usualCadence: string) =>
  ({ cadence = usualCadence, evidence, note, url }: Citation): Source => ({
    authority: name,
    url,
    note: `${note}.`,
    evidence,
    cadence
  })

const onAmendment = "on amendment (e-CFR is updated daily; rules appear in the Federal Register)"
const onPublicLaw = "on amendment (Public Law); U.S. Code updated continuously"
export const onLegislativeChange = "on legislative change"

export const educationDepartment = authority("U.S. Department of Education", onAmendment)
export const federalStudentAid = authority(
  "U.S. Department of Education, Federal Student Aid",
  "annually: fixed by the last 10-year Treasury auction before 1 June, announced May-June, applied 1 July"
)
export const healthDepartment = authority(
  "U.S. Department of Health and Human Services (ASPE)",
  "annually, January (Federal Register notice and ASPE page)"
)
export const internalRevenueService = authority(
  "Internal Revenue Service",
  "annually, October-November, for the next tax year (Revenue Procedure)"
)
export const internalRevenueCode = authority("Internal Revenue Code", onPublicLaw)
export const higherEducationAct = authority("Higher Education Act", onPublicLaw)
export const stateRevenueDepartments = authority("State revenue departments", onLegislativeChange)
export const arkansas = authority(
  "Arkansas Department of Finance and Administration",
  "annually, December-January, and by session law"
)
export const indiana = authority(
  "Indiana Department of Revenue",
  "annually, December (Departmental Notice #1); county rates also 1 October"
)
export const mississippi = authority("Mississippi Department of Revenue", "annually, December-January")
export const northCarolina = authority(
  "North Carolina Department of Revenue",
  "annually; rate triggers settled after the August accounting report"
)
export const wisconsin = authority("Wisconsin Department of Revenue", "annually, November-January")
export const engineConvention = authority("Engine convention", "on engine change")

/** Documents that many entries cite. */
export const document = {
  repaymentPlanRule: "https://www.ecfr.gov/current/title-34/section-685.208",
  incomeDrivenRule: "https://www.ecfr.gov/current/title-34/section-685.209",
  planChoiceRule: "https://www.ecfr.gov/current/title-34/section-685.210",
  paymentRule: "https://www.ecfr.gov/current/title-34/section-685.211",
  publicServiceRule: "https://www.ecfr.gov/current/title-34/section-685.219",
  /** 91 FR 23768, May 1, 2026: rewrote sections 685.208, 685.209 and 685.219 from July 1, 2026. */
  repaymentRuleOf2026: "https://www.govinfo.gov/content/pkg/FR-2026-05-01/html/2026-08556.htm",
  incomeBasedStatute: "https://www.law.cornell.edu/uscode/text/20/1098e",
  directLoanStatute: "https://www.law.cornell.edu/uscode/text/20/1087e",
  dischargeStatute: "https://www.law.cornell.edu/uscode/text/26/108",
  taxTables2026: "https://www.irs.gov/pub/irs-drop/rp-25-32.pdf",
  taxTables2025: "https://www.irs.gov/pub/irs-drop/rp-24-40.pdf"
} as const
