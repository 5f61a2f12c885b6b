/** `--record` of `repay portfolio run`: the recording service that the environment names. */
import { Config, Effect, Option } from "effect"
import type { RecordingStopped } from "../../portfolio/index.ts"
import { isWebAddress } from "../../request/webAddress.ts"
import { badInput, unavailable } from "../failures.ts"
import { needsZstd } from "../needsZstd.ts"

const NO_SERVICE = "--record: set REPAY_URL to the address of a service that records, and REPAY_API_KEY to a key of it"
const URL_LINE = "REPAY_URL: use the address of the service, such as https://api.example.org"
const KEY_LINE = "REPAY_API_KEY: is not set; use a key of the service at REPAY_URL"

/** The service that REPAY_URL and REPAY_API_KEY name. */
const serviceOfEnvironment = Effect.gen(function* () {
  const url = Option.getOrElse(yield* Config.option(Config.String("REPAY_URL")), () => "").trim()
  const key = yield* Config.option(Config.Redacted("REPAY_API_KEY"))
  if (url === "" && Option.isNone(key)) return yield* badInput(NO_SERVICE)
  const lines = [...(isWebAddress(url) ? [] : [URL_LINE]), ...(Option.isNone(key) ? [KEY_LINE] : [])]
  if (Option.isNone(key) || lines.length > 0) return yield* badInput(...lines)
  return { url: new URL(url), apiKey: key.value }
}).pipe(Effect.catchTag("ConfigError", () => Effect.fail(badInput(URL_LINE, KEY_LINE))))

/** REPAY_URL may be the address of the service's tool server, which ends in /mcp. */
const baseOf = ({ href }: URL): string => href.replace(/\/mcp\/?$/, "").replace(/\/+$/, "")

/** The address of the service, and a function that records answers there under the API key. */
export const recorderOfEnvironment = Effect.gen(function* () {
  yield* needsZstd("--record")
  const { recordWith } = yield* Effect.promise(() => import("../../portfolio/index.ts"))
  const { apiKey, url } = yield* serviceOfEnvironment
  const recordAt = baseOf(url)
  const record = yield* Effect.try({
    try: () => recordWith(recordAt, apiKey),
    catch: (cause) => badInput(`--record: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  return { recordAt, record }
})

export const asUnavailable = ({ lines }: RecordingStopped) =>
  unavailable(...lines, "Recorded answers are kept: the same command continues where this one stopped.")
