/**
 * The operations and problems of schema/api.ts, for the small client. Written by `npm run x -- generate`; not edited
 * by hand.
 */

/** The ends of the problems' `type`s. */
export const PROBLEM_SLUGS = [
  "validation",
  "artifact-plan",
  "ineligible-plan",
  "malformed-request",
  "unauthorized",
  "not-found",
  "answer-not-found",
  "no-subscription",
  "method-not-allowed",
  "request-timeout",
  "key-already-used",
  "key-issued-after-payment",
  "subscription-held",
  "rules-changed",
  "payload-too-large",
  "unsupported-media-type",
  "idempotency-key-reused",
  "quota-exceeded",
  "rate-limited",
  "headers-too-large",
  "internal",
  "ledger-unavailable",
  "not-yet-logged",
  "starting",
  "overloaded",
  "webhook-disabled"
]

/**
 * An operation by its method: whether it takes a key, and which members its answer has (none of an array) or how its
 * text begins.
 */
export const OPERATIONS = {
  project: {
    method: "POST",
    path: "/v1/projection",
    keyed: true,
    members: [
      "label",
      "planType",
      "year1MonthlyPayment",
      "payoffOrForgivenessDate",
      "monthsToFinish",
      "totalOutOfPocket",
      "amountForgiven",
      "forgivenessTaxesOwed",
      "forgivenessType",
      "forgivenessTypeCode",
      "weightedAverageInterestRate",
      "provenance"
    ]
  },
  compare: {
    method: "POST",
    path: "/v1/comparison",
    keyed: true,
    members: ["projections", "lowestCostLabel", "provenance"]
  },
  eligiblePlans: { method: "POST", path: "/v1/plan-eligibility", keyed: true, members: ["loans", "provenance"] },
  planTypes: { method: "GET", path: "/v1/plan-types", keyed: true, members: [] },
  calculate: {
    method: "POST",
    path: "/v1/calculators/loan",
    members: [
      "asOf",
      "lowestMonthlyPlan",
      "lowestLifetimeCostPlan",
      "plans",
      "excludedPlans",
      "computedBy",
      "assumptions"
    ]
  },
  comparePlans: {
    method: "POST",
    path: "/v1/calculators/plans",
    members: [
      "asOf",
      "ruleVersion",
      "plans",
      "excludedPlans",
      "lowestMonthlyPlan",
      "lowestLifetimeCostPlan",
      "bestPath",
      "citations",
      "knownOmissions",
      "assumptions"
    ]
  },
  explain: {
    method: "POST",
    path: "/v1/explain",
    members: [
      "label",
      "planType",
      "month",
      "date",
      "payment",
      "parts",
      "rules",
      "knownOmissions",
      "computedBy",
      "computedAtUtc",
      "ruleVersion"
    ]
  },
  verify: {
    method: "GET",
    path: "/v1/verify/:answerId",
    members: [
      "answerId",
      "recordedAtUtc",
      "source",
      "endpoint",
      "eventType",
      "ruleVersion",
      "inputsHash",
      "answerHash",
      "recorded"
    ]
  },
  check: { method: "POST", path: "/v1/verify/:answerId", members: ["matches", "record"] },
  receipt: { method: "GET", path: "/v1/verify/:answerId/receipt", start: "c2sp.org/tlog-proof@v1\n" },
  me: {
    method: "GET",
    path: "/v1/me",
    keyed: true,
    members: [
      "tenant",
      "tier",
      "keyPrefix",
      "plan",
      "monthlyCallLimit",
      "callsUsedThisPeriod",
      "callsRemaining",
      "periodStart",
      "periodResetsAt",
      "plansPage"
    ]
  },
  records: { method: "GET", path: "/v1/records", keyed: true, members: ["records", "nextCursor"] },
  rules: {
    method: "GET",
    path: "/v1/rules",
    members: ["version", "generatedAtUtc", "engineRevision", "constants", "knownOmissions", "howToUse"]
  },
  rulesVersion: { method: "GET", path: "/v1/rules/version", members: ["version"] },
  reference: {
    method: "GET",
    path: "/v1/reference",
    members: ["ruleVersion", "computedAtUtc", "howToUse", "scenarios"]
  },
  mintSandboxKey: {
    method: "POST",
    path: "/v1/keys/sandbox",
    members: [
      "apiKey",
      "keyPrefix",
      "tier",
      "monthlyCallLimit",
      "headerName",
      "mcpEndpoint",
      "expiresAt",
      "upgradeUrl",
      "platformUrl",
      "claimHow",
      "terms",
      "notice"
    ]
  },
  claimProductionKey: {
    method: "POST",
    path: "/v1/keys/claim",
    members: [
      "apiKey",
      "keyPrefix",
      "tier",
      "monthlyCallLimit",
      "headerName",
      "mcpEndpoint",
      "revokedKeyPrefix",
      "notice"
    ]
  },
  health: { method: "GET", path: "/health", members: ["status", "commit", "version", "ruleVersion"] }
} as const
