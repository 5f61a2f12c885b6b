/**
 * The image drill: builds the Dockerfile by podman, on bases of Debian's packages and this project's
 * Node in place of those in deploy/images.env, and looks at what is in the image. Then runs it as
 * deploy/compose does, on a PostgreSQL server of this machine: migrated, asked, and stopped.
 */
import assert from "node:assert/strict"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { freePort } from "../../test/support/freePort.ts"
import { TEST_PEPPER, TEST_SIGNING_KEY } from "../../test/support/settings.ts"
import { until } from "../../test/support/until.ts"
import { insist, run } from "../harness.ts"
import { makeCluster, psql, serversFolder, startServer } from "../postgres.ts"
import { makeRoles, ownerUrl, serviceUrl } from "./installation.ts"
import { IMAGES, LOOK, podmanIn, SERVICE_IMAGE } from "./podman.ts"

/** What the image adds to its base, in MB. Node's program is 127 of them. */
const MOST_MEGABYTES = 190
/** compose.yaml kills after 35 seconds. */
const STOP_SECONDS = 25
const START_SECONDS = 60

/** What compose.yaml allows a service, and the network of this machine. */
const CONFINED = [
  "--rm",
  "--network=host",
  "--read-only",
  "--tmpfs=/tmp",
  "--cap-drop=ALL",
  "--security-opt=no-new-privileges"
]

export const imageDrill = async (folder: string): Promise<string> => {
  const { podman, makeBases, buildService } = await podmanIn(folder)
  await makeBases()
  const commit = (await run(["git", "rev-parse", "HEAD"])).trim()
  await buildService(commit)

  const sizeOf = async (image: string) => Number(await podman(["image", "inspect", "--format={{.Size}}", image])) / 1e6
  const size = (await sizeOf(SERVICE_IMAGE)) - (await sizeOf(IMAGES["BASE_IMAGE"]!))
  insist(size <= MOST_MEGABYTES, `the image adds ${size.toFixed(0)} MB to its base, more than ${MOST_MEGABYTES}`)
  assert.equal((await podman(["run", ...CONFINED, SERVICE_IMAGE, "sh", "-c", LOOK])).trim(), "")
  const labels =
    '{{index .Labels "org.opencontainers.image.version"}} {{index .Labels "org.opencontainers.image.revision"}}'
  const labeled = await podman(["image", "inspect", `--format=${labels}`, SERVICE_IMAGE])
  assert.equal(labeled.trim(), `${packageJson.version} ${commit}`)

  const cluster = serversFolder(join(folder, "image"))
  await makeCluster(cluster)
  const server = await startServer(cluster, await freePort())
  await makeRoles(server)
  const secrets = [`SECRET_PEPPER=${TEST_PEPPER}`, `LOG_SIGNING_KEY=${TEST_SIGNING_KEY}`]
  const settings = (url: string) => [`DATABASE_URL=${url}`, ...secrets].flatMap((one) => ["--env", one])
  await podman(["run", ...CONFINED, ...settings(ownerUrl(server)), SERVICE_IMAGE, "node", "src/cli/main.ts", "migrate"])
  await psql(ownerUrl(server), "--file=deploy/sql/rights.sql")
  const port = await freePort()
  const own = [...settings(serviceUrl(server)), "--env=HOST=127.0.0.1", `--env=PORT=${port}`]
  await podman([
    "run",
    "--detach",
    "--name=service",
    ...CONFINED.filter((one) => one !== "--rm"),
    ...own,
    SERVICE_IMAGE
  ])
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
