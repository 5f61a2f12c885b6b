/**
 * The check of deploy/systemd/nginx.conf by nginx itself, with TLS, if nginx and openssl are
 * installed. Nothing is served: the `behind-nginx` task does that.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PROJECT, run } from "../harness.ts"

const NGINX = "/usr/sbin/nginx"

export const checkNginx = async (folder: string): Promise<string> => {
  const isHere = await run([NGINX, "-v"]).then(
    () => true,
    () => false
  )
  if (!isHere) return "nginx is not here: its configuration was read by nobody"
  const home = join(folder, "nginx")
  mkdirSync(home)
  const [key, certificate] = ["privkey.pem", "fullchain.pem"].map((name) => join(home, name))
  const subject = ["-subj", "/CN=api.example.org", "-days", "1"]
  await run([
    "openssl",
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    key!,
    "-out",
    certificate!,
    ...subject
  ])
  const site = readFileSync(join(PROJECT, "deploy/systemd/nginx.conf"), "utf8")
    .replaceAll("/etc/ssl/repayment", home)
    .replaceAll("/var/cache/repayment", join(home, "cache"))
  const file = join(home, "nginx.conf")
  writeFileSync(join(home, "site.conf"), site)
  writeFileSync(file, `pid ${home}/pid;\nevents {}\nhttp { include ${home}/site.conf; }\n`)
  await run([NGINX, "-t", "-q", "-e", "stderr", "-c", file])
  return "nginx -t accepts nginx.conf"
}
