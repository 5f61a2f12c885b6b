/**
 * What Node's own HTTP server can do on this machine: it reads the body of a request and answers, without any work, what
 * was last put at its path. It checks nothing.
 */
import { createServer } from "node:http"

const answers = new Map<string, Buffer>()

createServer((request, response) => {
  const pieces: Array<Buffer> = []
  request.on("data", (piece) => pieces.push(piece))
  request.on("end", () => {
    const path = request.url!
    if (request.method === "PUT") answers.set(path, Buffer.concat(pieces))
    const answer = answers.get(path) ?? ""
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length })
    response.end(answer)
  })
}).listen(Number(process.env["CEILING_PORT"]), "127.0.0.1")
