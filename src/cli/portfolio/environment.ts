/** The service that REPAY_URL and REPAY_API_KEY name. */
import { Config, Data, Effect, Option, type Redacted } from "effect"
import { isWebAddress } from "../../request/webAddress.ts"

export interface RemoteService {
  /** Address of the service, or of its tool server. */
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
}

/** REPAY_URL and REPAY_API_KEY are incomplete, or the URL is not valid. */
export class ServiceMisnamed extends Data.TaggedError("ServiceMisnamed")<{
  readonly lines: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.lines.join("\n")
  }
}

const URL_LINE = "REPAY_URL: use the address of the service, such as https://api.example.org"
const KEY_LINE = "REPAY_API_KEY: it is not set, and REPAY_URL needs it; use a key of that service"

/** The service that the environment names, if it names one. */
export const serviceOfEnvironment: Effect.Effect<RemoteService | undefined, ServiceMisnamed> = Effect.gen(function* () {
  const url = Option.getOrElse(yield* Config.option(Config.String("REPAY_URL")), () => "").trim()
  const key = yield* Config.option(Config.Redacted("REPAY_API_KEY"))
  if (url === "" && Option.isNone(key)) return undefined
  const lines = [...(isWebAddress(url) ? [] : [URL_LINE]), ...(Option.isNone(key) ? [KEY_LINE] : [])]
  if (Option.isNone(key) || lines.length > 0) return yield* new ServiceMisnamed({ lines })
  return { url: new URL(url), apiKey: key.value }
}).pipe(Effect.catchTag("ConfigError", () => Effect.fail(new ServiceMisnamed({ lines: [URL_LINE, KEY_LINE] }))))
