/** Settings that the tests run with; no file is read, and of the environment only whether a pooler is in front. */
import { Effect, Layer, Metric } from "effect"
import { Deadlines, type DeadlinesOf } from "../../src/database/deadline.ts"
import { AppConfig } from "../../src/platform/config.ts"

export const TEST_PEPPER = "a pepper for tests that is long enough"
const TEST_PAYMENT_LINK = "https://buy.example.test/repayment"

export const TEST_SIGNING_KEY = "0123456789abcdef".repeat(4)

/** The temporary cluster of a test run has no crash safety; what every database needs; and what is in front of it. */
export const TEST_SERVER: Readonly<Record<string, string>> = {
  DATABASE_ALLOW_OFF: "fsync,full_page_writes",
  LOG_SIGNING_KEY: TEST_SIGNING_KEY,
  ...(process.env["POOLED"] === undefined ? {} : { DATABASE_POOLING: "transaction" })
}
/** A webhook secret, and the payment link that entitles: the second is required with the first. */
export const STRIPE_SETTINGS = { STRIPE_WEBHOOK_SECRET: "whsec_for_tests_only", STRIPE_PAYMENT_LINK: "plink_tests" }

/** Addresses may call as often as they like: all tests of a file come from one. */
export const NO_ADDRESS_LIMITS: Readonly<Record<string, string>> = {
  RATE_LIMIT_UNKNOWN: "off",
  RATE_LIMIT_VERIFY: "off",
  RATE_LIMIT_LOG: "off",
  RATE_LIMIT_CLAIM: "off",
  RATE_LIMIT_MINT: "off",
  RATE_LIMIT_MAILBOX: "off",
  RATE_LIMIT_KEYLESS: "off",
  RATE_LIMIT_REFERENCE: "off"
}

/** Keys may, too. */
export const NO_LIMITS = { ...NO_ADDRESS_LIMITS, RATE_LIMIT_KEY: "off", RATE_LIMIT_REFUSED: "off" }

/** The deadlines of the product. */
export const PRODUCT: DeadlinesOf = Effect.runSync(Effect.map(Deadlines, (deadlines) => deadlines))

/** Calls of a test may take ten times as long as those of the product, so that a busy machine fails no test. */
export const PATIENT: DeadlinesOf = {
  call: 23_000,
  background: 10_000,
  patience: 1000,
  connection: 10_000,
  statement: 20_000
}

/** For tests of deadlines: in the order of those of the product, and over in half a second. */
export const QUICK: DeadlinesOf = { call: 460, background: 2000, patience: 100, connection: 200, statement: 400 }

/** Metrics that begin at nothing: the registry of a process would count the services of other files too. */
export const ownMetrics = () => Layer.succeed(Metric.MetricRegistry, new Map())

export const testConfig = (variables: Readonly<Record<string, string>> = {}) =>
  AppConfig.layerFrom({ ...TEST_SERVER, SECRET_PEPPER: TEST_PEPPER, PAYMENT_LINK: TEST_PAYMENT_LINK, ...variables })
