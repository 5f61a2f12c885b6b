/**
 * Tests of the deployment kit in deploy/ against the service: settings, probes, commands, files and
 * database rights. What runs them for real are the drills: `npm run x -- drills`.
 */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { Effect, Layer } from "effect"
import { Yaml } from "effect/encoding"
import { describe, expect, it, onTestFinished } from "vitest"
import packageJson from "../package.json" with { type: "json" }
import { LOAN_BOOK_BODY_BYTES } from "../schema/bounds.ts"
import { LISTENER_LIMITS } from "../src/http/listener.ts"
import { DRAIN_SECONDS } from "../src/http/stopping.ts"
import { AppConfig, type Settings } from "../src/platform/config.ts"
import { freePort } from "./support/freePort.ts"
import { startService, useStarted } from "./support/runningService.ts"
import { until } from "./support/until.ts"

/** A folder that is gone after the test. */
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "kit-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const read = (path: string): string => readFileSync(path, "utf8")
const yaml = <A>(path: string): A => Yaml.parse(read(path)) as A

/** The names of all settings that the configuration reads. */
const SETTINGS = new Set([
  ...[...read("src/platform/config.ts").matchAll(/from\s*\.(?:plain|secret)\(\s*"([A-Z_]+)"/g)].map(
    ([, name]) => name!
  ),
  ...["KEY", "REFUSED", "UNKNOWN", "VERIFY", "LOG", "CLAIM", "MINT", "KEYLESS", "REFERENCE"].map(
    (one) => `RATE_LIMIT_${one}`
  )
])

describe("docs/configuration.md", () => {
  const rows = new Map(
    [...read("docs/configuration.md").matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \|/gm)].map(([, name, byDefault]) => [
      name!,
      byDefault!
    ])
  )

  it("has a row for each setting that the code reads, and no other", () => {
    expect([...rows.keys()].sort()).toEqual([...SETTINGS].sort())
  })

  it("gives the defaults of the code: a variable set to its default changes nothing", async () => {
    const here = { SECRET_PEPPER: "p".repeat(32), HOST: "0.0.0.0" }
    const { given: _, ...defaults } = await settingsWith(here)
    const shown = [...rows].flatMap(([name, byDefault]) => {
      const [, value] = /^`([^`A-Z]+)`(?:;|$)/.exec(byDefault) ?? []
      return value === undefined || name === "HOST" ? [] : [[name, value] as const]
    })
    expect(shown.length).toBeGreaterThan(20)
    for (const [name, value] of shown) {
      const { given, ...settings } = await settingsWith({ ...here, [name]: value })
      expect(given).toContain(name)
      expect({ name, settings }).toEqual({ name, settings: defaults })
    }
  })
})

const unknown = (names: Iterable<string>): ReadonlyArray<string> => [...names].filter((name) => !SETTINGS.has(name))

/** Names in a file of `NAME=value` lines, including commented-out ones. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!)

/** The service's settings for these variables; rejects if one is invalid. */
const settingsWith = (variables: NodeJS.Dict<string>): Promise<Settings> =>
  Effect.runPromise(
    Effect.provide(AppConfig, AppConfig.layerFrom(variables as Record<string, string>).pipe(Layer.orDie))
  )

const dockerfile = read("Dockerfile")
const COPIED = [...dockerfile.matchAll(/^COPY (\w+) \.\/\1$/gm)].map(([, folder]) => folder!)

/** Whether the file that a command runs exists, and is copied into the image. */
const runs = (command: ReadonlyArray<string>) => {
  const file = command.find((word) => word.endsWith(".ts"))!
  return { node: command[0], isThere: existsSync(file), isCopied: COPIED.includes(file.split("/")[0]!) }
}
const RUNNABLE = { node: "node", isThere: true, isCopied: true }
const IMAGE = `${packageJson.name}:${packageJson.version}`
const IMAGES = parseEnv(read("deploy/images.env")) as Readonly<Record<string, string>>

it("the files and the image's labels name this release", () => {
  const named = globSync("deploy/**/*.{md,yaml,json}").flatMap((file) =>
    [...read(file).matchAll(/(?:repayment(?:-of-record:|-)|"version": ")(\d+\.\d+\.\d+)/g)].map(
      (one) => `${one[1]}: ${file}`
    )
  )
  expect(named.length).toBeGreaterThan(6)
  expect(named.filter((one) => !one.startsWith(`${packageJson.version}:`))).toEqual([])
  const labels = [...dockerfile.matchAll(/image\.(\w+)="([^"]*)"/g)].map(([, ...label]) => label)
  expect(Object.fromEntries(labels)).toMatchObject({
    licenses: packageJson.license,
    version: packageJson.version,
    revision: "$BUILD_COMMIT"
  })
})

describe("images.env", () => {
  it("is what Compose reads, and names the images of the other files by tag", () => {
    expect(readlinkSync("deploy/compose/.env")).toBe("../images.env")
    for (const name of ["NODE_IMAGE", "BASE_IMAGE"]) expect(dockerfile).toContain(`ARG ${name}=${IMAGES[name]}\n`)
    const named = [...read("deploy/compose/compose.yaml").matchAll(/^ *(?:image|NODE_IMAGE|BASE_IMAGE): (.*)$/gm)].map(
      ([, image]) => image
    )
    expect(new Set(named)).toEqual(new Set([IMAGE, ...Object.keys(IMAGES).map((name) => `\${${name}}`)]))
    expect(read("deploy/kubernetes/migrate.yaml")).toContain(`image: ${IMAGES["POSTGRES_IMAGE"]}\n`)
  })
})

describe("compose.yaml", () => {
  interface Part {
    readonly image: string
    readonly command?: ReadonlyArray<string>
    readonly environment?: Readonly<Record<string, string>>
    readonly secrets?: ReadonlyArray<string>
    readonly volumes?: ReadonlyArray<string>
    readonly stop_grace_period?: string
    readonly depends_on?: Readonly<Record<string, unknown>> | ReadonlyArray<string>
  }
  const { secrets, services, volumes } = yaml<{
    readonly services: Readonly<Record<string, Part>>
    readonly secrets: Readonly<Record<string, { readonly file: string }>>
    readonly volumes: Readonly<Record<string, unknown>>
  }>("deploy/compose/compose.yaml")
  const own = Object.entries(services).filter(([, { image }]) => image.startsWith(packageJson.name))

  it("starts the service twice and migrates once, from the image of this release", () => {
    expect(own.map(([name]) => name)).toEqual(["migrate", "service-1", "service-2"])
    for (const [, { command, image }] of own)
      expect({ image, ...runs(command!) }).toEqual({ image: IMAGE, ...RUNNABLE })
  })

  it("sets only known settings, also in its secret files", () => {
    expect(own.flatMap(([, { environment }]) => unknown(Object.keys(environment ?? {})))).toEqual([])
    const made = [...read("deploy/compose/secrets.sh").matchAll(/<<END\n([\s\S]*?)\nEND/g)].map(([, text]) => text!)
    expect(made.length).toBe(2)
    expect(made.flatMap((text) => unknown(namesIn(text)))).toEqual([])
  })

  it("refers only to secrets, volumes, services and files that exist", () => {
    const parts = Object.values(services)
    const made = read("deploy/compose/secrets.sh")
    for (const name of parts.flatMap((part) => part.secrets ?? [])) expect(Object.keys(secrets)).toContain(name)
    for (const { file } of Object.values(secrets)) {
      const name = file.replace("./secrets/", "")
      expect(name.endsWith("_password") ? made.includes(` ${name.replace("_password", "")}`) : made).toBeTruthy()
      if (name.endsWith(".env")) expect(made).toContain(`>${name}`)
    }
    for (const source of parts.flatMap((part) => part.volumes ?? []).map((volume) => volume.split(":")[0]!)) {
      expect(source.startsWith(".") ? existsSync(join("deploy/compose", source)) : source in volumes).toBe(true)
    }
    const needed = parts.flatMap(({ depends_on = [] }) =>
      Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
    )
    expect(needed.filter((name) => !(name in services))).toEqual([])
  })

  it("comes with a script whose secrets the service accepts", async () => {
    const folder = newFolder()
    copyFileSync("deploy/compose/secrets.sh", join(folder, "secrets.sh"))
    execFileSync("sh", ["-c", "umask 077 && sh secrets.sh"], { cwd: folder })
    // The accounts in the containers are others.
    expect(statSync(join(folder, "secrets/service.env")).mode & 0o777).toBe(0o644)
    expect(() => execFileSync("sh", ["secrets.sh"], { cwd: folder, stdio: "ignore" })).toThrow()
    const [own, owners] = ["service", "owner"].map((name) => parseEnv(read(join(folder, "secrets", `${name}.env`))))
    const environment = JSON.stringify(services["service-1"]!.environment).replaceAll(
      /\$\{DOMAIN[^}]*\}/g,
      "api.example.org"
    )
    const settings = await settingsWith({ ...JSON.parse(environment), ...own })
    expect(settings).toMatchObject({ publicUrl: "https://api.example.org", trustedProxyHops: 1, metricsPort: 9464 })
    expect([settings.given.includes("LOG_SIGNING_KEY"), owners!["SECRET_PEPPER"]]).toEqual([
      true,
      own!["SECRET_PEPPER"]
    ])
    await settingsWith(owners!)
  })

  it("has a proxy that forwards to both services and checks their readiness", () => {
    const caddyfile = read("deploy/compose/Caddyfile")
    const { METRICS_PORT, TRUSTED_PROXY_HOPS } = services["service-1"]!.environment!
    expect(caddyfile).toContain("reverse_proxy service-1:8080 service-2:8080")
    expect(caddyfile).toContain(`health_port ${METRICS_PORT}`)
    expect(caddyfile).toContain("health_uri /ready")
    expect([TRUSTED_PROXY_HOPS, services["service-2"]]).toEqual(["1", services["service-1"]])
    const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s\\n`).exec(caddyfile)![1])
    const delay = Number(services["service-1"]!.environment!["STOP_DELAY_SECONDS"])
    expect(delay).toBeGreaterThanOrEqual(seconds("health_interval") + seconds("health_timeout"))
    expect(Number.parseInt(services["service-1"]!.stop_grace_period!, 10)).toBeGreaterThan(delay + DRAIN_SECONDS)
    expect(dockerfile).toContain("EXPOSE 8080")
  })
})

