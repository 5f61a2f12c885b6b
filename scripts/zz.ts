import { createServer, request } from "node:http"
import { callerOf, mintOver } from "../test/support/calls.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { runTask, service } from "./harness.ts"

process.exitCode = await runTask("zz", async () => {
  const { base } = await service({ ...NO_LIMITS, PUBLIC_URL: "http://127.0.0.1:3998" })
  const { apiKey } = await mintOver(callerOf(base))
  const { hostname, port } = new URL(base)
  createServer((from, to) => {
    const headers = { ...from.headers, "x-api-key": apiKey }
    const onward = request({ hostname, port, path: from.url, method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(to)
    })
    from.pipe(onward)
  }).listen(3998, "127.0.0.1")
  console.log("READY", base, apiKey)
  await new Promise((r) => setTimeout(r, 900_000))
})
