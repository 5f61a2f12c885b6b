/** The face of scheduling: whose turn it is, and how callers share a statement. */
export { FairQueue, LARGE_COST } from "./FairQueue.ts"
export { makeGroupCommit } from "./groupCommit.ts"
export { makeLookUps } from "./lookUps.ts"
export { RateLimits } from "./RateLimits.ts"
export { RecentMap } from "./RecentMap.ts"
export { inSlices } from "./slices.ts"
