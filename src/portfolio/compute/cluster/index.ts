/** The face of portfolios that several machines compute through a shared database. */
export { releaseHere } from "../release.ts"
export { workersElsewhere } from "./sender.ts"
export { portfolioWorker } from "./worker.ts"
