/**
 * The debian drill: the commands of "From an empty Debian 12" of deploy/README.md, as the page has
 * them, in an empty Debian 12 that is booted with its systemd. The source of the clone and the
 * certificate are made here. First the commit before this one, then an upgrade to this one; calls
 * through nginx with TLS while a replica is stopped and the power is cut; then a restore.
 */
import assert from "node:assert/strict"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "../../test/support/until.ts"
import { PROJECT, run, say } from "../harness.ts"
import { AT_ONCE, answers, callerOf, countOf, isAnswered, OUTAGE_SECONDS } from "./calls.ts"
import { commandsOf } from "./guide.ts"
import { bootSystem, CERTIFICATES, folderIn, makeSystem, type System } from "./machine.ts"

const NAME = "api.example.org"
const SOURCE = "/srv/repayment.git"
const CALLS = 2000

/** In place of certbot, which asks a public authority. */
const CERTIFICATE = [
  `mkdir -p /etc/letsencrypt/live/${NAME} && cd /etc/letsencrypt/live/${NAME}`,
  `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=${NAME} -addext subjectAltName=DNS:${NAME} -days 2 -keyout privkey.pem -out fullchain.pem`,
  `cat fullchain.pem >>${CERTIFICATES}`,
  "cd /opt/repayment"
].join("\n")

const GUIDED = (title: string): string =>
  commandsOf(title)
    .replaceAll("<repository>", SOURCE)
    .replaceAll("<your name>", NAME)
    .replace(/^certbot .*$/m, CERTIFICATE)

/** The release of a commit, in a folder of its own. */
const releaseOf = (commit: string): string =>
  GUIDED("The release")
    .replace(/^release=.*$/m, `release=/opt/repayment-${commit.slice(0, 8)}`)
    .replace(/# and git checkout.*$/m, `&& git -c advice.detachedHead=false checkout --quiet ${commit}`)

const countIn = async ({ shell }: System, port: number, ids: ReadonlyArray<string>): Promise<number> => {
  return Number(
    await shell(
      `runuser -u postgres -- psql --no-psqlrc --tuples-only --port=${port} repayment <<'END'\n${countOf(ids)}\nEND`
    )
  )
}

const auditFinds = async ({ shell }: System): Promise<unknown> =>
  (JSON.parse(await shell("repay audit --json 2>/dev/null")) as { finding: unknown }).finding

export const debianDrill = async (folder: string): Promise<string> => {
  const root = join(folder, "debian")
  await makeSystem(root, ["systemd", "systemd-sysv", "dbus"])
  appendFileSync(join(folderIn(root, "etc"), "hosts"), `127.0.0.1 localhost\n127.0.0.1 ${NAME}\n`)
  appendFileSync(join(folderIn(root, "etc/apt/apt.conf.d"), "90yes"), 'APT::Get::Assume-Yes "true";\n')
  appendFileSync(join(folderIn(root, "root"), ".npmrc"), `cafile=${CERTIFICATES}\n`)
  await run(["git", "clone", "--quiet", "--bare", PROJECT, join(folderIn(root, "srv"), "repayment.git")])
  const [commit = "", before = commit] = (await run(["git", "log", "--format=%H", "-n", "2"])).trim().split("\n")
  let system = await bootSystem(root)
  const guided = async (...titles: ReadonlyArray<string>) => {
    for (const title of titles) await system.shell(`cd /opt/repayment 2>/dev/null || cd /\n${GUIDED(title)}`)
  }

  await guided("Programs and accounts")
  await system.shell(releaseOf(before))
  await guided("Settings, roles, tables")
  // The drill has one caller.
  await system.shell("echo RATE_LIMIT_KEY=off >>/etc/repayment/service.env")
  await guided("The service, backups, an audit each night", "TLS")
  const certificate = await system.shell(`cat /etc/letsencrypt/live/${NAME}/fullchain.pem`)
  const call = callerOf(NAME, 443, certificate)
  await until(() => isAnswered(call), OUTAGE_SECONDS)
  const made = await system.shell("repay keys create --email drill@example.org --tier production --json 2>/dev/null")
  const { apiKey: key } = JSON.parse(made) as { apiKey: string }
  assert.match(await system.shell("repay doctor --table"), /is answered by this release/)
  say(`the commit before this one is installed and serves ${NAME} with TLS`)

  const { failed, ids } = await answers(call, key, CALLS, (done) => {
    if (done === CALLS / 4) return system.shell("systemctl stop repayment@1")
    if (done === CALLS / 2) return system.shell("systemctl start repayment@1")
    if (done !== (3 * CALLS) / 4) return undefined
    return system.cutPower().then(async () => {
      system = await bootSystem(root)
    })
  })
  assert.equal(await countIn(system, 5432, ids), ids.length)
  assert.equal(await auditFinds(system), null)
  say(
    `${ids.length} calls while a replica was stopped and the power was cut: ${failed} failed, none acknowledged is lost`
  )

  await system.shell(releaseOf(commit))
  assert.match(await system.shell("repay doctor --table"), /^ok +schema/m)
  await guided("An upgrade")
  const health = JSON.parse((await call("GET", "/health")).text) as { commit: string }
  assert.equal(health.commit, commit)
  const { ids: later } = await answers(call, key, AT_ONCE)
  say("this commit is installed beside it, replica by replica")

  await system.shell("systemctl start repayment-backup repayment-audit")
  const { ids: last } = await answers(call, key, AT_ONCE)
  const [base] = (await system.shell("ls -d /var/lib/repayment-backup/base/base-*")).trim().split("\n").slice(-1)
  await system.shell(GUIDED("A restore").replace('"$to"/base/<base-...>', `"$to"/base/${base!.replace(/^.*\//, "")}`))
  await until(async () => (await system.shell("pg_lsclusters -h")).includes("restored 5433 online"), OUTAGE_SECONDS)
  const all = [...ids, ...later, ...last]
  assert.equal(await countIn(system, 5433, all), all.length)
  return "installed, upgraded and restored by the commands of the guide, which lost nothing"
}
