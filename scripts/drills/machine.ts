/**
 * Empty Debian 12 systems, made of Debian's packages: as the base of an image, or booted with their
 * own systemd in a container that shares the network of this machine. Needs root and Debian's
 * debootstrap; booting needs systemd-container.
 */
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { startProgram } from "../../test/support/programs.ts"
import { until } from "../../test/support/until.ts"
import { atEnd, insist, isInstalled, run } from "../harness.ts"

const MIRROR = "http://deb.debian.org/debian"
/** Certificates that this machine trusts, for npm behind a proxy with a certificate of its own. */
export const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
const MAKE_MILLIS = 900_000
const BOOT_SECONDS = 90

/** Makes a system with these packages in a folder. */
export const makeSystem = async (folder: string, packages: ReadonlyArray<string>): Promise<void> => {
  insist(process.getuid?.() === 0, "this drill needs root")
  insist(await isInstalled(["debootstrap", "--version"]), "debootstrap is not installed (Debian: debootstrap)")
  const include = ["ca-certificates", ...packages].join(",")
  await run(["debootstrap", "--variant=minbase", `--include=${include}`, "bookworm", folder, MIRROR], {
    timeout: MAKE_MILLIS
  })
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES))
}

/** Boots a system until the end of the task. */
export const bootSystem = async (folder: string) => {
  const command = [
    "systemd-nspawn",
    "--quiet",
    "--boot",
    `--directory=${folder}`,
    "--register=no",
    "--keep-unit"
  ] as const
  const program = startProgram([...command, "--console=pipe"])
  atEnd(program.stop)
  const init = async () => (await run(["pgrep", "-P", String(program.pid)])).trim()
  /** Runs commands in it as root; resolves with what they print, and rejects if one fails. */
  const shell = async (commands: string): Promise<string> => {
    const inside = ["nsenter", "-t", await init(), "-m", "-u", "-i", "-p", "--root", "--wd", "env", "-i"] as const
    const environment = [
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "HOME=/root",
      "LANG=C.UTF-8",
      "DEBIAN_FRONTEND=noninteractive",
      `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`
    ]
    return await run([...inside, ...environment, "sh", "-ec", `exec 2>&1\n${commands}`], { timeout: MAKE_MILLIS })
  }
  await until(
    async () => (await shell("systemctl is-system-running || true").catch(() => "")).trim() === "running",
    BOOT_SECONDS
  )
  return {
    shell,
    /** As if the power went: every process of it is killed at once. */
    cutPower: async () => {
      process.kill(Number(await init()), "SIGKILL")
      await program.exit
    }
  }
}

export type System = Awaited<ReturnType<typeof bootSystem>>

/** Makes a folder in the system of a folder. */
export const folderIn = (system: string, path: string): string => {
  const folder = join(system, path)
  mkdirSync(folder, { recursive: true })
  return folder
}
