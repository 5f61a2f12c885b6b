/**
 * The engine as a library: what a page, a worker or another program computes with, without Effect and without a server.
 * Hand every call the same workspace. scripts/bundle.ts makes one file of it.
 */
export { releasedAtUtc, ruleVersion } from "../../ledger/release.ts"
export { calculate } from "./calculator.ts"
export { compare } from "./comparison.ts"
export { eligiblePlans } from "./eligibility.ts"
export { explain } from "./explanation.ts"
export { currentLaw, lawOf } from "./law/law.ts"
export { monthlyPayments } from "./months.ts"
export { project } from "./projection.ts"
export { makeWorkspace } from "./schedule/workspace.ts"
