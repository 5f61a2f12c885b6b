/**
 * What Node's own HTTP server can do on this machine: it reads the body of a request and answers, without any work, what
 * was last put at its path. It checks nothing.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const answers = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const pieces: Array<Buffer> = []
  request.on("data", (piece) => pieces.push(piece))
  request.on("end", () => {
    const path = request.url!
    if (request.method === "PUT") answers.set(path, Buffer.concat(pieces))
    const answer = answers.get(path) ?? ""
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length })
    response.end(answer)
  })
})
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
)
