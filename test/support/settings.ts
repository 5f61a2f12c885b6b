/** Settings of the tests. They are fixed; only POOLED is read from the environment. */
import { Effect, Layer, Metric } from "effect"
import { Deadlines, type DeadlinesOf } from "../../src/database/deadline.ts"
import { AppConfig } from "../../src/platform/config.ts"

export const TEST_PEPPER = "a pepper for tests that is long enough"
const TEST_PAYMENT_LINK = "https://buy.example.test/repayment"

export const TEST_SIGNING_KEY = "0123456789abcdef".repeat(4)

/**
 * Settings that every test database needs. The temporary cluster has no crash safety and may be
 * behind a pooler.
 */
export const TEST_SERVER: Readonly<Record<string, string>> = {
  DATABASE_ALLOW_OFF: "fsync,full_page_writes",
  LOG_SIGNING_KEY: TEST_SIGNING_KEY,
  ...(process.env["POOLED"] === undefined ? {} : { DATABASE_POOLING: "transaction" })
}
/** A webhook secret with the payment link that it requires. */
export const STRIPE_SETTINGS = { STRIPE_WEBHOOK_SECRET: "whsec_for_tests_only", STRIPE_PAYMENT_LINK: "plink_tests" }

/** No rate limits per address, because all tests of a file share one. */
export const NO_ADDRESS_LIMITS: Readonly<Record<string, string>> = {
  RATE_LIMIT_UNKNOWN: "off",
  RATE_LIMIT_VERIFY: "off",
  RATE_LIMIT_LOG: "off",
  RATE_LIMIT_CLAIM: "off",
  RATE_LIMIT_MINT: "off",
  RATE_LIMIT_MAILBOX: "off",
  RATE_LIMIT_SUBSCRIPTION: "off",
  RATE_LIMIT_SANDBOX_MAILS: "off",
  RATE_LIMIT_KEYLESS: "off",
  RATE_LIMIT_REFERENCE: "off"
}

/** No rate limits per address or per key. */
export const NO_LIMITS = { ...NO_ADDRESS_LIMITS, RATE_LIMIT_KEY: "off", RATE_LIMIT_REFUSED: "off" }

/** The production timeouts. */
export const PRODUCT: DeadlinesOf = Effect.runSync(Effect.map(Deadlines, (deadlines) => deadlines))

/**
 * Timeouts ten times as long as in production (`background` is the same), so that a busy machine
 * fails no test.
 */
export const PATIENT: DeadlinesOf = {
  call: 23_000,
  background: 10_000,
  patience: 1000,
  connection: 10_000,
  statement: 20_000
}

/**
 * Short timeouts for tests of deadlines. Sorted by length, they are in the same order as in
 * production.
 */
export const QUICK: DeadlinesOf = { call: 460, background: 2000, patience: 100, connection: 200, statement: 400 }

/** An empty metric registry; the global one would include services of other test files. */
export const ownMetrics = () => Layer.succeed(Metric.MetricRegistry, new Map())

export const testConfig = (variables: Readonly<Record<string, string>> = {}) =>
  AppConfig.layerFrom({ ...TEST_SERVER, SECRET_PEPPER: TEST_PEPPER, PAYMENT_LINK: TEST_PAYMENT_LINK, ...variables })
