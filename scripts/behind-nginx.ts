/**
 * The `behind-nginx` task: two service processes on one database, behind the nginx configuration of
 * deploy/systemd without TLS. They must share exact quotas and one log, and nginx must serve
 * repeated confirmations (GET /v1/verify) from its cache. Needs Debian's nginx and installs
 * nothing.
 */
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import projection from "../docs/examples/projection.json" with { type: "json" }
import { callerOf, mintOver } from "../test/support/calls.ts"
import { freePort } from "../test/support/freePort.ts"
import { startProgram } from "../test/support/programs.ts"
import { scrape } from "../test/support/scrape.ts"
import { NO_LIMITS, TEST_PEPPER, TEST_SIGNING_KEY } from "../test/support/settings.ts"
import { until } from "../test/support/until.ts"
import { atEnd, insist, PROJECT, service, step, temporaryFolder } from "./harness.ts"

const NGINX = "/usr/sbin/nginx"
const MONTH = 100
const CALLS = 150
const LOG_SECONDS = 60

/**
 * The nginx configuration of deploy/systemd, with other addresses and folders, and with its TLS
 * server on plain HTTP. The settings for nginx.conf that its comments list are included.
 */
const configuration = (home: string, proxied: string, services: ReadonlyArray<string>): string => {
  const kit = readFileSync(join(PROJECT, "deploy/systemd/nginx.conf"), "utf8")
  const [shared, , tls] = kit.split(/^server \{$/m)
  const global = [...kit.matchAll(/^# {3}(.+)$/gm)].map(([, line]) => line)
  const upstreams = services.map((base) => `\tserver ${new URL(base).host} max_fails=0;\n`)
  const site = `${shared}server {${tls}`
    .replace(/(^\tserver 127\.0\.0\.\d:8080 max_fails=0;\n)+/m, upstreams.join(""))
    .replaceAll(/^\t(ssl_.*|listen \[::\].*)\n/gm, "")
    .replace(/^\tlisten 443 ssl http2;$/m, `\tlisten ${new URL(proxied).host};`)
    .replace("/var/cache/repayment", join(home, "cache"))
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(home, name)};`
  )
  return `pid ${join(home, "pid")};\nerror_log stderr;\n${global.join("\n")}\nhttp {\naccess_log off;\n${folders.join("\n")}\n${site}}\n`
}

const startReplica = async (variables: Readonly<Record<string, string>>) => {
  const metricsPort = await freePort()
  const started = await service({
    ...NO_LIMITS,
    TRUSTED_PROXY_HOPS: "1",
    METRICS_PORT: String(metricsPort),
    SECRET_PEPPER: TEST_PEPPER,
    LOG_SIGNING_KEY: TEST_SIGNING_KEY,
    SANDBOX_MONTHLY_CALLS: String(MONTH),
    ...variables
  })
  /** Number of answers that this replica's metrics report. */
  const answered = async (method: string, route: string): Promise<number> => {
    const { samples } = await scrape(metricsPort)
    const start = `http_request_duration_seconds_count{method="${method}",route="${route}",`
    return [...samples].reduce((sum, [name, count]) => (name.startsWith(start) ? sum + count : sum), 0)
  }
  return { ...started, answered }
}

const expectEqual = (actual: unknown, expected: unknown): string => {
  const actualJson = JSON.stringify(actual)
  insist(actualJson === JSON.stringify(expected), `${actualJson} in place of ${JSON.stringify(expected)}`)
  return actualJson
}

export default async () => {
  const home = temporaryFolder("nginx")
  // nginx runs under another account and must be able to enter this folder.
  chmodSync(home, 0o755)
  const proxied = `http://127.0.0.1:${await freePort()}`
  const first = await startReplica({ PUBLIC_URL: proxied })
  const second = await startReplica({ PUBLIC_URL: proxied, DATABASE_URL: first.databaseUrl() })
  const replicas = [first, second]
  const file = join(home, "nginx.conf")
  writeFileSync(
    file,
    configuration(
      home,
      proxied,
      replicas.map(({ base }) => base)
    )
  )
  const nginx = startProgram([NGINX, "-c", file, "-e", "stderr", "-g", "daemon off;"])
  atEnd(nginx.stop)
  const call = callerOf(proxied)
  await until(
    () =>
      call("GET", "/health").then(
        ({ ok }) => ok,
        () => false
      ),
    undefined,
    nginx.log
  )

  const answerIds: Array<string> = []
  await step("simultaneous calls beyond the monthly quota get exactly the quota answered", async () => {
    const { apiKey } = await mintOver(call)
    let refused = 0
    await Promise.all(
      Array.from({ length: CALLS }, async () => {
        const response = await call("POST", "/v1/projection", { json: projection, key: apiKey })
        const { provenance } = (await response.json()) as { readonly provenance?: { readonly answerId: string } }
        if (response.status === 429) refused++
        if (provenance !== undefined) answerIds.push(provenance.answerId)
      })
    )
    return expectEqual([answerIds.length, refused], [MONTH, CALLS - MONTH])
  })
  await step("each process answers some of the calls, and its metrics count them", async () => {
    const counts = await Promise.all(replicas.map(({ answered }) => answered("POST", "/v1/projection")))
    insist(
      counts.every((count) => count > 0),
      `the processes took ${counts}`
    )
    expectEqual(
      counts.reduce((sum, count) => sum + count, 0),
      CALLS
    )
    return String(counts)
  })
  await step("both processes serve the same log with every record", async () => {
    const textsOf = (path: string) =>
      Promise.all(replicas.map(async ({ base }) => (await callerOf(base)("GET", path)).text()))
    const sizes = async () => (await textsOf("/log/checkpoint")).map((text) => Number(text.split("\n")[1]))
    await until(async () => (await sizes()).every((size) => size === MONTH), LOG_SECONDS)
    for (const path of ["/log/checkpoint", "/log/key"]) expectEqual(new Set(await textsOf(path)).size, 1)
  })

  /**
   * Sends requests one by one; counts the distinct bodies, and how many requests reached a service.
   */
  const fetchEach = async (route: string, path: string, ...headers: ReadonlyArray<Record<string, string>>) => {
    const served = async () => {
      const pages = await Promise.all(replicas.map(({ answered }) => answered("GET", route)))
      return pages.reduce((sum, answers) => sum + answers, 0)
    }
    const before = await served()
    const statuses: Array<number> = []
    const texts = new Set<string>()
    for (const requestHeaders of headers) {
      const response = await call("GET", path, { headers: requestHeaders })
      statuses.push(response.status)
      texts.add(await response.text())
    }
    return { statuses, texts: texts.size, served: (await served()) - before }
  }
  const CONFIRMATION = "/v1/verify/:answerId"
  const path = `/v1/verify/${answerIds[0]}`
  await step("nginx serves the second confirmation from its cache, with the same body", async () =>
    expectEqual(await fetchEach(CONFIRMATION, path, {}, {}), { statuses: [200, 200], texts: 1, served: 1 })
  )
  await step("nginx does not cache the HTML page of a record, and keeps it apart from the JSON", async () => {
    const page = { accept: "text/html" }
    const { served, statuses } = await fetchEach(CONFIRMATION, path, page, page, {})
    return expectEqual([statuses, served], [[200, 200, 200], 2])
  })
  await step("nginx answers 304 for the current ETag", async () => {
    const etag = (await call("GET", path)).headers.get("etag")!
    const { served, statuses } = await fetchEach(CONFIRMATION, path, { "if-none-match": etag })
    return expectEqual([statuses, served], [[304], 0])
  })
  await step("nginx does not cache the 404 for an unknown id", async () => {
    const { served, statuses } = await fetchEach(CONFIRMATION, `/v1/verify/${crypto.randomUUID()}`, {}, {})
    return expectEqual([statuses, served], [[404, 404], 2])
  })
  await step("nginx serves the second request for a tile from its cache", async () =>
    expectEqual(await fetchEach("/log/tile/*", `/log/tile/0/000.p/${MONTH}`, {}, {}), {
      statuses: [200, 200],
      texts: 1,
      served: 1
    })
  )
  await step("nginx serves a cached confirmation while no service runs", async () => {
    await Promise.all(replicas.map(({ stop }) => stop()))
    return expectEqual((await call("GET", path)).status, 200)
  })
}
