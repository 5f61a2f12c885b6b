/**
 * The ceiling of the HTTP bench: Node's own HTTP server, which reads a request's body and answers
 * with the body last PUT at its path. It does no other work and checks nothing.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const answers = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    const path = request.url!
    if (request.method === "PUT") answers.set(path, Buffer.concat(chunks))
    const answer = answers.get(path) ?? ""
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length })
    response.end(answer)
  })
})
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
)
