/**
 * The list of tasks: each one's usage and description. A task is the default export of the file of
 * its name in this folder.
 */
export const TASKS: Readonly<Record<string, string>> = {
  list: "prints this list",
  "generate [name ...]": "makes everything that is generated, in its order, or only what is named",
  "golden [block ...] [--figures]": "prints the golden corpus, or blocks of it, as the engine answers now",
  build: "makes the three packages: dist, dist/client and dist/engine",
  "agreement [requests] [seed]": "compares the engine with the exact oracle on random requests",
  "compare-releases <checkout> [requests] [seed] [old=new ...]": "sends two checkouts the same requests",
  "faults [F12 ...]": "runs the tests of docs/generated/faults.md, or those of some faults",
  "idempotency [calls]": "sends 10,000 calls one to five times each, with kills of service and database",
  "simulate [--minutes n]": "runs random programs on the services, with failures anywhere",
  "soak [--minutes n] [--witnesses n] [--processes n] [--standby]":
    "keeps a service under mixed traffic and fails if anything grows or is lost",
  "pooled [test path ...]": "runs the tests of the service through PgBouncer",
  "behind-nginx": "runs two processes behind the nginx of deploy/, which keeps confirmations",
  failover: "kills a primary under load and promotes its standby, PROMOTIONS times",
  "drills [restore] [upgrade] [units] [nginx] [alerts] [image] [compose] [debian]":
    "tries the scripts of deploy/drills, the systemd units, nginx.conf and the alerts; by name, the image, Compose and the guide",
  "openapi-gate": "a linter, a proxy and two clients judge the OpenAPI document",
  agent: "an agent answers an adviser through the tools; renews docs/generated/agent.md",
  "mcp-gate": "other people's clients call the tools",
  "go-check": "Go's own packages judge the log",
  "page-check": "tries the pages in Chromium",
  "parts --out <folder>": "writes a page of the start page's parts in their states, light and dark",
  "pictures [state ...] [--out folder]":
    "takes pictures of every state and width; without --out, those of docs/pictures",
  "first-paint <checkout>": "compares when the start pages of two checkouts first paint",
  "pack-check": "rehearses the publication of the three packages, installs each elsewhere and uses it",
  newcomer: "makes a newcomer's first calls, with npm start",
  guides: "runs the blocks of the guides as they are written",
  "bench [name ...] [--quick] [--beside checkout]": "measures what docs/performance.md says"
}

export const nameOf = (usage: string): string => usage.split(" ", 1)[0]!
