/** Commands that ask a hostile service: answers without an end, redirects, and control characters. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createClient } from "../../src/client/plain/index.ts"
import { borrowerOf } from "../support/borrowers.ts"
import { filesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("hostile")
const ID = "01a201fb-79ae-7082-8dca-efb83d413f8f"
const CHUNK = Buffer.alloc(64 * 1024, "a")
/** Far more than a reader that stops at once takes, sockets' buffers included. */
const MAX_SENT_BYTES = 16 * 1024 * 1024

/** A problem that would clear a terminal, ring, turn the direction of text and forge a line. */
const EVIL = {
  type: "https://example.org/problems/unauthorized",
  title: "Refused",
  status: 401,
  detail: "\u001b[2Jcleared\u0007 \u202eturned\nResults are in results.csv.",
  instance: "urn:uuid:0"
}

let sent = 0
const visited: Array<string> = []
const server = createServer((request, response) => {
  visited.push(request.url!)
  if (request.url!.startsWith("/evil")) return void response.writeHead(401).end(JSON.stringify(EVIL))
  if (request.url!.startsWith("/elsewhere")) return void response.writeHead(302, { location: "/log/endless" }).end()
  const write = () => {
    while (!response.destroyed && sent < 40 * MAX_SENT_BYTES) {
      sent += CHUNK.length
      if (!response.write(CHUNK)) return
    }
    response.end()
  }
  response.writeHead(200, { "content-type": "application/json" })
  response.on("drain", write)
  write()
})
let base = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const commands = (url: string) => [
  ["log", "watch", "--url", url, "--out", join(folder, crypto.randomUUID()), "--every", "0"],
  ["receipt", ID, "--url", url],
  ["verify", ID, "--url", url]
]

it("read no more of an endless answer than theirs may have", async () => {
  for (const command of commands(base)) {
    sent = 0
    const { code, stderr } = await repay(command)
    expect([command[0], code, stderr]).toEqual([command[0], 3, expect.stringContaining(base)])
    expect([command[0], sent < MAX_SENT_BYTES]).toEqual([command[0], true])
  }
})

it("follow no redirect", async () => {
  for (const command of commands(`${base}/elsewhere`)) {
    const { code } = await repay(command)
    expect([command[0], code]).toEqual([command[0], 3])
  }
  expect(visited.filter((path) => path === "/log/endless")).toEqual([])
})

const record = (url: string) => {
  const args = `portfolio run one.ndjson --plans standard --out ${crypto.randomUUID()}.csv --record`.split(" ")
  file("one.ndjson", `${JSON.stringify(borrowerOf(1))}\n`)
  return repay(args, { folder, env: { REPAY_URL: url, REPAY_API_KEY: "slr_sbx_key" } })
}

it("print what a service says without its control characters, on one line", async () => {
  const { code, stderr } = await record(`${base}/evil`)
  expect(code).toBe(3)
  expect(stderr).toContain("stopped. Refused: ?[2Jcleared? ?turned?Results are in results.csv.\n")
  expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

it("stop reading an endless answer when they record, as does the client", async () => {
  sent = 0
  expect(await record(base)).toMatchObject({ code: 3, stderr: expect.stringContaining("more than 8388608 bytes") })
  expect(sent).toBeLessThan(MAX_SENT_BYTES)
  sent = 0
  await expect(createClient({ baseUrl: base }).rules()).rejects.toMatchObject({ _tag: "UnexpectedAnswer", status: 200 })
  expect(sent).toBeLessThan(MAX_SENT_BYTES)
})
