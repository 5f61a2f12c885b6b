/** Checks of the service's surroundings: its Node, its disk, and its address as callers see it. */
import { statfs } from "node:fs/promises"
import { Effect } from "effect"
import { ruleVersion } from "../../../../ledger/release.ts"
import packageJson from "../../../../package.json" with { type: "json" }
import type { Settings } from "../../../platform/config.ts"
import { ok, skipped, type Verdict, warning, wrong } from "./finding.ts"

/** The service still runs on older versions, but Node no longer fixes them. */
const OLDEST_MAINTAINED = 22

export const nodeVersion = (running = process.versions.node): Verdict => {
  const major = Number(running.split(".")[0])
  return major >= OLDEST_MAINTAINED
    ? ok(`Node ${running}`)
    : warning(`Node ${running} gets no more fixes`, "use Node 24")
}

const GIBIBYTE = 2 ** 30
const MIN_FREE_BYTES = GIBIBYTE

/** Only the embedded database is on a disk of this machine. */
export const diskSpace = ({ databaseUrl, dataDir }: Settings) => {
  if (databaseUrl !== null) return Effect.succeed(skipped("the database has a server of its own: watch its disk there"))
  return Effect.map(
    Effect.tryPromise({ try: () => statfs(dataDir), catch: (cause) => cause as Error }),
    ({ bavail, bsize }) => {
      const free = bavail * bsize
      const detail = `${(free / GIBIBYTE).toFixed(1)} GiB free in ${dataDir}`
      return free >= MIN_FREE_BYTES ? ok(detail) : wrong(detail, "make room: a full disk refuses every keyed call")
    }
  )
}

const ANSWER_MILLIS = 5000
const MAX_ANSWER_BYTES = 10_000

interface Health {
  readonly status?: unknown
  readonly version?: unknown
  readonly ruleVersion?: unknown
}

/**
 * The JSON of `GET /health` there. Null if the status is an error, the length unknown or too large,
 * or the body no JSON.
 */
const healthAt = (publicUrl: string) =>
  Effect.tryPromise({
    try: async (): Promise<Health | null> => {
      const answer = await fetch(`${publicUrl}/health`, {
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MILLIS)
      })
      const isSmall = Number(answer.headers.get("content-length") ?? Number.POSITIVE_INFINITY) <= MAX_ANSWER_BYTES
      if (answer.ok && isSmall) return (await answer.json().catch(() => null)) as Health | null
      await answer.body?.cancel()
      if (answer.status >= 500) throw new Error(`the proxy answers ${answer.status}`)
      return null
    },
    catch: (cause) => {
      if (!(cause instanceof Error)) return String(cause)
      return cause.cause instanceof Error ? cause.cause.message : cause.message
    }
  })

/** No response is only a warning, because the service may be stopped, or unreachable from here. */
export const publicAddress = ({ publicUrl }: Settings) =>
  Effect.match(healthAt(publicUrl), {
    onFailure: (reason) =>
      reason.includes("expired")
        ? wrong(`${publicUrl}: ${reason}`, "renew the certificate, then reload the proxy")
        : warning(
            `${publicUrl} does not answer here (${reason})`,
            "ignore this if the service is stopped or cannot be reached from here"
          ),
    onSuccess: (health) => {
      if (health?.status !== "ok" || typeof health.ruleVersion !== "string") {
        return wrong(
          `${publicUrl} is answered by something else`,
          "set PUBLIC_URL to the address of this service, or fix the proxy"
        )
      }
      const isSame = health.version === packageJson.version && health.ruleVersion === ruleVersion
      return isSame
        ? ok(`${publicUrl} is answered by this release`)
        : warning(`${publicUrl} is answered by another release`, "upgrade the one that is behind")
    }
  })
