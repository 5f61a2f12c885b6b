/** Commands that ask a hostile service: answers without an end, and redirects. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { filesOf, repay } from "../support/repay.ts"

const { folder } = filesOf("hostile")
const ID = "01a201fb-79ae-7082-8dca-efb83d413f8f"
const CHUNK = Buffer.alloc(64 * 1024, "a")
/** Far more than a reader that stops at once takes, sockets' buffers included. */
const MAX_SENT_BYTES = 16 * 1024 * 1024

let sent = 0
const visited: Array<string> = []
const server = createServer((request, response) => {
  visited.push(request.url!)
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
