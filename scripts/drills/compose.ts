/**
 * The compose drill: a copy of deploy/compose is brought up by Debian's docker-compose on podman,
 * with the commands of deploy/README.md, then upgraded and restored. Needs root and Debian's podman,
 * runc, netavark, aardvark-dns, docker-compose and debootstrap.
 *
 * Debian's programs do not take all of it as it is:
 * - An override file adds ports and removes none, so the copy's own line has the port of the drill.
 * - Caddy 2.6 does not know `request_buffers`. Its older words for the same are in the copy.
 * - docker-compose 1 has no `--wait`: the drill waits. It could build, but three times: podman does.
 * - podman leaves the times of health checks to systemd, which may not run: the drill runs them.
 * - `docker`, which docker-compose calls for `run` and `exec`, is podman.
 */
import assert from "node:assert/strict"
import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/freePort.ts"
import { startProgram } from "../../test/support/programs.ts"
import { pause, until } from "../../test/support/until.ts"
import { atEnd, insist, isInstalled, PROJECT, run, say } from "../harness.ts"
import { AT_ONCE, answers, callerOf, countOf, isAnswered, OUTAGE_SECONDS } from "./calls.ts"
import { commandsOf } from "./guide.ts"
import { IMAGES, LOOK, podmanIn, SERVICE_IMAGE } from "./podman.ts"

const NAME = "localhost"
const CALLS = 400
const UP_MILLIS = 600_000
const CHECK_MILLIS = 2000
const MEMORY = 1536 * 1024 * 1024
const FIRST = "compose_service-1_1"
const COMMAND = "docker-compose exec -T service-2 node --env-file=/run/secrets/service src/cli/main.ts"
/** The database and both services. */
const WAIT = "until [ $(podman ps --filter health=healthy --quiet | wc -l) = 3 ]; do sleep 1; done"

/** An image of one of Debian's packages, whose server is not started by its installation. */
const imageOf = (name: string, ...settings: ReadonlyArray<string>): string => `FROM ${IMAGES["BASE_IMAGE"]}
RUN printf '#!/bin/sh\\nexit 101\\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d && apt-get update \\
  && apt-get install --yes --no-install-recommends ${name} && apt-get clean && rm -r /var/lib/apt/lists
${settings.join("\n")}
`

/** What the entrypoint of the official image does for compose.yaml. */
const ENTRYPOINT = `set -eu
as() { runuser -u postgres -- "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  chown postgres: "$PGDATA" && chmod 700 "$PGDATA"
  as initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE"
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  as pg_ctl -w start -o "-c listen_addresses=''"
  for script in /docker-entrypoint-initdb.d/*.sh; do as sh "$script"; done
  as pg_ctl -w -m fast stop
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -c listen_addresses='*'`

const DATABASE = imageOf(
  "postgresql",
  "ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "STOPSIGNAL SIGINT",
  `ENTRYPOINT ${JSON.stringify(["sh", "-c", ENTRYPOINT])}`
)
const PROXY = imageOf(
  "caddy",
  "ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data",
  'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]'
)

/** The release after this one, which has one more, empty migration. */
const NEXT = `FROM ${SERVICE_IMAGE}
USER 0:0
RUN sed -i 's/const MIGRATIONS = {/& "9999_next_release": Effect.void,/' src/database/migrate.ts
USER 1000:1000
`

/** The guide's commands for the programs of Debian. */
const guided = (title: string): string =>
  commandsOf(title)
    .replace(/ --build\b/g, "")
    .replace(/^(.*) --wait$/gm, `$1; ${WAIT}`)
    .replaceAll("docker compose exec", "docker-compose exec -T")
    .replaceAll("docker compose", "docker-compose")
    .replaceAll("api.example.org", NAME)

const edit = (file: string, before: string, after: string): void => {
  const text = readFileSync(file, "utf8")
  insist(text.includes(before), `${file} has no ${before}`)
  writeFileSync(file, text.replace(before, after))
}

