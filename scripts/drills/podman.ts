/**
 * Podman for drills, with folders and settings of its own, and images made of Debian's packages and
 * this project's Node, under the names of deploy/images.env: what needs those images runs as it is.
 * Needs root and Debian's podman, runc and debootstrap.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import packageJson from "../../package.json" with { type: "json" }
import { atEnd, insist, isInstalled, PROJECT, run } from "../harness.ts"
import { CERTIFICATES, makeSystem } from "./machine.ts"

/** The names of the images of others. */
export const IMAGES = parseEnv(readFileSync(join(PROJECT, "deploy/images.env"), "utf8"))
/** The image of this release, as compose.yaml names it. */
export const SERVICE_IMAGE = `${packageJson.name}:${packageJson.version}`

const BUILD_MILLIS = 1_200_000

/** Docker's format keeps the HEALTHCHECK of a Dockerfile. */
const BUILD = ["build", "--quiet", "--layers=false", "--format=docker", "--isolation=chroot", "--network=host"]

/** Prints what should not be in the image: another Node, npm, tests, caches, and what its account may write. */
export const LOOK = `
find / -xdev -type f -perm -1 -name 'node*' -not -path '/usr/local/bin/node' 2>/dev/null
ls -d /usr/local/lib/node_modules /root/.npm /app/test /app/scripts /app/node_modules/vitest /app/node_modules/typescript 2>/dev/null
find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/tmp -o -path /run \\) -prune -o -writable -not -type l -print 2>/dev/null
grep '^Cap' /proc/self/status | grep -v ' *0000000000000000$'
[ "$(id -u)" = 1000 ] || echo "account $(id -u)"
true`

/** Podman with its images and containers in a folder; the containers are removed at the end of the task. */
export const podmanIn = async (folder: string, network = "") => {
  insist(await isInstalled(["podman", "--version"]), "podman is not installed (Debian: podman and runc)")
  const home = mkdtempSync(join(folder, "podman-"))
  const environment = {
    CONTAINERS_CONF: join(home, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(home, "storage.conf")
  }
  const settings = [
    "[containers]",
    'default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]',
    "[engine]",
    'runtime = "runc"',
    'cgroup_manager = "cgroupfs"',
    'events_logger = "file"',
    // Otherwise the API looks for an image without a registry only under Docker's.
    "compat_api_enforce_docker_hub = false",
    // By default, five minutes pass before the process that watches an `exec` of the API ends.
    "exit_command_delay = 1",
    "[network]",
    `network_config_dir = "${home}/networks"`,
    network
  ]
  const storage = ["[storage]", 'driver = "vfs"', `graphroot = "${home}/root"`, `runroot = "${home}/run"`]
  writeFileSync(environment.CONTAINERS_CONF, `${settings.join("\n")}\n`)
  writeFileSync(environment.CONTAINERS_STORAGE_CONF, `${storage.join("\n")}\n`)
  const podman = (args: ReadonlyArray<string>, input = "") =>
    run(["podman", ...args], { env: environment, timeout: BUILD_MILLIS, input })
  atEnd(() => podman(["rm", "--all", "--force", "--time=0"]).catch(() => undefined))

  const base = join(home, "base")
  const imported = async (name: string) => {
    const archive = `tar -C ${base} --exclude=./var/cache/apt/archives/* --exclude=./var/lib/apt/lists/* --exclude=./usr/share/doc/* -c .`
    const change = `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`
    await run(["sh", "-ec", `${archive} >${home}/base.tar`], { timeout: BUILD_MILLIS })
    await podman(["import", "--quiet", "--change", change, `${home}/base.tar`, `localhost/${name}`])
  }
  /** Makes both bases of the Dockerfile: a bare Debian, and one with Node and npm. */
  const makeBases = async () => {
    await makeSystem(base, [])
    await imported(IMAGES["BASE_IMAGE"]!)
    const npm = (await run(["sh", "-c", "readlink -f $(command -v npm)"])).trim().replace(/\/bin\/npm-cli\.js$/, "")
    cpSync(process.execPath, join(base, "usr/local/bin/node"))
    cpSync(npm, join(base, "usr/local/lib/node_modules/npm"), { recursive: true })
    await run(["ln", "-sf", "../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/local/bin/npm")])
    await imported(IMAGES["NODE_IMAGE"]!)
  }
  /** Builds the Dockerfile of the project on them. */
  const buildService = (commit: string) =>
    podman([
      ...BUILD,
      ...["--build-arg", `BUILD_COMMIT=${commit}`],
      ...["--tag", `localhost/${SERVICE_IMAGE}`, PROJECT]
    ])
  /** Builds an image from the text of a Dockerfile, which copies nothing. */
  const build = (name: string, dockerfile: string) => podman([...BUILD, "--tag", `localhost/${name}`, "-"], dockerfile)
  return { podman, environment, makeBases, buildService, build }
}