describe("the systemd units", () => {
  it("set only known settings", () => {
    const service = read("deploy/systemd/repayment@.service")
    const set = [...service.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(" "))
    expect(unknown(set.map((one) => one.split("=")[0]!))).toEqual(["NODE_ENV"])
    expect(unknown(namesIn(read("deploy/systemd/service.env.example")))).toEqual([])
  })

  it("come with a script whose settings and secrets the service accepts", async () => {
    const folder = newFolder()
    const made = join(folder, "repayment")
    const make = () =>
      execFileSync("sh", ["deploy/systemd/secrets.sh", "loans.example.net", made, String(process.getgid!())])
    make()
    expect(make).toThrow()
    const file = (name: string) => read(join(made, name))
    const settings = await settingsWith(parseEnv(file("service.env")))
    expect(settings).toMatchObject({ publicUrl: "https://loans.example.net", trustedProxyHops: 1, metricsPort: 9464 })
    expect(settings.given).toContain("LOG_SIGNING_KEY")
    expect(file("service.env")).not.toMatch(/of-the-service|put-the-output|0{64}/)
    expect(parseEnv(file("backup.env"))).toEqual({ PUBLIC_URL: "https://loans.example.net" })
    // Each connection uses the password of its role.
    const passwords = [...file("roles.sql").matchAll(/^\\set (\w+) '([0-9a-f]{64})'$/gm)].map(([, role, word]) => [
      role,
      word
    ])
    expect(passwords.map(([role]) => role)).toEqual(["owner", "service", "backup"])
    const [owner, service, backup] = passwords.map(([, word]) => word!)
    expect(file("owner.env")).toBe(`OWNER_URL=postgres://repayment_owner:${owner}@127.0.0.1:5432/repayment\n`)
    expect(file("service.env")).toContain(`postgres://repayment:${service}@`)
    expect(file("pgpass")).toBe(`127.0.0.1:*:replication:repayment_backup:${backup}\n`)
    const modes = ["service.env", "owner.env", "roles.sql", "pgpass"].map(
      (name) => statSync(join(made, name)).mode & 0o777
    )
    expect(modes).toEqual([0o640, 0o600, 0o600, 0o600])
  })
})

