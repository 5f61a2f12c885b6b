/**
 * The check of the package under the oldest supported Node: commands and threads work, and options
 * that need a newer Node are refused clearly.
 */

import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import REQUEST from "../../docs/examples/projection.json" with { type: "json" }
import packageJson from "../../package.json" with { type: "json" }
import { atEnd, insist, run } from "../harness.ts"

const { label: _, planType: __, ...household } = REQUEST.scenario
const BORROWER = { borrowerId: "B1", ...household, loans: REQUEST.loans }
const HEAD_LINES = 1

/** Installs the oldest supported Node for this system; resolves with its path. */
const oldestNode = async (folder: string): Promise<string> => {
  const version = /^>=(\d+\.\d+)$/.exec(packageJson.engines.node)![1]!
  const name = `node-${process.platform}-${process.arch}`
  const prefix = join(folder, "oldest")
  await run(["npm", "install", "--prefix", prefix, "--no-audit", "--no-fund", `${name}@${version}.0`], { cwd: folder })
  return join(prefix, "node_modules", name, "bin", "node")
}

/** The error message of a failed command; empty if it succeeded. */
const refusalOf = (command: Promise<string>): Promise<string> =>
  command.then(
    () => "",
    ({ message }: Error) => message
  )

/** @param folder where the package is installed */
export const checkOldest = async (folder: string): Promise<string> => {
  const node = await oldestNode(folder)
  const repay = (...args: ReadonlyArray<string>) =>
    run([node, join("node_modules", ".bin", "repay"), ...args], { cwd: folder })
  const portfolio = ["portfolio", "run", "borrowers.ndjson"]
  writeFileSync(join(folder, "borrowers.ndjson"), `${JSON.stringify(BORROWER)}\n`)
  const formats = ["csv", "ndjson", "parquet"]
  for (const format of formats) await repay(...portfolio, "--out", `old.${format}`)
  const rows = readFileSync(join(folder, "old.csv"), "utf8").trimEnd().split("\n").length - HEAD_LINES
  insist(rows > 0, "repay portfolio run gave no rows")
  for (const format of formats) {
    const { after, borrowersChanged } = JSON.parse(await repay("portfolio", "diff", "old.csv", `old.${format}`))
    insist(after.rows === rows && borrowersChanged === 0, `old.${format} does not hold what old.csv holds`)
  }
  for (const more of ["--record", "--cluster"]) {
    const refusal = await refusalOf(repay(...portfolio, "--out", "more.csv", more))
    insist(refusal.includes(`${more}: needs Node`), `${more} was not refused, but: ${refusal}`)
  }
  const server = createServer((_request, response) => response.writeHead(503).end("{}"))
  atEnd(() => server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const answer = { provenance: { answerId: "01a201fb-79ae-7082-8dca-efb83d413f8f" } }
  writeFileSync(join(folder, "answer.json"), JSON.stringify(answer))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refusal = await refusalOf(repay("verify", "answer.json", "--url", address))
  insist(refusal.includes("gave no usable answer"), `repay verify did not refuse a 503, but: ${refusal}`)
  const version = (await run([node, "--version"])).trim()
  return `under Node ${version} repay portfolio run writes ${rows} rows to each of ${formats.join(", ")}`
}
