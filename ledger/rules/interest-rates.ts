/** Rates and fees of new Direct Loans, for reference: a request carries its own rates. */
import { rule, series } from "../entry.ts"
import { document, federalStudentAid, higherEducationAct } from "../sources.ts"

/** The Department's chart of rates by year; `first` adds the notice that first published a rate. */
const ratesNotice = (first: string) =>
  federalStudentAid({
    url: "https://www.federalregister.gov/d/2024-19309",
    note: `Notice of 28 August 2024, FR Doc. 2024-19309, chart 2, read in a copy${first}`,
    evidence: "official-copy"
  })

export const directLoanInterestRate = series(
  {
    informative: true,
    plan: "ALL",
    unit: "fraction per year",
    definition:
      "Fixed rate for loans first disbursed in the award year: undergraduate Subsidized and Unsubsidized; graduate Unsubsidized; PLUS."
  },
  {
    "2020-07-01": {
      id: "direct-loan-interest-rate-2020-21",
      label: "Direct Loan fixed interest rates 2020-21",
      value: {
        undergraduate: 0.0275,
        graduate: 0.043,
        plus: 0.053,
        firstDisbursedFrom: "2020-07-01",
        firstDisbursedBefore: "2021-07-01"
      },
      source: ratesNotice(". First published in 85 FR 48229"),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2021-07-01": {
      id: "direct-loan-interest-rate-2021-22",
      label: "Direct Loan fixed interest rates 2021-22",
      value: {
        undergraduate: 0.0373,
        graduate: 0.0528,
        plus: 0.0628,
        firstDisbursedFrom: "2021-07-01",
        firstDisbursedBefore: "2022-07-01"
      },
      source: ratesNotice(". First published in 86 FR 44003"),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2022-07-01": {
      id: "direct-loan-interest-rate-2022-23",
      label: "Direct Loan fixed interest rates 2022-23",
      value: {
        undergraduate: 0.0499,
        graduate: 0.0654,
        plus: 0.0754,
        firstDisbursedFrom: "2022-07-01",
        firstDisbursedBefore: "2023-07-01"
      },
      source: ratesNotice(". First published in 87 FR 50326"),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2023-07-01": {
      id: "direct-loan-interest-rate-2023-24",
      label: "Direct Loan fixed interest rates 2023-24",
      value: {
        undergraduate: 0.055,
        graduate: 0.0705,
        plus: 0.0805,
        firstDisbursedFrom: "2023-07-01",
        firstDisbursedBefore: "2024-07-01"
      },
      source: ratesNotice(". First published in 88 FR 82863"),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2024-07-01": {
      id: "direct-loan-interest-rate-2024-25",
      label: "Direct Loan fixed interest rates 2024-25",
      value: {
        undergraduate: 0.0653,
        graduate: 0.0808,
        plus: 0.0908,
        firstDisbursedFrom: "2024-07-01",
        firstDisbursedBefore: "2025-07-01"
      },
      source: ratesNotice(""),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2025-07-01": {
      id: "direct-loan-interest-rate-2025-26",
      label: "Direct Loan fixed interest rates 2025-26",
      value: {
        undergraduate: 0.0639,
        graduate: 0.0794,
        plus: 0.0894,
        firstDisbursedFrom: "2025-07-01",
        firstDisbursedBefore: "2026-07-01",
        indexRate: 0.04342,
        auctionDate: "2025-05-06"
      },
      source: federalStudentAid({
        url: "https://studentaid.gov/understand-aid/types/loans/interest-rates",
        note: "One school's page, read. It agrees with the margins of 20 U.S.C. 1087e(b)(8), text read. No announcement of the Department was found, and the day of the auction is unconfirmed",
        evidence: "third-party"
      }),
      lastVerified: "2026-11-21",
      parityLocked: false
    },
    "2026-07-01": {
      id: "direct-loan-interest-rate-2026-27",
      label: "Direct Loan fixed interest rates 2026-27",
      value: {
        undergraduate: 0.0652,
        graduate: 0.0807,
        plus: 0.0907,
        firstDisbursedFrom: "2026-07-01",
        firstDisbursedBefore: "2027-07-01",
        indexRate: 0.04468,
        auctionDate: "2026-05-12",
        note: "no Grad PLUS for new borrowers; plus applies to Parent PLUS and legacy Grad PLUS"
      },
      source: federalStudentAid({
        url: "https://fsapartners.ed.gov/knowledge-center/library/electronic-announcements/2026-06-04/interest-rates-federal-direct-loans-first-disbursed-between-july-1-2026-and-june-30-2027",
        note: "Official notice of 10 September 2026, 91 FR 57581, seen as an excerpt, and GENERAL-26-33 of 4 June 2026, read in a quotation in a public file. They agree with the index of 4.468% and the statutory margins",
        evidence: "third-party"
      }),
      lastVerified: "2026-11-23",
      parityLocked: false
    }
  }
)

export const directLoanInterestRateFormula = rule({
  id: "direct-loan-interest-rate-formula",
  label: "Direct Loan interest rate formula",
  plan: "ALL",
  unit: "fraction per year",
  definition:
    "High yield of the last 10-year Treasury auction before 1 June plus a margin, capped, fixed for the life of the loan. Consolidation: weighted average rounded up to the next one-eighth of a point.",
  value: {
    margin: { undergraduate: 0.0205, graduate: 0.036, plus: 0.046 },
    cap: { undergraduate: 0.0825, graduate: 0.095, plus: 0.105 },
    consolidationRoundingUp: 0.00125
  },
  source: higherEducationAct({
    url: document.directLoanStatute,
    note: "20 U.S.C. 1087e(b)(8)(A)-(F), text read",
    evidence: "statute"
  }),
  effectiveDate: "2013-07-01",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})

export const directLoanOriginationFee = rule({
  id: "direct-loan-origination-fee",
  label: "Direct Loan origination fees",
  plan: "ALL",
  unit: "fraction of the loan",
  definition:
    "Fee deducted at disbursement, loans first disbursed 1 October 2020 to 30 September 2026. Not used by the repayment engine.",
  value: {
    subsidizedUnsubsidized: 0.01057,
    plus: 0.04228,
    firstDisbursedFrom: "2020-10-01",
    firstDisbursedBefore: "2026-10-01",
    alsoReportedBefore: "2027-10-01"
  },
  source: federalStudentAid({
    url: "https://fsapartners.ed.gov/knowledge-center/library/electronic-announcements/2023-05-15/fy-24-sequester-required-changes-title-iv-student-aid-programs",
    note: "Announcement of 15 May 2023, read, for loans before 1 October 2024. For the year to 30 September 2026 (GENERAL-25-20) and for 2027 only third parties were read. Base fee: 20 U.S.C. 1087e(c)(1)-(2), text read",
    evidence: "official-copy",
    cadence: "annually, for loans first disbursed from 1 October (sequester notice)"
  }),
  effectiveDate: "2020-10-01",
  lastVerified: "2026-11-21",
  parityLocked: false,
  informative: true
})