/** The paths of all properties of a JSON value. */
const pathsOf = (value: unknown, path = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, one]) => [`${path}.${name}`, ...pathsOf(one, `${path}.${name}`)])

/** The value, whose properties leave `unread` once somebody reads them. */
const watched = <A>(value: A, unread: Set<string>, path = ""): A =>
  typeof value !== "object" || value === null
    ? value
    : (new Proxy(value, {
        get: (target, name) => {
          unread.delete(`${path}.${String(name)}`)
          return watched(Reflect.get(target, name), unread, `${path}.${String(name)}`)
        }
      }) as A)

describe("the Kubernetes manifests", () => {
  interface Container {
    readonly name: string
    readonly image: string
    readonly command?: ReadonlyArray<string>
    readonly securityContext?: unknown
    readonly env?: ReadonlyArray<{ readonly name: string; readonly value: string }>
    readonly envFrom?: ReadonlyArray<{ readonly secretRef: { readonly name: string } }>
    readonly ports?: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
    readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } }
  }
  interface Rule {
    readonly ports: ReadonlyArray<{ readonly port: number | string }>
  }
  interface Manifest {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: { readonly name: string }
    readonly stringData?: Readonly<Record<string, string>>
    readonly data?: Readonly<Record<string, string>>
    readonly spec?: {
      readonly selector?: Readonly<Record<string, unknown>>
      readonly ingress?: ReadonlyArray<Rule>
      readonly egress?: ReadonlyArray<Rule>
      readonly template?: {
        readonly metadata: { readonly labels: Readonly<Record<string, string>> }
        readonly spec: {
          readonly terminationGracePeriodSeconds?: number
          readonly automountServiceAccountToken?: boolean
          readonly securityContext?: unknown
          readonly containers: ReadonlyArray<Container>
          readonly initContainers?: ReadonlyArray<Container>
        }
      }
    }
  }
  const manifests = globSync("deploy/kubernetes/*.yaml").flatMap((file) =>
    read(file)
      .split(/^---$/m)
      .map((text) => Yaml.parse(text) as Manifest)
  )
  const of = (kind: string) => manifests.filter((one) => one.kind === kind)
  const deployment = of("Deployment")[0]!
  const container = deployment.spec!.template!.spec.containers[0]!
  const service = useStarted(async () => {
    const metricsPort = await freePort()
    return { ...(await startService({ METRICS_PORT: String(metricsPort) })), metricsPort }
  })

  it("have the expected kinds, and selectors that match the pods", () => {
    const kinds = manifests.map(({ kind }) => kind).sort()
    expect(kinds.join(" ")).toBe(
      "ConfigMap Deployment Ingress Job NetworkPolicy NetworkPolicy PodDisruptionBudget Secret Secret Service"
    )
    const labels = deployment.spec!.template!.metadata.labels
    expect(of("Service")[0]!.spec!.selector).toEqual(labels)
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(of(kind)[0]!.spec!.selector).toEqual({ matchLabels: labels })
    expect(of("Job")[0]!.spec!.template!.metadata.labels).not.toEqual(labels)
  })

  it("are valid by the schemas of Kubernetes, which know all of their fields", async () => {
    for (const manifest of manifests) {
      const [group, version] = manifest.apiVersion.includes("/")
        ? manifest.apiVersion.split("/")
        : ["", manifest.apiVersion]
      const models = await import(["kubernetes-models", group, version].filter(Boolean).join("/"))
      const unread = new Set(pathsOf(manifest))
      models[manifest.kind].prototype.validate.call(watched(manifest, unread))
      expect([manifest.kind, manifest.metadata.name, [...unread]]).toEqual([manifest.kind, manifest.metadata.name, []])
    }
  })

  it("let pods do no more than they need, and reach what the service has settings for", () => {
    const policies = of("NetworkPolicy")
    const pods = [deployment, of("Job")[0]!].map(({ spec }) => spec!.template!)
    expect(policies.map(({ spec }) => spec)).toMatchObject(
      pods.map(({ metadata }) => ({
        podSelector: { matchLabels: metadata.labels },
        policyTypes: ["Ingress", "Egress"]
      }))
    )
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 1000,
          seccompProfile: { type: "RuntimeDefault" }
        }
      })
      for (const one of [...spec.containers, ...(spec.initContainers ?? [])])
        expect(one.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] }
        })
    }
    const ports = policies.map(({ spec }) =>
      [spec!.ingress, spec!.egress].map((rules) => [
        ...new Set(rules?.flatMap((rule) => rule.ports.map(({ port }) => port)))
      ])
    )
    expect(ports).toEqual([
      [
        ["http", "metrics"],
        [53, 5432, 465, 587, 4318, 443]
      ],
      [[], [53, 5432]]
    ])
  })

  it("probe paths that answer, on open ports", async () => {
    const ports = new Map(container.ports!.map(({ containerPort, name }) => [name, containerPort]))
    const metricsPort = container.env!.find(({ name }) => name === "METRICS_PORT")!.value
    expect([ports.get("http"), String(ports.get("metrics"))]).toEqual([8080, metricsPort])
    const here = new Map([
      ["http", service().base],
      ["metrics", `http://127.0.0.1:${service().metricsPort}`]
    ])
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"] as const) {
      const { path, port } = container[probe]!.httpGet
      // Kubernetes asks again too: a service is ready once its new log has a key.
      await until(
        async () => (await fetch(`${here.get(port)}${path}`)).status === 200,
        25,
        () => probe
      )
    }
  })

  it("use known settings, existing secrets and the image of this release", async () => {
    const { containers, initContainers } = of("Job")[0]!.spec!.template!.spec
    const migrate = initContainers![0]!
    expect([container.image, migrate.image]).toEqual([IMAGE, IMAGE])
    expect(runs(migrate.command!)).toEqual(RUNNABLE)
    expect(unknown(container.env!.map(({ name }) => name))).toEqual([])
    expect(of("Secret").flatMap(({ stringData }) => unknown(Object.keys(stringData!)))).toEqual([])
    const named = [container, migrate].flatMap(({ envFrom }) => envFrom!.map(({ secretRef }) => secretRef.name))
    expect(new Set(named)).toEqual(new Set(of("Secret").map(({ metadata }) => metadata.name)))
    const values = container.env!.map(({ name, value }) => [name, value])
    const [own] = of("Secret").filter(({ metadata }) => metadata.name === "repayment")
    const settings = await settingsWith({ ...Object.fromEntries(values), ...own!.stringData })
    expect([settings.trustedProxyHops, settings.stopDelaySeconds]).toEqual([1, 5])
    const { terminationGracePeriodSeconds } = deployment.spec!.template!.spec
    expect(terminationGracePeriodSeconds).toBeGreaterThan(settings.stopDelaySeconds + DRAIN_SECONDS)
    expect(containers[0]!.command).toEqual(["sh", "/sql/rights.sh"])
    for (const file of ["rights.sql", "rights.sh"])
      expect(of("ConfigMap")[0]!.data![file]!.trim()).toBe(read(`deploy/sql/${file}`).trim())
  })
})

