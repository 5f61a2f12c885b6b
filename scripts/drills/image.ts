/**
 * The image drill: builds the Dockerfile by podman, on bases of Debian's packages and this project's
 * Node in place of those in deploy/images.env, and looks at what is in the image. Then runs it as
 * deploy/compose does, on a PostgreSQL server of this machine: migrated, asked, and stopped.
 */
import assert from "node:assert/strict"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/freePort.ts"
import { TEST_PEPPER, TEST_SIGNING_KEY } from "../../test/support/settings.ts"
import { until } from "../../test/support/until.ts"
import { atEnd, insist, isInstalled, PROJECT, run } from "../harness.ts"
import { makeCluster, psql, serversFolder, startServer } from "../postgres.ts"
import { makeRoles, ownerUrl, serviceUrl } from "./installation.ts"
import { CERTIFICATES, makeSystem } from "./machine.ts"

const IMAGE = "repayment-of-record:drill"
/** What the image adds to its base, in MB. Node's program is 127 of them. */
const MOST_MEGABYTES = 190
const BUILD_MILLIS = 1_200_000
/** compose.yaml kills after 35 seconds. */
const STOP_SECONDS = 25
const START_SECONDS = 60

/** What compose.yaml allows a service, and the network of this machine. */
const CONFINED = [
  ...["--rm", "--network=host", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges"],
  ...["--ulimit=nofile=1024:1024", "--ulimit=nproc=1000:1000"]
]

/** Prints what should not be in the image: another Node, npm, tests, caches, and what its account may write. */
const LOOK = `
find / -xdev -type f -perm -1 -name 'node*' -not -path '/usr/local/bin/node' 2>/dev/null
ls -d /usr/local/lib/node_modules /root/.npm /app/test /app/scripts /app/node_modules/vitest /app/node_modules/typescript 2>/dev/null
find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/tmp -o -path /run \\) -prune -o -writable -not -type l -print 2>/dev/null
grep '^Cap' /proc/self/status | grep -v ' *0000000000000000$'
[ "$(id -u)" = 1000 ] || echo "account $(id -u)"
true`

export const imageDrill = async (folder: string): Promise<string> => {
  insist(await isInstalled(["podman", "--version"]), "podman is not installed (Debian: podman and runc)")
  const home = join(folder, "podman")
  const podman = (args: ReadonlyArray<string>, timeout = BUILD_MILLIS) =>
    run(
      [
        "podman",
        ...["--storage-driver=vfs", `--root=${home}/root`, `--runroot=${home}/run`],
        ...["--runtime=runc", "--cgroup-manager=cgroupfs", ...args]
      ],
      { timeout }
    )
  atEnd(() => podman(["rm", "--all", "--force"]).catch(() => undefined))

  const base = join(folder, "base")
  await makeSystem(base, [])
  const imported = async (name: string) => {
    const archive = `tar -C ${base} --exclude=./var/cache/apt/archives/* --exclude=./var/lib/apt/lists/* --exclude=./usr/share/doc/* -c .`
    const change = `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`
    await run(["sh", "-ec", `${archive} >${folder}/base.tar`], { timeout: BUILD_MILLIS })
    await podman(["import", "--quiet", "--change", change, `${folder}/base.tar`, name])
  }
  await imported("localhost/bare")
  const npm = (await run(["sh", "-c", "readlink -f $(command -v npm)"])).trim().replace(/\/bin\/npm-cli\.js$/, "")
  cpSync(process.execPath, join(base, "usr/local/bin/node"))
  cpSync(npm, join(base, "usr/local/lib/node_modules/npm"), { recursive: true })
  await run(["ln", "-sf", "../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/local/bin/npm")])
  await imported("localhost/with-node")
  const commit = (await run(["git", "rev-parse", "HEAD"])).trim()
  const given = ["NODE_IMAGE=localhost/with-node", "BASE_IMAGE=localhost/bare", `BUILD_COMMIT=${commit}`]
  const builds = given.flatMap((one) => ["--build-arg", one])
  await podman([
    "build",
    "--quiet",
    "--layers=false",
    "--isolation=chroot",
    "--network=host",
    ...builds,
    "--tag",
    IMAGE,
    PROJECT
  ])

  const sizeOf = async (image: string) => Number(await podman(["image", "inspect", "--format={{.Size}}", image])) / 1e6
  const size = (await sizeOf(IMAGE)) - (await sizeOf("localhost/bare"))
  insist(size <= MOST_MEGABYTES, `the image adds ${size.toFixed(0)} MB to its base, more than ${MOST_MEGABYTES}`)
  assert.equal((await podman(["run", ...CONFINED, IMAGE, "sh", "-c", LOOK])).trim(), "")

  const cluster = serversFolder(join(folder, "image"))
  await makeCluster(cluster)
  const server = await startServer(cluster, await freePort())
  await makeRoles(server)
  const secrets = [`SECRET_PEPPER=${TEST_PEPPER}`, `LOG_SIGNING_KEY=${TEST_SIGNING_KEY}`]
  const settings = (url: string) => [`DATABASE_URL=${url}`, ...secrets].flatMap((one) => ["--env", one])
  await podman(["run", ...CONFINED, ...settings(ownerUrl(server)), IMAGE, "node", "src/cli/main.ts", "migrate"])
  await psql(ownerUrl(server), "--file=deploy/sql/rights.sql")
  const port = await freePort()
  const own = [...settings(serviceUrl(server)), "--env=HOST=127.0.0.1", `--env=PORT=${port}`]
  await podman(["run", "--detach", "--name=service", ...CONFINED.filter((one) => one !== "--rm"), ...own, IMAGE])
  const healthOf = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.json() as Promise<{ readonly commit: string }>,
      () => undefined
    )
  await until(async () => (await healthOf())?.commit === commit, START_SECONDS)
  await podman(["exec", "service", ...["node", "src/cli/main.ts", "doctor", "--table"]])
  const begun = performance.now()
  await podman(["stop", "--time=35", "service"])
  const seconds = (performance.now() - begun) / 1000
  insist(seconds < STOP_SECONDS, `it stopped after ${seconds.toFixed(1)} s`)
  assert.equal((await podman(["inspect", "--format={{.State.ExitCode}}", "service"])).trim(), "0")
  await server.stop()
  return `adds ${size.toFixed(0)} MB to its base; runs without rights and stops in ${seconds.toFixed(1)} s`
}
