/**
 * `npm run behind-nginx`: two service processes on one database, behind the nginx configuration of deploy/systemd without
 * its TLS. The month of a key is exact to the call across both, both write one log, each has its page of metrics, and nginx
 * answers a second confirmation without the service. Needs Debian's nginx and installs nothing.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import projection from "../docs/examples/projection.json" with { type: "json" }
import { freePort } from "../test/support/freePort.ts"
import { scrape } from "../test/support/scrape.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { PROJECT, startListening, startService } from "./programs.ts"

const NGINX = "/usr/sbin/nginx"
const MONTH = 100
const CALLS = 150
const LOG_MILLIS = 60_000
const POLL_MILLIS = 200
const JSON_TYPE = { "content-type": "application/json" }

const home = mkdtempSync(join(tmpdir(), "repayment-nginx-"))
// nginx reads and writes there as an account of its own.
chmodSync(home, 0o755)
const proxied = `http://127.0.0.1:${await freePort()}`

/** The configuration of the kit, with other addresses and folders, and its TLS server on plain HTTP. */
const configuration = (services: ReadonlyArray<string>): string => {
  const kit = readFileSync(join(PROJECT, "deploy/systemd/nginx.conf"), "utf8")
  const [shared, , tls] = kit.split(/^server \{$/m)
  const upstreams = services.map((service) => `\tserver ${new URL(service).host} max_fails=0;\n`)
  const site = `${shared}server {${tls}`
    .replace(/(^\tserver 127\.0\.0\.\d:8080 max_fails=0;\n)+/m, upstreams.join(""))
    .replaceAll(/^\t(ssl_.*|listen \[::\].*)\n/gm, "")
    .replace(/^\tlisten 443 ssl http2;$/m, `\tlisten ${new URL(proxied).host};`)
    .replace("/var/cache/repayment", join(home, "cache"))
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(home, name)};`
  )
  return `pid ${join(home, "pid")};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${folders.join("\n")}\n${site}}\n`
}

const problems: Array<string> = []
const check = (what: string, found: unknown, wanted: unknown): void => {
  const isRight = isDeepStrictEqual(found, wanted)
  console.log(`${isRight ? "ok    " : "FAILED"} ${what}: ${JSON.stringify(found)}`)
  if (!isRight) problems.push(`${what}: ${JSON.stringify(found)} in place of ${JSON.stringify(wanted)}`)
}

const startReplica = async (variables: Readonly<Record<string, string>>) => {
  const metricsPort = await freePort()
  const service = await startService({
    ...NO_LIMITS,
    PUBLIC_URL: proxied,
    TRUSTED_PROXY_HOPS: "1",
    METRICS_PORT: String(metricsPort),
    SECRET_PEPPER: "a pepper behind a proxy that is long enough",
    LOG_SIGNING_KEY: "0123456789abcdef".repeat(4),
    SANDBOX_MONTHLY_CALLS: String(MONTH),
    ...variables
  })
  /** Answers on this page of metrics. */
  const answered = async (method: string, route: string): Promise<number> => {
    const { samples } = await scrape(metricsPort)
    const start = `http_request_duration_seconds_count{method="${method}",route="${route}",`
    return [...samples].reduce((sum, [name, count]) => (name.startsWith(start) ? sum + count : sum), 0)
  }
  return { ...service, answered }
}
type Replica = Awaited<ReturnType<typeof startReplica>>

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${proxied}${path}`, { headers })

/** The calls of a month and more, all at once: how many were answered and refused, and the answers. */
const checkQuota = async (replicas: ReadonlyArray<Replica>): Promise<ReadonlyArray<string>> => {
  const email = JSON.stringify({ email: "caller@example.org" })
  const minted = await fetch(`${proxied}/v1/keys/sandbox`, { method: "POST", headers: JSON_TYPE, body: email })
  const { apiKey } = (await minted.json()) as { readonly apiKey: string }
  const calls = await Promise.all(
    Array.from({ length: CALLS }, async () => {
      const headers = { ...JSON_TYPE, "x-api-key": apiKey }
      const body = JSON.stringify(projection)
      const response = await fetch(`${proxied}/v1/projection`, { method: "POST", headers, body })
      const { provenance } = (await response.json()) as { readonly provenance?: { readonly answerId: string } }
      return { status: response.status, answerId: provenance?.answerId }
    })
  )
  const refused = calls.filter(({ status }) => status === 429).length
  const answerIds = calls.flatMap(({ answerId }) => answerId ?? [])
  check("answered and refused of the month", [answerIds.length, refused], [MONTH, CALLS - MONTH])
  const pages = await Promise.all(replicas.map(({ answered }) => answered("POST", "/v1/projection")))
  check(
    "calls on the pages of both processes",
    [pages.length, pages.reduce((sum, count) => sum + count, 0)],
    [2, CALLS]
  )
  check(
    "each process took some",
    pages.map((count) => count > 0),
    [true, true]
  )
  return answerIds
}