describe("the proxies", () => {
  const seconds = (millis: number) => `${millis / 1000}s`
  const head = seconds(LISTENER_LIMITS.headersMillis)
  const request = seconds(LISTENER_LIMITS.requestMillis)
  const connections = String(LISTENER_LIMITS.connectionsPerAddress)
  /** Twice the largest body. */
  const body = `${(2 * LOAN_BOOK_BODY_BYTES) / 1024 / 1024}m`
  const lines = (path: string) =>
    read(path)
      .split("\n")
      .map((line) => line.trim().replace(/;$/, ""))

  it("forward only complete requests, and disconnect slow senders after the service's own timeouts", () => {
    expect(lines("deploy/systemd/nginx.conf")).toEqual(
      expect.arrayContaining([
        "proxy_request_buffering on",
        `client_header_timeout ${head}`,
        `client_body_timeout ${request}`,
        `client_max_body_size ${body}`,
        `client_body_buffer_size ${body}`
      ])
    )
    expect(lines("deploy/compose/Caddyfile")).toEqual(
      expect.arrayContaining([
        `request_buffers ${body.replace("m", "MiB")}`,
        `read_header ${head}`,
        `read_body ${request}`
      ])
    )
  })

  it("limit connections and requests per client, except for Caddy", () => {
    expect(lines("deploy/systemd/nginx.conf")).toEqual(
      expect.arrayContaining([
        `limit_conn connections ${connections}`,
        "limit_conn_zone $client zone=connections:10m",
        "limit_req_zone $client zone=requests:10m rate=100r/s",
        "limit_req zone=requests burst=200 nodelay"
      ])
    )
    const { metadata } = yaml<{ readonly metadata: { readonly annotations: Readonly<Record<string, string>> } }>(
      "deploy/kubernetes/ingress.yaml"
    )
    const name = (annotation: string) => `nginx.ingress.kubernetes.io/${annotation}`
    expect(metadata.annotations).toEqual({
      [name("proxy-request-buffering")]: "on",
      [name("client-body-buffer-size")]: body,
      [name("proxy-body-size")]: body,
      [name("limit-connections")]: connections,
      [name("limit-rps")]: "100",
      [name("limit-burst-multiplier")]: "2"
    })
  })
})

