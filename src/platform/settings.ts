/**
 * Parsers of single environment variables, each to a value or to a message that says what to use
 * instead. They are pure, so every rule can be tested without an environment. config.ts lists the
 * variables and defaults.
 */
import { Result } from "effect"

/**
 * Parses the text of one variable. The failure says what to use instead and never repeats the text.
 */
export type Reading<A> = (text: string) => Result.Result<A, string>

/** `calls` per `seconds`; null if the limit is off. */
export type RateLimit = { readonly calls: number; readonly seconds: number } | null

const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
const MAX_RATE_CALLS = 1_000_000

export const wholeNumber =
  (minimum: number, maximum: number): Reading<number> =>
  (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum
      ? Result.succeed(value)
      : Result.fail(`use a whole number from ${minimum} to ${maximum}`)
  }

export const rateLimit: Reading<RateLimit> = (text) => {
  if (text.toLowerCase() === "off") return Result.succeed(null)
  const [, calls, unit] = /^(\d{1,7})\/([smhd])$/.exec(text) ?? []
  const count = Number(calls ?? 0)
  return count >= 1 && count <= MAX_RATE_CALLS && unit !== undefined
    ? Result.succeed({ calls: count, seconds: SECONDS_OF_UNIT[unit]! })
    : Result.fail("use calls per second, minute, hour or day, such as 40/s, 60/m or 5/h, or off")
}

const CONTROL = /\p{Cc}/u

/** An address with one of the given schemes, without a trailing slash. */
export const address =
  (schemes: ReadonlyArray<string>, example: string): Reading<string> =>
  (text) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol) && !CONTROL.test(text)
      ? Result.succeed(text.replace(/\/+$/, ""))
      : Result.fail(`use an address such as ${example}`)

/**
 * One address per host, for an address with several hosts as in libpq:
 * `postgres://one:5432,two:5432/name`.
 */
export const eachHost = (text: string): ReadonlyArray<string> => {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  return hosts === undefined ? [text] : hosts.split(",").map((host) => `${before}${host}${after}`)
}

const postgres = address(["postgres:", "postgresql:"], "postgres://user:password@host:5432/database")

/** libpq's names for the server that takes writes (`target_session_attrs`). */
const WRITABLE = ["read-write", "primary"]

/** The address of one server, or of several servers; the one that takes writes is used. */
export const databaseAddress: Reading<string> = (text) => {
  const hosts = eachHost(text)
  if (hosts.length === 1) return postgres(text)
  const wrong = hosts.map(postgres).find(Result.isFailure)
  if (wrong !== undefined) return wrong
  const named = hosts.map((host) => new URL(host))
  return named.every(({ hostname }) => hostname !== "") &&
    WRITABLE.includes(named[0]!.searchParams.get("target_session_attrs") ?? "")
    ? Result.succeed(text)
    : Result.fail(`name each of several hosts, and end with ?target_session_attrs=${WRITABLE[0]}`)
}

export const oneOf =
  <const A extends Readonly<Record<string, unknown>>>(values: A): Reading<A[keyof A]> =>
  (text) => {
    const key = text.toLowerCase()
    return Object.hasOwn(values, key)
      ? Result.succeed(values[key as keyof A])
      : Result.fail(`use one of ${Object.keys(values).join(", ")}`)
  }

/** Some of the given names, separated by commas. */
export const someOf =
  <const A extends ReadonlyArray<string>>(names: A): Reading<ReadonlyArray<A[number]>> =>
  (text) => {
    const given = text.split(",").map((name) => name.trim())
    return given.every((name) => names.includes(name))
      ? Result.succeed(given)
      : Result.fail(`use one or more of ${names.join(", ")}, separated by commas`)
  }

export const flag: Reading<boolean> = oneOf({ true: true, false: false })

/** A text as it is, if it is valid. */
const textThat =
  (isValid: (text: string) => boolean, use: string): Reading<string> =>
  (text) =>
    isValid(text) ? Result.succeed(text) : Result.fail(use)

/** The signing secret of a Stripe webhook. Stripe's other secrets cannot verify an event. */
export const webhookSecret = textThat(
  (text) => /^whsec_\S+$/.test(text),
  "use the signing secret of the webhook, which begins with whsec_"
)

/** An address, or a name and an address in angle brackets. */
export const sender = textThat(
  (text) => text.length <= 200 && /^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text),
  "use an address such as keys@example.org, or Repayment <keys@example.org>"
)

export const secret = (minimumCharacters: number) =>
  textThat(
    ({ length }) => length >= minimumCharacters,
    `use at least ${minimumCharacters} characters, such as the output of: openssl rand -hex 32`
  )

/** A Stripe id; its prefix distinguishes it from an address or a secret put in its place. */
export const stripeId = (prefix: "price_" | "plink_") =>
  textThat(
    (text) => text.startsWith(prefix) && /^[0-9A-Za-z_]{7,255}$/.test(text),
    `use the id that Stripe shows, which begins with ${prefix}`
  )

const MAX_TEXT_CHARACTERS = 200

/** Plain text without control characters. */
export const plainText = textThat(
  (text) => text.length <= MAX_TEXT_CHARACTERS && !/\p{Cc}/u.test(text),
  `use plain text of at most ${MAX_TEXT_CHARACTERS} characters`
)

const MAX_POLICY_CHARACTERS = 65_536

/** A trust policy. Its lines are read by the log (src/services/log/witnessPolicy.ts). */
export const policyText = textThat(
  ({ length }) => length <= MAX_POLICY_CHARACTERS,
  `use a policy of at most ${MAX_POLICY_CHARACTERS} characters`
)

/** The 32 bytes of a private key, in hex. */
export const signingKey: Reading<string> = (text) =>
  /^[0-9a-f]{64}$/i.test(text)
    ? Result.succeed(text.toLowerCase())
    : Result.fail("use 64 hex digits, such as the output of: openssl rand -hex 32")
