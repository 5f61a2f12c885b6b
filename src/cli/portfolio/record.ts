/** `--record` of `repay portfolio run`: the recording service that the environment names. */
import { Effect } from "effect"
import type { RecordingStopped } from "../../portfolio/results/record/service.ts"
import { badInput, unavailable } from "../failures.ts"
import { needsZstd } from "../needsZstd.ts"
import { serviceOfEnvironment } from "./environment.ts"

const NO_SERVICE = "--record: set REPAY_URL to the address of a service that records, and REPAY_API_KEY to a key of it"

/** REPAY_URL may be the address of the service's tool server, which ends in /mcp. */
const baseOf = ({ href }: URL): string => href.replace(/\/mcp\/?$/, "").replace(/\/+$/, "")

/** The address of the service, and a function that records answers there under the API key. */
export const recorderOfEnvironment = Effect.gen(function* () {
  yield* needsZstd("--record")
  const { recordWith } = yield* Effect.promise(() => import("../../portfolio/results/record/service.ts"))
  const service = yield* Effect.mapError(serviceOfEnvironment, ({ lines }) => badInput(...lines))
  if (service === undefined) return yield* badInput(NO_SERVICE)
  const recordAt = baseOf(service.url)
  const record = yield* Effect.try({
    try: () => recordWith(recordAt, service.apiKey),
    catch: (cause) => badInput(`--record: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  return { recordAt, record }
})

export const asUnavailable = ({ lines }: RecordingStopped) =>
  unavailable(...lines, "Recorded answers are kept: the same command continues where this one stopped.")