describe("the scripts", () => {
  it("give psql and sed no secret as an argument", () => {
    const folder = newFolder()
    /** What each call of a program had as its arguments and standard input. */
    const calls = join(folder, "calls")
    const spy = (program: string) =>
      writeFileSync(
        join(folder, program),
        `#!/bin/sh\necho "${program} $*" >>${calls}\n${program === "sed" ? "exec /bin/sed" : `cat >>${calls}.input; true`} ${program === "sed" ? '"$@"' : ""}\n`,
        { mode: 0o755 }
      )
    for (const program of ["psql", "sed"]) spy(program)
    const env = { PATH: `${folder}:${process.env["PATH"]}`, PGDATA: folder }
    const made = join(folder, "repayment")
    execFileSync("sh", ["deploy/systemd/secrets.sh", "loans.example.net", made, String(process.getgid!())], { env })
    execFileSync("sh", ["deploy/compose/initdb/roles.sh"], { env })
    const secrets = read(join(made, "service.env")).match(/[0-9a-f]{64}/g)!
    expect(new Set(secrets).size).toBe(3)
    const seen = read(calls)
    expect(seen.split("\n").map((line) => line.split(" ", 1)[0])).toEqual(["sed", "psql", ""])
    expect(seen).not.toMatch(/[0-9a-f]{64}|secrets/)
    expect(read(`${calls}.input`)).toContain("\\set owner `cat /run/secrets/owner_password`\n")
  })

  it("pass no password to psql as an argument", () => {
    const folder = newFolder()
    const calledWith = (address: string) => {
      const env = { PATH: `${folder}:${process.env["PATH"]}`, OWNER_URL: address, DATABASE_URL: address, REPAY: "true" }
      return execFileSync("sh", ["deploy/drills/upgrade.sh"], { env, encoding: "utf8" }).split("\n")
    }
    writeFileSync(join(folder, "psql"), '#!/bin/sh\necho "$PGPASSWORD"\nfor one; do echo "$one"; done\n', {
      mode: 0o755
    })
    const options = ["--no-psqlrc", "--quiet"]
    const file = "--file=deploy/drills/../sql/rights.sql"
    expect(calledWith("postgres://owner:a%2Fb%40c%25d@one,two:5433/name?sslmode=require")).toEqual([
      "a/b@c%d",
      ...options,
      "--dbname=postgres://owner@one,two:5433/name?sslmode=require",
      file,
      ""
    ])
    for (const address of ["postgresql://owner@one:5432/name", "postgres:///name?host=/tmp"])
      expect(calledWith(address)).toEqual(["", ...options, `--dbname=${address}`, file, ""])
  })
})