/** Each process serves the same keys, and the same checkpoint once the log has every answer. */
const checkLog = async (replicas: ReadonlyArray<Replica>): Promise<void> => {
  const textsOf = (path: string) =>
    Promise.all(replicas.map(async ({ base }) => (await fetch(`${base}${path}`)).text()))
  const late = performance.now() + LOG_MILLIS
  const sizes = async () => (await textsOf("/log/checkpoint")).map((text) => Number(text.split("\n")[1]))
  while (!(await sizes()).every((size) => size === MONTH) && performance.now() < late) await setTimeout(POLL_MILLIS)
  check("records in the log of both processes", await sizes(), [MONTH, MONTH])
  for (const path of ["/log/checkpoint", "/log/key"])
    check(`${path} is the same of both processes`, new Set(await textsOf(path)).size, 1)
}

/** What never changes comes from nginx the second time, and everything else from the service. */
const checkCache = async (replicas: ReadonlyArray<Replica>, answerId: string): Promise<void> => {
  const path = `/v1/verify/${answerId}`
  const asked = async (route: string, ...requests: ReadonlyArray<Parameters<typeof get>>) => {
    const count = async () => {
      const pages = await Promise.all(replicas.map(({ answered }) => answered("GET", route)))
      return pages.reduce((sum, answers) => sum + answers, 0)
    }
    const before = await count()
    const responses: Array<{ readonly status: number; readonly text: string }> = []
    for (const request of requests) {
      const response = await get(...request)
      responses.push({ status: response.status, text: await response.text() })
    }
    return { statuses: responses.map(({ status }) => status), texts: responses, served: (await count()) - before }
  }
  const ROUTE = "/v1/verify/:answerId"
  const page = { accept: "text/html" }
  const confirmed = await asked(ROUTE, [path], [path])
  check("a confirmation, twice", [confirmed.statuses, confirmed.served], [[200, 200], 1])
  check("both times the same", isDeepStrictEqual(confirmed.texts[0], confirmed.texts[1]), true)
  const pages = await asked(ROUTE, [path, page], [path, page], [path])
  check("its page, twice, and the confirmation again", [pages.statuses, pages.served], [[200, 200, 200], 2])
  const etag = (await get(path)).headers.get("etag")!
  const unchanged = await asked(ROUTE, [path, { "if-none-match": etag }])
  check("to a client that has it", [unchanged.statuses, unchanged.served], [[304], 0])
  const unknown = `/v1/verify/${crypto.randomUUID()}`
  const missing = await asked(ROUTE, [unknown], [unknown])
  check("no confirmation, twice", [missing.statuses, missing.served], [[404, 404], 2])
  const tile = `/log/tile/0/000.p/${MONTH}`
  const tiles = await asked("/log/tile/*", [tile], [tile])
  check("a tile, twice", [tiles.statuses, tiles.served], [[200, 200], 1])
}

const first = await startReplica({})
const stops = [first.stop]
try {
  const second = await startReplica({ DATABASE_URL: first.databaseUrl() })
  stops.unshift(second.stop)
  const replicas = [first, second]
  const file = join(home, "nginx.conf")
  writeFileSync(file, configuration(replicas.map(({ base }) => base)))
  const nginx = await startListening(proxied, [NGINX, "-c", file, "-e", "stderr", "-g", "daemon off;"], {})
  stops.unshift(nginx.stop)
  const [answerId] = await checkQuota(replicas)
  await checkLog(replicas)
  await checkCache(replicas, answerId!)
  for (const stop of stops.splice(1)) await stop()
  check("a confirmation while no service runs", (await get(`/v1/verify/${answerId}`)).status, 200)
} catch (cause) {
  problems.push(String(cause))
} finally {
  for (const stop of stops) await stop()
  rmSync(home, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
