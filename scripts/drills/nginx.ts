/**
 * The check of deploy/systemd/nginx.conf by nginx itself, with TLS, if nginx and openssl are
 * installed. Nothing is served: the `behind-nginx` task does that.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isInstalled, PROJECT, run } from "../harness.ts"

const NGINX = "/usr/sbin/nginx"

export const checkNginx = async (folder: string): Promise<string> => {
  if (!(await isInstalled([NGINX, "-v"]))) return "nginx is not installed: its configuration was not checked"
  const home = join(folder, "nginx")
  mkdirSync(home)
  const options = "req -x509 -newkey rsa:2048 -nodes -subj /CN=api.example.org -days 1".split(" ")
  await run(["openssl", ...options, "-keyout", join(home, "privkey.pem"), "-out", join(home, "fullchain.pem")])
  const site = readFileSync(join(PROJECT, "deploy/systemd/nginx.conf"), "utf8")
    .replaceAll("/etc/ssl/repayment", home)
    .replaceAll("/var/cache/repayment", join(home, "cache"))
  const file = join(home, "nginx.conf")
  writeFileSync(join(home, "site.conf"), site)
  writeFileSync(file, `pid ${home}/pid;\nevents {}\nhttp { include ${home}/site.conf; }\n`)
  await run([NGINX, "-t", "-q", "-e", "stderr", "-c", file])
  return "nginx -t accepts nginx.conf"
}