export const composeDrill = async (folder: string): Promise<string> => {
  for (const program of ["docker-compose", "/usr/lib/podman/netavark", "/usr/lib/podman/aardvark-dns"])
    insist(await isInstalled([program, "--version"]), `${program} is not installed`)
  const made = await podmanIn(folder, 'network_backend = "netavark"')
  const { podman } = made
  await made.makeBases()
  await made.buildService("first")
  await made.build(IMAGES["POSTGRES_IMAGE"]!, DATABASE)
  await made.build(IMAGES["CADDY_IMAGE"]!, PROXY)
  say("the images are built")

  cpSync(join(PROJECT, "deploy"), join(folder, "deploy"), { recursive: true, verbatimSymlinks: true })
  const here = join(folder, "deploy/compose")
  const port = await freePort()
  edit(join(here, "compose.yaml"), '["80:80", "443:443"]', `["127.0.0.1:${port}:443"]`)
  edit(join(here, "Caddyfile"), "request_buffers 2MiB", "buffer_requests\n\t\tmax_buffer_size 2MiB")
  // Under the umask of a cautious administrator.
  await run(["sh", "-c", "umask 077 && sh secrets.sh"], { cwd: here })
  // The drill has one caller.
  appendFileSync(join(here, "secrets/service.env"), "RATE_LIMIT_KEY=off\n")
  const socket = join(folder, "podman.sock")
  const DOCKER_HOST = `unix://${socket}`
  const api = startProgram(["podman", "system", "service", "--time=0", DOCKER_HOST], { variables: made.environment })
  atEnd(api.stop)
  await until(() => existsSync(socket))
  await run(["sh", "-c", `mkdir ${folder}/bin && ln -s $(command -v podman) ${folder}/bin/docker`])
  const env = { ...made.environment, DOCKER_HOST, DOMAIN: NAME, PATH: `${folder}/bin:${process.env["PATH"]}` }
  const shell = (commands: string) => run(["sh", "-ec", commands], { cwd: here, env, timeout: UP_MILLIS })
  const psql = "exec compose_database_1 psql --username=postgres --tuples-only repayment --command".split(" ")
  const question = (sql: string) => podman([...psql, sql])
  let isOver = false
  const checks = (async () => {
    for (; !isOver; await pause(CHECK_MILLIS))
      for (const name of ["database", "service-1", "service-2"])
        await podman(["healthcheck", "run", `compose_${name}_1`]).catch(() => undefined)
  })()
  atEnd(async () => {
    isOver = true
    await checks
  })

  await shell(guided("Compose"))
  const authority = "docker-compose exec -T proxy cat /data/caddy/pki/authorities/local/root.crt"
  await until(() => shell(authority).then(Boolean, () => false), OUTAGE_SECONDS)
  const call = callerOf(NAME, port, await shell(authority))
  await until(() => isAnswered(call), OUTAGE_SECONDS)
  const created = await shell(`${COMMAND} keys create --email drill@example.org --tier production --json`)
  const { apiKey: key } = JSON.parse(created) as { apiKey: string }
  assert.equal((await podman(["exec", FIRST, "sh", "-c", LOOK])).trim(), "")
  const limits = await podman(["inspect", "--format={{.HostConfig.Memory}} {{.HostConfig.SecurityOpt}}", FIRST])
  assert.equal(limits.trim(), `${MEMORY} [no-new-privileges]`)
  const { failed, ids } = await answers(call, key, CALLS, (done) =>
    done === CALLS / 4 ? shell("docker-compose stop service-1") : undefined
  )
  const { failed: failedLater, ids: later } = await answers(call, key, CALLS / 4)
  assert.equal(failed + failedLater, 0)
  say(`up, with TLS; ${ids.length + later.length} calls while one service is stopped: none failed`)

  await made.build(SERVICE_IMAGE, NEXT)
  await shell(guided("An upgrade with Compose"))
  assert.equal((await question("SELECT max(migration_id) FROM schema_migration")).trim(), "9999")
  await until(() => isAnswered(call), OUTAGE_SECONDS)
  const { ids: last } = await answers(call, key, AT_ONCE)
  say("a backup is taken, and the next release has migrated and answers")

  const [base] = (await podman(["exec", "compose_wal_1", "ls", "/wal/base"])).trim().split("\n").slice(-1)
  await shell(guided("A restore with Compose").replace("<base-...>", base!))
  const all = [...ids, ...later, ...last]
  assert.equal(Number(await question(countOf(all))), all.length)
  const { finding } = JSON.parse(await shell(`${COMMAND} audit --json`)) as { finding: unknown }
  assert.equal(finding, null)
  await until(() => isAnswered(call), OUTAGE_SECONDS)
  await answers(call, key, AT_ONCE)
  return `upgraded, and restored into an empty volume: all ${all.length} answers are there`
}
